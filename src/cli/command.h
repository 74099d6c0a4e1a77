#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "options/program.h"
#include "options/table.h"

namespace gossamer::cli {

// The exit codes that all commands share; wget's where it has one.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,
  kUsage = 2,
  kFileFailed = 3,
  kNetworkFailed = 4,
  kTlsFailed = 5,
  kAuthenticationFailed = 6,
  kProtocolFailed = 7,
  kServerError = 8,
};

// The code for a failure, and for the status of an answer.
int exit_code_for(const Error& error);
int exit_code_for_status(int status);
// What a failure says to the user: its detail, and the system's own words if it has any.
std::string message_of(const Error& error);
// "cannot read FILE: REASON", by errno. Call it right after the failure.
std::string cannot_read(std::string_view file);
std::string cannot_write(std::string_view file);
// Of two things that happened: the lower code wins, except that 0 and 1 lose.
int worse(int one, int other);

struct Command;
using CommandList = std::span<const Command* const>;

// A command of the program: its name, what declares its options, and what runs it. It is made by
// command_of(), or is a group, which has nothing but `actions`.
struct Command {
  std::string_view name;       // all its words: "warc ls"
  std::string_view arguments;  // as the list of commands shows them
  std::string_view summary;
  // Its table. Nothing is run.
  options::CommandTable (*declared)(const Command& command) = nullptr;
  // Parses the words behind the name and runs the command. Gives the exit code.
  int (*run)(const Command& command, const std::vector<std::string>& words) = nullptr;
  CommandList actions = {};  // one of them comes behind the name; empty: it is not a group
  // What the command line does not say is taken from configuration files and the environment.
  bool is_configurable = false;
  // For a fault in the command line, and for one in a configuration.
  int usage_code = kUsage;
  int configuration_code = kUsage;

  std::string_view last_word() const { return name.substr(name.rfind(' ') + 1); }
};

// All there are, in the order of the help.
CommandList commands();
// The command, or the group, that the first words name. nullptr: none. Former names still work:
// "links" is "inspect links".
struct FoundCommand {
  const Command* command = nullptr;
  std::vector<std::string> words = {};  // behind its name
};
FoundCommand find_command(std::vector<std::string> words);
// Runs it; of a group the action that comes first.
int run_command(const Command& command, const std::vector<std::string>& words);
// Every table: of the command, or of all actions of a group.
std::vector<options::CommandTable> tables_of(const Command& command);
// What completions and manual pages are made from.
options::Program program();
// Where configurable commands look for what the command line does not say.
options::ConfigWorld world_of_this_process();

// Prints what there is to be printed instead of running the command, and gives the exit code.
std::optional<int> stopped(const Command& command, const std::optional<options::Table::Stop>& stop);

// One line on stderr: "gossamer COMMAND: MESSAGE". Gives kUsage, so that `return usage_error(...)`.
int usage_error(std::string_view command, std::string_view message);
// The same for a crawl directory that cannot be opened. Gives kFileFailed if the system would not
// let us, else kUsage.
int job_error(std::string_view command, const Error& error);

template <class Declare>
struct SettingsOf;
template <class Settings>
struct SettingsOf<void (*)(options::Table&, Settings&)> {
  using Type = Settings;
};

// A command of two functions: `void declare(options::Table&, Settings&)` binds options to
// settings, `int run(Settings&)` or `int run(Settings&, const options::Table&)` does the work.
template <auto kDeclare, auto kRun>
constexpr Command command_of(std::string_view name, std::string_view arguments,
                             std::string_view summary) {
  using Settings = SettingsOf<decltype(kDeclare)>::Type;
  Command command = {.name = name, .arguments = arguments, .summary = summary};
  command.declared = [](const Command& self) {
    Settings settings;
    options::Table table(self.name);
    kDeclare(table, settings);
    if (self.is_configurable) table.read_configuration({});
    return table.declared();
  };
  command.run = [](const Command& self, const std::vector<std::string>& words) -> int {
    Settings settings;
    options::Table table(self.name);
    kDeclare(table, settings);
    if (self.is_configurable) table.read_configuration(world_of_this_process());
    if (const auto exit_code = stopped(self, table.parse(words))) return *exit_code;
    if constexpr (requires { kRun(settings, table); }) {
      return kRun(settings, table);
    } else {
      return kRun(settings);
    }
  };
  return command;
}

}  // namespace gossamer::cli
