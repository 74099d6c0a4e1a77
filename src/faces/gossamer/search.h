#pragma once

// For programs that use Gossamer as a library: full-text search (docs/search.md).
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "index/archive_indexer.h"
#include "index/query.h"
#include "index/search_reader.h"
#include "index/search_results.h"
#include "index/search_writer.h"

namespace gossamer {

using index::parse_query;
using index::SearchOptions;
using index::SearchReader;
using index::SearchResults;
using index::SearchSort;
using SearchHit = index::Hit;
using SearchQuery = index::Query;

// Searches the index in a folder once; `query` is as in `gossamer search`. Fails as parse_query(),
// SearchReader::open() and SearchReader::search() do.
inline Result<SearchResults> search(const std::string& folder, std::string_view query,
                                    const SearchOptions& options = {}) {
  const auto parsed = parse_query(query);
  if (!parsed) return fail(parsed.error().copy());
  auto reader = SearchReader::open(folder + "/" + std::string(index::kIndexName));
  if (!reader) return fail(std::move(reader).error());
  return reader->search(*parsed, options);
}

// Builds or updates the index of a crawl directory, of a folder with archives, or of one archive.
// Fails as find_archives(), SearchWriter::open() and index_archives() do.
inline Result<index::IndexCounts> build_index(const std::string& archives,
                                              const std::string& index_path) {
  auto paths = index::find_archives(archives);
  if (!paths) return fail(std::move(paths).error());
  auto writer = index::SearchWriter::open(index_path);
  if (!writer) return fail(std::move(writer).error());
  index::add_former_archives(*writer, *paths);
  return index::index_archives(*writer, *paths);
}

}  // namespace gossamer
