// Counts the results of a search by site, type, year and language.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "index/search_results.h"
#include "index/selection.h"

namespace gossamer::index {

// Values of one facet that are counted. Those that come later are not in the facet.
inline constexpr std::size_t kFacetValuesMax = 200'000;

// Reads each page that was found once. Fails with the error of SQLite.
Result<Facets> count_facets(store::Database& database, const SearchWork& work);

}  // namespace gossamer::index
