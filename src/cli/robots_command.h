#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer robots FILE|- [--agent NAME] [URL...]
//
// What a robots.txt says to a crawler of that name (gossamer, unless told): for each URL a line
// with the answer and the rule that decided; without URLs the delay and the sitemaps it asks for.
int run_robots_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
