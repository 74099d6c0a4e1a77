#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/stored_crawl.h"

namespace gossamer::exports {

struct MirrorSummary {
  std::vector<std::string> roots;  // the files of the roots, below the folder
  std::uint64_t faults = 0;        // pages that are missing or incomplete
};

// Writes an offline copy of the pages of a crawl directory to a new or empty folder. Calls
// `on_fault` for each page that is missing or incomplete. Fails with Errc::exists if the folder is
// not empty, with Errc::not_found if the archive has no page, and with Errc::io_failed if reading
// or writing fails; the detail is for the user.
Result<MirrorSummary> export_mirror(const store::StoredCrawl& kept, const std::string& folder,
                                    std::move_only_function<void(std::string_view)> on_fault);

}  // namespace gossamer::exports
