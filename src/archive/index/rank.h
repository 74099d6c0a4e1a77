// The order of results. BM25 finds candidates; this decides among the best of them.
#pragma once

#include <string_view>
#include <vector>

#include "index/query_words.h"
#include "index/search_results.h"

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

double sum_of(const std::vector<ScorePart>& parts);

}  // namespace gossamer::index
