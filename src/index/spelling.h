// Corrects the words of a query that no page has.
#pragma once

#include <string>

#include "base/result.h"
#include "index/query.h"
#include "index/schema.h"

namespace gossamer::index {

// Returns the query with each unknown word replaced by the most similar word of the index; empty if
// there is no better query. The first letter of a word counts as right. Fails with the error of
// SQLite. REQUIRES: the languages of queries are set.
Result<std::string> corrected(const Query& query, IndexDatabase& index);

}  // namespace gossamer::index
