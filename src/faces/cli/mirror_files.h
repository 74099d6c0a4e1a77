#pragma once

#include <string>
#include <string_view>

#include "store/stored_crawl.h"

namespace gossamer::cli {

// Writes an offline copy to `folder`; messages call it `shown_folder`, its final name. Prints the
// files of the roots on stdout, unless that is empty, and failures on stderr. Returns the exit
// code: kUsage or kFileFailed if there is no copy, kFailed if a page is incomplete.
int write_mirror(std::string_view command, const store::StoredCrawl& kept,
                 const std::string& folder, const std::string& shown_folder);

}  // namespace gossamer::cli
