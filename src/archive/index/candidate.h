// A page that a search found, before it is ordered and folded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "content/text_sketch.h"
#include "index/best_rank.h"
#include "index/search_results.h"
#include "store/sqlite.h"

namespace gossamer::index {

// The columns that read_candidate() reads, of the tables `page` and `source`.
inline constexpr std::string_view kPageColumns =
    "page.id, page.url, page.title, page.site, page.mime, page.lang, page.captured, source.path,"
    " source.member, page.offset, page.text_bytes, page.sketch";
inline constexpr int kPageColumnCount = 12;

// A capture with what folding needs.
struct Candidate {
  Capture page;
  std::optional<content::TextSketch> sketch;
  double bm25 = 0;    // larger is better
  TermSet found = 0;  // the terms of the match that it has
  double score = 0;
  std::vector<ScorePart> parts;
};

// REQUIRES: the row begins with kPageColumns.
Candidate read_candidate(store::Statement& row);

// Finds results that show the same: captures of one URL, equal texts, or near duplicates. Short
// texts, which many pages share, do not make them the same.
class Folding {
 public:
  // Off: every candidate is kept.
  explicit Folding(bool folds) : folds_(folds) {}

  // The candidates that are kept, best first, each with its duplicates.
  struct Kept {
    Candidate best;
    std::vector<Capture> duplicates;
  };

  // Adds a candidate. With `can_keep` off, one without a kept duplicate is dropped.
  void add(Candidate one, bool can_keep);
  std::vector<Kept>& kept() { return kept_; }

 private:
  std::optional<std::size_t> find(const Candidate& one, std::uint64_t text_hash) const;

  bool folds_;
  std::vector<Kept> kept_;
  // Places in the list above.
  std::unordered_map<std::string, std::size_t> by_url_;
  std::unordered_map<std::uint64_t, std::size_t> by_text_;
  std::unordered_map<std::string, std::vector<std::size_t>> by_site_;  // those with a sketch
};

}  // namespace gossamer::index
