#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer man [COMMAND] [--into DIR]
int run_man_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
