// Full-text search over the indexes of the archives (docs/serve.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "captures/collection.h"
#include "index/search_reader.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::serve {

// Where the search index of an archive is, if it has one.
std::string index_path_of(const captures::ServedArchive& archive);

// Any thread may call the members; all of them block, for two seconds at most, however many indexes
// there are.
class Search {
 public:
  // `indexes` are files besides those in the crawl directories of the collection. BORROWS: the
  // collection.
  Search(const captures::Collection& collection, std::vector<std::string> indexes)
      : collection_(collection), indexes_(std::move(indexes)) {}

  server::Response answer_search(const server::Request& request);
  server::Response answer_facets(const server::Request& request);
  // Returns for each archive why its index cannot be read; empty: it can, or there is none.
  std::vector<std::string> failures_of_indexes();

 private:
  struct Source {
    std::string path;
    std::optional<std::uint32_t> archive;  // empty: the index may have pages of several
  };
  struct Found {
    index::SearchResults results;
    std::vector<std::optional<std::uint32_t>> archives;  // of each hit
    std::vector<std::string> failures;                   // why others could not be read
    std::size_t indexes = 0;                             // that could be read
  };

  std::vector<Source> sources(std::optional<std::uint32_t> archive) const;
  // The archive with that capture, if it is served.
  std::optional<std::uint32_t> archive_of(const index::Capture& page) const;
  Result<Found> find(const index::Query& query, const index::SearchOptions& options,
                     std::optional<std::uint32_t> archive);
  // A reader is used by one thread at a time. Opening one takes longer than most searches. An index
  // that was made again is another file, so a reader knows which one it reads.
  struct Reader {
    index::SearchReader reader;
    std::pair<std::uint64_t, std::uint64_t> file;  // device and number
  };
  Result<Reader> take_reader(const std::string& path);
  void put_back(const std::string& path, Reader reader);

  const captures::Collection& collection_;
  const std::vector<std::string> indexes_;
  std::mutex mutex_;  // guards the readers
  std::map<std::string, std::vector<Reader>> readers_;
};

}  // namespace gossamer::serve
