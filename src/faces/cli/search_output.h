#pragma once

#include <string>

#include "index/search_results.h"

namespace gossamer::cli {

// The formats of `gossamer search`. All texts come from pages, so they are escaped.

// One line of JSON per hit.
std::string to_json(const index::Hit& hit);
// The last line: counts, suggestion, facets.
std::string to_json(const index::SearchResults& results, bool has_facets);

inline constexpr std::string_view kHitCsvHeader =
    "url,title,captured,site,type,language,score,snippet,missing";
std::string to_csv(const index::Hit& hit);

// For people: title, URL, snippet. Marked words are bold with `has_color`, else unmarked.
std::string to_lines(const index::Hit& hit, std::size_t number, bool has_color);
std::string to_lines(const index::Facets& facets);
// "57 pages found, 3 with all words."
std::string count_line(const index::SearchResults& results);

}  // namespace gossamer::cli
