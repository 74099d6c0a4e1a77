#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer url parse [--base URL] [--json] URL...    the parts of each
// gossamer url join BASE REFERENCE...                each resolved against the first
// gossamer url canon [RULES] [--surt|--cdx|--fingerprint] URL...
//     each as a crawl compares it; RULES are --drop-sessions, --drop-tracking, --sort-query,
//     --collapse-index, --strip-www
//
// A URL that is just "-" stands for the lines of standard input. What does not parse is said on
// stderr; the others are printed all the same, and the exit code is 1.
int run_url_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
