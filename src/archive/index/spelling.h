// Corrects the words of a query that no page has.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "index/query.h"
#include "index/schema.h"

namespace gossamer::index {

// Tells whether a page has all words of a query.
using FindsPages = std::move_only_function<Result<bool>(const Query&)>;

// Returns the query with all unknown words replaced by similar ones of the index, which must find a
// page together. Frequent words are preferred, even to a known word that is rare. Empty: there is
// no better query. The first letter of a word counts as right. Fails with the error of SQLite.
// REQUIRES: the languages of queries are set.
Result<std::string> corrected(const Query& query, IndexDatabase& index, FindsPages finds);

}  // namespace gossamer::index
