#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer top: looks into a crawl that runs, and steers it.
int run_top_command(const std::vector<std::string>& words);

}  // namespace gossamer::cli
