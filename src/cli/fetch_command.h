#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer fetch URL... : the HTTP client as a command, in the manner of `curl -sS`. Redirects are
// shown, not followed. See --help. Exit codes as wget's.
int run_fetch_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
