#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "render/browser_pipe.h"

namespace gossamer::render {

// Returns the command line of a browser. Its options alone should keep it from the network.
std::vector<std::string> browser_words(std::string_view program, std::string_view profile,
                                       const LaunchOptions& options);

}  // namespace gossamer::render
