// Pages that have most words of a query.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "index/best_rank.h"
#include "index/query.h"
#include "index/stemmer.h"

namespace gossamer::index {

// If fewer pages have all words, pages with most of them are shown below these.
inline constexpr std::uint64_t kFewPages = 10;

struct PartialMatch {
  std::string wanted;  // an expression for FTS5, which finds all of these pages and some others
  EnoughTerms enough;
  std::vector<std::size_t> places;  // of its terms in the query
  std::set<std::size_t> unknown;    // places of words that no page has
  bool is_below = true;             // pages with all words come first
};

// Only words may be missing, not phrases, prefixes or words in a field. Rare words count more: a
// page must have `share` of the weight of all words. Returns nothing if no word may be missing, or
// if no page has any of more than half of them. `pages_with` are the pages with each term, `pages`
// all pages; terms whose place is in `ignored` are left out.
std::optional<PartialMatch> partial_match(const Query& query, const std::vector<Stemmer*>& stemmers,
                                          const std::set<std::size_t>& ignored,
                                          const std::vector<double>& pages_with, double pages,
                                          double share);

}  // namespace gossamer::index
