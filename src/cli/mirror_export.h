#pragma once

#include <string>

#include "store/kept_crawl.h"

namespace gossamer::cli {

// Makes a copy of the pages of a crawl directory that can be browsed without a network. Says on
// stdout where the copies of its roots are, on stderr what could not be copied, and gives the exit
// code: kFileFailed, or kFailed if a page is not there as a whole.
struct MirrorOptions {
  std::string shown_folder = {};  // where the copy is going to be; empty: in `folder`
};
int export_mirror(const store::KeptCrawl& kept, const std::string& folder,
                  MirrorOptions options = {});

}  // namespace gossamer::cli
