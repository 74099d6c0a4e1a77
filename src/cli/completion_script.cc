#include "cli/completion_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/declared_commands.h"

namespace gossamer::cli {
namespace {

// Every command with its actions' tables. --help is CLI11's, but as good as the others.
std::vector<DeclaredCommand> all_tables() {
  std::vector<DeclaredCommand> tables;
  for (const Command& command : commands()) {
    for (DeclaredCommand& table : declarations_of(command)) {
      table.options.push_back(
          {.names = {"-h", "--help"}, .help = "this text", .kind = OptionKind::action});
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(what)) {
      out += with;
      at += what.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

// Between single quotes, as all three shells read it.
std::string in_quotes(std::string_view text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// fish alone takes a backslash within single quotes for one.
std::string in_fish_quotes(std::string_view text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

bool takes_files(const DeclaredCommand& table) {
  return std::ranges::any_of(table.options, [](const DeclaredOption& option) {
    return option.is_word() && option.takes_file();
  });
}

// The words among which the command's first word is one: bash, zsh and fish of completions.
std::vector<std::string> choices_of_words(const DeclaredCommand& table) {
  for (const DeclaredOption& option : table.options) {
    if (option.is_word()) return option.choices();
  }
  return {};
}

std::string command_names() {
  std::string names;
  for (const Command& command : commands()) names += std::string(command.name) + " ";
  return names + "help version";
}

// The arm of a command's case: what its options' values are, and which options there are.
std::string bash_arm(const DeclaredCommand& table) {
  std::string values;
  std::string options;
  for (const DeclaredOption& option : table.options) {
    if (option.is_word()) continue;
    options += fmt::format(" {}", fmt::join(option.names, " "));
    if (!option.takes_value()) continue;
    std::string reply = "return";
    if (option.takes_file()) reply = "_gossamer_files -f";
    if (option.takes_folder()) reply = "_gossamer_files -d";
    const std::vector<std::string> choices = option.choices();
    if (!choices.empty()) reply = fmt::format("_gossamer_words '{}'", fmt::join(choices, " "));
    values += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"),
                          reply == "return" ? ":" : reply);
  }
  std::string arm = fmt::format("    {})\n", in_quotes(table.name));
  if (!values.empty()) arm += "      case \"$previous\" in\n" + values + "      esac\n";
  arm +=
      fmt::format("      if [[ $current == -* ]]; then _gossamer_words '{}'\n", options.substr(1));
  std::string words = takes_files(table) ? "_gossamer_files -f" : ":";
  const std::vector<std::string> choices = choices_of_words(table);
  if (!choices.empty()) words = fmt::format("_gossamer_words '{}'", fmt::join(choices, " "));
  arm += fmt::format("      else {}; fi ;;\n", words);
  return arm;
}

constexpr std::string_view kBashHead = R"(# Completions of gossamer for bash.

_gossamer_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_gossamer_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_gossamer() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"
  local command="${COMP_WORDS[1]}"
  COMPREPLY=()
  # --scope=host comes as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
)";

std::string zsh_brackets(std::string_view help) {
  return replaced(replaced(replaced(help, "\\", "\\\\"), "[", "\\["), "]", "\\]");
}

// What completes the value, behind the second colon of a specification.
std::string zsh_value(const DeclaredOption& option) {
  std::string message = replaced(replaced(option.placeholder, "\\", "\\\\"), ":", "\\:");
  if (option.takes_file()) return message + ":_files";
  if (option.takes_folder()) return message + ":_files -/";
  const std::vector<std::string> choices = option.choices();
  // A message alone would keep zsh from completing an option at the place of a word.
  if (choices.empty()) return message + (option.is_word() ? ":_guard \"^-*\" word" : ": ");
  return fmt::format("{}:({})", message, fmt::join(choices, " "));
}

std::string zsh_lines(const DeclaredOption& option) {
  if (option.is_word()) {
    return fmt::format("        {} \\\n",
                       in_quotes((option.takes_many() ? "*:" : ":") + zsh_value(option)));
  }
  std::string lines;
  const bool may_repeat = option.takes_many() || option.kind == OptionKind::counted;
  const std::string before = may_repeat ? "*" : fmt::format("({})", fmt::join(option.names, " "));
  for (const std::string& name : option.names) {
    std::string spec = before + name;
    if (option.takes_value()) spec += name.starts_with("--") ? "=" : "+";
    spec += "[" + zsh_brackets(option.help) + "]";
    if (option.takes_value()) spec += ":" + zsh_value(option);
    lines += fmt::format("        {} \\\n", in_quotes(spec));
  }
  return lines;
}

std::string fish_line(const DeclaredCommand& table, const DeclaredOption& option) {
  std::string line = fmt::format("complete -c gossamer -n '__gossamer_is {}'", table.name);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.takes_file() || option.takes_folder()) {
    line += " -r -F";
  } else if (option.takes_value()) {
    line += " -x";
  }
  const std::vector<std::string> choices = option.choices();
  if (!choices.empty()) line += fmt::format(" -a '{}'", fmt::join(choices, " "));
  return line + " -d " + in_fish_quotes(option.help) + "\n";
}

constexpr std::string_view kFishHead = R"(# Completions of gossamer for fish.

# The words so far begin with these.
function __gossamer_is
    set -l words (commandline -opc)
    set -e words[1]
    set -l length (count $argv)
    test "$words[1..$length]" = "$argv"
end

complete -c gossamer -f
)";

}  // namespace

std::string bash_completion() {
  std::string script(kBashHead);
  script += fmt::format("  if (( COMP_CWORD == 1 )); then _gossamer_words '{}'; return; fi\n",
                        command_names());
  script += "  case \"$command\" in\n";
  for (const Command& command : commands()) {
    const std::vector<std::string> actions = actions_of(command);
    if (actions.empty()) continue;
    script += fmt::format(
        "    {})\n"
        "      if (( COMP_CWORD == 2 )); then _gossamer_words '{}'; return; fi\n"
        "      command+=\" ${{COMP_WORDS[2]}}\" ;;\n",
        command.name, fmt::join(actions, " "));
  }
  script += "  esac\n  case \"$command\" in\n";
  for (const DeclaredCommand& table : all_tables()) script += bash_arm(table);
  return script + "  esac\n}\n\ncomplete -F _gossamer gossamer\n";
}

std::string zsh_completion() {
  std::string script =
      "#compdef gossamer\n"
      "# Completions of gossamer for zsh.\n\n"
      "_gossamer() {\n  local -a commands=(\n";
  for (const Command& command : commands()) {
    script += fmt::format("    {}\n", in_quotes(std::string(command.name) + ":" +
                                                replaced(command.summary, ":", "\\:")));
  }
  script +=
      "    'help:list the commands'\n"
      "    'version:say which version this is'\n  )\n"
      "  if (( CURRENT == 2 )); then _describe -t commands command commands; return; fi\n"
      "  local command=$words[2]\n"
      "  shift words; (( CURRENT-- ))\n"
      "  case $command in\n";
  for (const Command& command : commands()) {
    const std::vector<std::string> actions = actions_of(command);
    if (actions.empty()) continue;
    script += fmt::format(
        "    {})\n"
        "      if (( CURRENT == 2 )); then compadd {}; return; fi\n"
        "      command+=\" $words[2]\"; shift words; (( CURRENT-- )) ;;\n",
        command.name, fmt::join(actions, " "));
  }
  script += "  esac\n  case $command in\n";
  for (const DeclaredCommand& table : all_tables()) {
    script += fmt::format("    {})\n      _arguments -s -S \\\n", in_quotes(table.name));
    for (const DeclaredOption& option : table.options) script += zsh_lines(option);
    script.erase(script.size() - 3);  // the last line goes on nowhere
    script += " ;;\n";
  }
  // zsh runs the file as the function when it finds it by itself; others may `source` it.
  return script +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _gossamer ]]; then _gossamer \"$@\"; "
         "else compdef _gossamer gossamer; fi\n";
}

std::string fish_completion() {
  std::string script(kFishHead);
  for (const Command& command : commands()) {
    script += fmt::format("complete -c gossamer -n __fish_use_subcommand -a {} -d {}\n",
                          command.name, in_fish_quotes(command.summary));
    const std::vector<std::string> actions = actions_of(command);
    if (actions.empty()) continue;
    script += fmt::format(
        "complete -c gossamer -n '__gossamer_is {0}; and not __fish_seen_subcommand_from {1}'"
        " -a '{1}'\n",
        command.name, fmt::join(actions, " "));
  }
  for (const DeclaredCommand& table : all_tables()) {
    if (takes_files(table)) {
      script += fmt::format("complete -c gossamer -n '__gossamer_is {}' -F\n", table.name);
    }
    if (const auto choices = choices_of_words(table); !choices.empty()) {
      script += fmt::format("complete -c gossamer -n '__gossamer_is {}' -a '{}'\n", table.name,
                            fmt::join(choices, " "));
    }
    for (const DeclaredOption& option : table.options) {
      if (!option.is_word()) script += fish_line(table, option);
    }
  }
  return script;
}

}  // namespace gossamer::cli
