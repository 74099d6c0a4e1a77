#pragma once

#include <string>

namespace gossamer::cli {

// What a shell reads to complete the words behind `gossamer`: commands, their options, and the
// values of options where these are words or files. Made from what the commands declare.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

}  // namespace gossamer::cli
