// Reads a search index while another process or thread may write it.
//
//   auto reader = SearchReader::open("museum/search.db");
//   auto query = parse_query("amber site:example.com");
//   auto found = reader->search(*query, {.limit = 10});
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "index/query.h"
#include "index/search_results.h"

namespace gossamer::index {

// The name of the index in a crawl directory.
inline constexpr std::string_view kIndexName = "search.db";

enum class SearchSort : std::uint8_t { relevance, newest, oldest, url };

struct SearchOptions {
  std::size_t limit = 10;
  std::size_t offset = 0;  // hits to skip
  SearchSort sort = SearchSort::relevance;
  // Off: every capture is a hit.
  bool folds_duplicates = true;
  bool has_facets = false;
  bool has_suggestion = true;  // if no page has all words
  // If fewer than ten pages have all words, pages with most of them are found, too.
  bool finds_partial = true;
  bool explains = false;  // adds Hit::score_parts
  std::size_t snippet_bytes = 240;
  std::size_t facet_values_max = 20;
  // BOUND: a search that takes longer ends with Errc::timed_out.
  Duration time_max = 2s;
};

// BOUND: SearchOptions::limit and offset together.
inline constexpr std::size_t kHitsMax = 10'000;

struct IndexSummary {
  std::uint64_t pages = 0;  // URLs with their captures
  std::uint64_t bytes = 0;  // of the file
  WallTime first_captured;
  WallTime last_captured;
};

// One thread uses it at a time; interrupt() may come from any thread. Each search sees one state of
// the index and leaves no transaction open.
class SearchReader {
 public:
  // Fails with Errc::not_found if there is no file, with Errc::unsupported if another version of
  // Gossamer wrote it, and with Errc::malformed if it is damaged or something else; `gossamer
  // index` rebuilds it then.
  static Result<SearchReader> open(const std::string& path);
  ~SearchReader();
  SearchReader(SearchReader&&) noexcept;
  SearchReader& operator=(SearchReader&&) = delete;

  // Fails with Errc::timed_out, with Errc::cancelled after interrupt(), with
  // Errc::invalid_argument beyond kHitsMax, and with Errc::malformed if the index is damaged.
  Result<SearchResults> search(const Query& query, const SearchOptions& options = {});
  // Returns all captures of a URL, oldest first.
  Result<std::vector<Capture>> captures(std::string_view url);
  // Returns the text of a capture as it was indexed, the main text first. Fails with
  // Errc::not_found.
  Result<std::string> text(std::int64_t id);
  Result<IndexSummary> summary();

  // Ends a running call with Errc::cancelled. Has no effect on later calls.
  void interrupt() noexcept;

 private:
  class Implementation;
  explicit SearchReader(std::unique_ptr<Implementation> implementation);
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace gossamer::index
