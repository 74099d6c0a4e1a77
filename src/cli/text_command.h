#pragma once

#include <string>
#include <vector>

namespace gossamer::cli {

// gossamer text FILE|- [--charset LABEL] [--facts]
//
// What a reader sees of a page: a line per block, a tab between cells. --facts prints first what
// the page says about itself, a name and a value per line, and an empty line after it.
int run_text_command(const std::vector<std::string>& arguments);

}  // namespace gossamer::cli
