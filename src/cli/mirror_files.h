#pragma once

#include <string>
#include <string_view>

#include "store/stored_crawl.h"

namespace gossamer::cli {

// Writes a copy to browse into `folder`, which is called `shown_folder` when it is done. Says on
// stdout where the copies of the roots are, on stderr what could not be copied. Gives the exit
// code: kUsage or kFileFailed without a copy, kFailed if a page is not there as a whole.
int write_mirror(std::string_view command, const store::StoredCrawl& kept,
                 const std::string& folder, const std::string& shown_folder);

}  // namespace gossamer::cli
