#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "options/config_file.h"
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
  kDamaged = 19,  // a crawl directory
};

// Return the exit code for a failure, and for the status of a response.
int exit_code_for(const Error& error);
int exit_code_for_status(int status);
// "cannot read FILE: REASON", by errno. Call it right after the failure.
std::string cannot_write(std::string_view file);
using options::cannot_read;
// Returns the code that wins if both happened: the lower one, except that 0 and 1 lose.
int worse(int one, int other);

struct Command;
using CommandList = std::span<const Command* const>;

// A command of the program: its name, what declares its options, and what runs it. It is made by
// command_of(), or is a group, which has nothing but `actions`.
struct Command {
  std::string_view name;       // all its words: "warc ls"
  std::string_view arguments;  // as the list of commands shows them
  std::string_view summary;
  // Returns its table without running it.
  options::CommandTable (*declared)(const Command& command) = nullptr;
  // Parses the words after the name and runs the command. Returns the exit code.
  int (*run)(const Command& command, const std::vector<std::string>& words) = nullptr;
  CommandList actions = {};  // one of them follows the name; empty: it is not a group
  // Also reads configuration files and the environment.
  bool is_configurable = false;
  // The exit codes for a wrong command line and a wrong configuration.
  int usage_code = kUsage;
  int configuration_code = kUsage;

  std::string_view last_word() const { return name.substr(name.rfind(' ') + 1); }
};

// All commands, in the order of the help.
CommandList commands();
// Finds the command or group that the first words name; nullptr if there is none. Former names
// still work: "links" is "inspect links".
struct FoundCommand {
  const Command* command = nullptr;
  std::vector<std::string> words = {};  // after its name
};
FoundCommand find_command(std::vector<std::string> words);
// Runs a command, or the action that the first word names in a group.
int run_command(const Command& command, const std::vector<std::string>& words);
// Returns the table of a command, or those of all actions of a group.
std::vector<options::CommandTable> tables_of(const Command& command);
// The source of completions and manual pages.
options::Program program();
// Where configurable commands read settings that the command line omits.
options::ConfigWorld world_of_this_process();

// Prints the help or the error that ends the command, and returns the exit code.
std::optional<int> stopped(const Command& command, const std::optional<options::Table::Stop>& stop);

// Prints "gossamer COMMAND: MESSAGE" on stderr; the command may be empty. Returns kUsage, for
// `return usage_error(...)`.
int usage_error(std::string_view command, std::string_view message);
// The same for a crawl directory that cannot be opened or read. Returns kDamaged if it is damaged,
// kFileFailed if the system denied it, else kUsage.
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
