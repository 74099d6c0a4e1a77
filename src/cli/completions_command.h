#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer completions bash|zsh|fish
int run_completions_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
