#pragma once

#include <string>
#include <vector>

#include "cli/crawl_arguments.h"

namespace gossamer::cli {

// gossamer crawl URL...
int run_crawl_command(const std::vector<std::string>& arguments);
// The same with arguments that were read already.
int run_crawl(CrawlArguments arguments);

}  // namespace gossamer::cli
