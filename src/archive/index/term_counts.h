// How frequent the words of a query are in an index.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "base/result.h"
#include "index/query.h"
#include "index/schema.h"

namespace gossamer::index {

// Whether a page may lack a term: a word without a field, which is neither quoted nor a prefix.
bool is_plain_word(const QueryTerm& term);

// Sets the languages whose stems a query looks for.
Result<void> choose_languages(const Query& query, IndexDatabase& index);

// The number of pages with each term; 0 for excluded ones, and for a term that is the only one:
// that number is never needed. REQUIRES: choose_languages().
Result<std::vector<double>> pages_with_terms(const Query& query, IndexDatabase& index);

// Which terms are in so many of the pages that they do not select any.
std::set<std::size_t> ignored_terms(const Query& query, const std::vector<double>& pages_with,
                                    std::uint64_t pages);

}  // namespace gossamer::index
