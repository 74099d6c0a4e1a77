// A page that a search found, before it is ordered and folded.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "content/text_sketch.h"
#include "index/search_results.h"
#include "index/sqlite.h"

namespace gossamer::index {

// The columns that read_candidate() reads, of the tables `page` and `source`.
inline constexpr std::string_view kPageColumns =
    "page.id, page.url, page.title, page.site, page.mime, page.lang, page.captured, source.path,"
    " source.member, page.offset, page.text_bytes, page.digest, page.sketch";

// A capture with what folding needs.
struct Candidate {
  Capture page;
  std::uint64_t digest = 0;
  std::optional<content::TextSketch> sketch;
  double bm25 = 0;  // larger is better
  double score = 0;
  std::vector<ScorePart> parts;
};

// REQUIRES: the row begins with kPageColumns.
Candidate read_candidate(Statement& row);

// Whether two results show the same: captures of one URL, equal texts, or near duplicates.
bool have_same_text(const Candidate& a, const Candidate& b);

}  // namespace gossamer::index
