#include <array>
#include <string>

#include "cli/commands.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

using Script = std::string (*)(const options::Program& program);

constexpr std::array<options::Choice<Script>, 4> kShells = {{
    {"bash", options::bash_completion},
    {"zsh", options::zsh_completion},
    {"fish", options::fish_completion},
    {"elvish", options::elvish_completion},
}};

struct CompletionsSettings {
  Script script = nullptr;
};

void declare_completions(options::Table& table, CompletionsSettings& settings) {
  table.summary("Print a completion script for a shell.");
  table.word(options::choice(kShells, settings.script), "the shell");
}

int run_completions(CompletionsSettings& settings) {
  terminal::standard_output().write(settings.script(program()));
  return kOk;
}

}  // namespace

constinit const Command completions_command = command_of<declare_completions, run_completions>(
    "completions", "bash|zsh|fish|elvish", "print a completion script");

}  // namespace gossamer::cli
