// Counts the results of a search by site, type, year and language.
#pragma once

#include "base/result.h"
#include "index/search_results.h"
#include "index/selection.h"

namespace gossamer::index {

// Reads each page that was found once. Fails with the error of SQLite.
Result<Facets> count_facets(store::Database& database, const SearchWork& work);

}  // namespace gossamer::index
