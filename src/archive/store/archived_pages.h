#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "record/record.h"

namespace gossamer::store {

struct ArchivedPagesSummary {
  std::uint64_t faults = 0;  // damaged places and files that cannot be read
};

// Makes a record from each response in the archive of a crawl directory, as far as the archive
// knows it: not how deep the page was, what linked to it, and how long it took. robots.txt is left
// out. Fails with the error of the system if the folder cannot be listed; no folder is an empty
// archive.
Result<ArchivedPagesSummary> for_each_archived_page(
    const std::string& folder, std::move_only_function<void(crawler::FetchRecord)> use);

}  // namespace gossamer::store
