// The score of the best pages of a query, in SQL.
#pragma once

#include "base/result.h"
#include "store/sqlite.h"

namespace gossamer::index {

// Adds the function best_rank(fts, count) to FTS5: BM25 as bm25() computes it, with our weights for
// columns, but positive. Only the scores of the best `count` pages are exact. Any other page gets
// less than these.
//
// bm25() reads the length of every page that matches, which takes most of its time. A page without
// words would score highest, so the words that a page has tell how much it can reach. Its length is
// read only if that is enough.
Result<void> register_best_rank(store::Database& database);

}  // namespace gossamer::index
