#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer check URL|FILE...
int run_check_command(const std::vector<std::string>& words);

}  // namespace gossamer::cli
