// The order of results. BM25 finds candidates; this decides among the best of them.
#pragma once

#include <cstddef>
#include <vector>

#include "index/candidate.h"
#include "index/search_results.h"
#include "index/selection.h"
#include "index/snippet.h"

namespace gossamer::index {

// BOUND: the best candidates of BM25, which are ordered again.
inline constexpr std::size_t kRankedMax = 200;

// Scores candidates, and orders the first kRankedMax of them if they are wanted by relevance.
void order_candidates(std::vector<Candidate>& candidates, const SearchWork& work);
// Adds what the text of a page says to its score.
void add_text_score(Hit& hit, const BestSection& best, const SearchWork& work);
// Orders the hits whose texts counted: the first ones.
void order_hits(std::vector<Hit>& hits, const SearchWork& work);

}  // namespace gossamer::index
