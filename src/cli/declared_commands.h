#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/declared_option.h"

namespace gossamer::cli {

// The words one of which comes behind the command: ls, cat, ... of warc. Most have none.
std::vector<std::string> actions_of(const Command& command);

// What a command declares, without running it; one for each of its actions if it has such.
std::vector<DeclaredCommand> declarations_of(const Command& command);

// Those that read configuration files.
std::vector<std::string> configurable_commands();

}  // namespace gossamer::cli
