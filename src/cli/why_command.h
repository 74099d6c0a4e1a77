#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// `gossamer why FILE... URL...`: what the results of a crawl say about certain URLs.
int run_why_command(const std::vector<std::string>& words);

}  // namespace gossamer::cli
