#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer crawl URL...
int run_crawl_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
