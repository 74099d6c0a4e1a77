#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer init [FILE] [--force]
int run_init_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
