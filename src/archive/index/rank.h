// The order of results. BM25 finds candidates; this decides among the best of them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "index/query_words.h"
#include "index/search_results.h"
#include "index/snippet.h"

namespace gossamer::index {

// What a score depends on.
struct RankedPage {
  double words = 0;  // BM25 of this page in relation to that of the best: 0 to 1
  std::string_view title;
  std::string_view url;
};

// Returns the parts of the score. BM25 rates a word in most pages as nothing, and does not know
// that a title consists of exactly the words of the query; so titles and URLs add to it.
std::vector<ScorePart> score_parts(const RankedPage& page, const QueryWords& words,
                                   QueryWords::Matcher matcher);

// The parts of a score that the text of a page adds, which lacks some of the words of the query.
std::vector<ScorePart> text_parts(const BestSection& best, std::size_t words, std::size_t missing);
// The best score first; complete: pages that have all words of the query precede the others.
void order_hits(std::span<Hit> hits, bool are_complete_first);
double sum_of(const std::vector<ScorePart>& parts);

}  // namespace gossamer::index
