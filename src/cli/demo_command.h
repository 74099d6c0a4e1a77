#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer demo: a crawl of a synthetic site in this very process, held against what is there.
int run_demo_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
