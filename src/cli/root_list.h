#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace gossamer::cli {

// A URL as somebody wrote it, and where: " (line 3 of urls.txt)"; empty: on the command line.
struct RootText {
  std::string text;
  std::string from;
};

// Reads a file of URLs, one per line; "-" is standard input. Empty lines and those that begin with
// # are passed over. Fails with Errc::invalid_argument when it cannot be read.
Result<void> read_roots(const std::string& path, std::vector<RootText>& into);

}  // namespace gossamer::cli
