#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "options/option.h"

namespace gossamer::options {

// A command in the list of the program.
struct CommandEntry {
  std::string name;  // one word: "warc"
  std::string arguments;
  std::string summary;
  std::vector<CommandTable> tables;  // its own, or those of its actions: "warc ls", "warc cat"
};

// All commands of the program: the source of completions and manual pages.
using Program = std::vector<CommandEntry>;

// Completion scripts of the shells.
std::string bash_completion(const Program& program);
std::string zsh_completion(const Program& program);
std::string fish_completion(const Program& program);
std::string elvish_completion(const Program& program);

// Manual pages of section 1, in the language of man(7). gossamer(1) lists the commands.
std::string man_page(const Program& program);
// gossamer-crawl(1) and so on.
std::string man_page(const CommandEntry& command);

}  // namespace gossamer::options
