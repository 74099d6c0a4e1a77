#include "cli/completions_command.h"

#include <array>
#include <string_view>

#include "cli/arguments.h"
#include "cli/choice.h"
#include "cli/command.h"
#include "cli/completion_script.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kCompletionsCommand = "completions";

using Script = std::string (*)();

constexpr std::array<Choice<Script>, 3> kShells = {{
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
}};

}  // namespace

int run_completions_command(const std::vector<std::string>& words) {
  std::string shell;
  Arguments declared(kCompletionsCommand,
                     "Print what a shell reads to complete the words of a command.");
  declared.positional("bash|zsh|fish", shell, "for which shell");
  if (const auto exit_code = declared.parse(words)) return *exit_code;
  Script script = nullptr;
  if (const std::string problem = choose(shell, kShells, script); !problem.empty()) {
    return usage_error(kCompletionsCommand, problem);
  }
  standard_output().write(script());
  return kOk;
}

}  // namespace gossamer::cli
