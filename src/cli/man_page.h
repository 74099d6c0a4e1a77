#pragma once

#include <string>

#include "cli/command.h"

namespace gossamer::cli {

// Manual pages of section 1, in the language of man(7), made from what the commands declare.
// gossamer(1): what there is.
std::string man_page();
// gossamer-crawl(1) and so on.
std::string man_page(const Command& command);

}  // namespace gossamer::cli
