// Merges the crawl directories of the nodes of a shared crawl.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace gossamer::store {

struct MergeSummary {
  std::uint64_t pages = 0;
  std::uint64_t repeated = 0;  // records of URLs that another directory has, which were dropped
  std::uint64_t files = 0;     // of the archives
};

// Makes a crawl directory with the pages, skipped URLs and archives of all `folders`, which stay
// unchanged. A URL that several nodes fetched has one record: an answer is better than a failure,
// an archived one better than another, and an earlier directory better than a later one. Archives
// are linked, or copied to another file system; their names get the number of their directory, as
// in "n2-". Fails with Errc::exists if `into` is a crawl directory already or is not empty, with
// Errc::not_found if a folder is not a crawl directory, and with the error of the system.
Result<MergeSummary> merge_crawls(const std::vector<std::string>& folders, const std::string& into);

}  // namespace gossamer::store
