#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "options/program.h"

namespace gossamer::options {
namespace {

// A word to complete, and its meaning.
struct NextWord {
  std::string word;
  std::string summary;
};

// The words that may follow a prefix: crawl, check, ... at the beginning; ls, cat, ... after warc.
struct WordGroup {
  std::string prefix;  // "", "warc"
  std::vector<NextWord> next;

  std::string words() const {
    std::string text;
    for (const NextWord& one : next) text += (text.empty() ? "" : " ") + one.word;
    return text;
  }
};

WordGroup& group_of(std::vector<WordGroup>& groups, const std::string& prefix) {
  const auto found = std::ranges::find(groups, prefix, &WordGroup::prefix);
  if (found != groups.end()) return *found;
  return groups.emplace_back(WordGroup{prefix, {}});
}

std::vector<WordGroup> groups_of(const Program& program) {
  std::vector<WordGroup> groups = {{"", {}}};
  for (const CommandEntry& command : program) {
    groups[0].next.push_back({command.name, command.summary});
    for (const CommandTable& table : command.tables) {
      for (std::size_t space = table.name.find(' '); space != std::string::npos;) {
        const std::size_t end = std::min(table.name.find(' ', space + 1), table.name.size());
        std::string word = table.name.substr(space + 1, end - space - 1);
        WordGroup& group = group_of(groups, table.name.substr(0, space));
        if (std::ranges::find(group.next, word, &NextWord::word) == group.next.end()) {
          group.next.push_back(
              {std::move(word), table.summary.substr(0, table.summary.find('\n'))});
        }
        space = end == table.name.size() ? std::string::npos : end;
      }
    }
  }
  groups[0].next.push_back({"help", "list the commands"});
  groups[0].next.push_back({"version", "print the version"});
  return groups;
}

// Returns every table, with the common option --help.
std::vector<CommandTable> tables_of(const Program& program) {
  std::vector<CommandTable> tables;
  for (const CommandEntry& command : program) {
    for (CommandTable table : command.tables) {
      table.options.push_back(
          {.names = {"-h", "--help"}, .help = "show this help", .use = Use::action});
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

// Quotes a text for bash, zsh and fish.
std::string in_quotes(std::string_view text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// fish also treats backslashes inside single quotes as escapes.
std::string in_fish_quotes(std::string_view text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

// elvish doubles a quote.
std::string in_elvish_quotes(std::string_view text) {
  return "'" + replaced(text, "'", "''") + "'";
}

bool takes_files(const CommandTable& table) {
  return std::ranges::any_of(table.options, [](const Option& option) {
    return option.is_word() && (option.kind == Kind::file || option.kind == Kind::folder);
  });
}

// The choices for the command's first word: bash, zsh, ... for completions.
std::vector<std::string> choices_of_words(const CommandTable& table) {
  for (const Option& option : table.options) {
    if (option.is_word()) return option.choices;
  }
  return {};
}

// The arm of a command's case: the values of its options, then the options.
std::string bash_arm(const CommandTable& table) {
  std::string values;
  std::string options;
  for (const Option& option : table.options) {
    if (option.is_word()) continue;
    options += fmt::format(" {}", fmt::join(option.shown_names(), " "));
    if (!option.takes_value()) continue;
    std::string reply = ":";
    if (option.kind == Kind::file) reply = "_gossamer_files -f";
    if (option.kind == Kind::folder) reply = "_gossamer_files -d";
    if (!option.choices.empty()) {
      reply = fmt::format("_gossamer_words '{}'", fmt::join(option.choices, " "));
    }
    values += fmt::format("        {}) {}; return ;;\n", fmt::join(option.names, "|"), reply);
  }
  std::string arm = fmt::format("    {})\n", in_quotes(table.name));
  if (!values.empty()) arm += "      case \"$previous\" in\n" + values + "      esac\n";
  std::string words = takes_files(table) ? "_gossamer_files -f" : ":";
  const std::vector<std::string> choices = choices_of_words(table);
  if (!choices.empty()) words = fmt::format("_gossamer_words '{}'", fmt::join(choices, " "));
  return arm + fmt::format(
                   "      if [[ $current == -* ]]; then _gossamer_words '{}'\n"
                   "      else {}; fi ;;\n",
                   options.substr(1), words);
}

constexpr std::string_view kBashHead = R"(# Completions of gossamer for bash.

_gossamer_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_gossamer_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_gossamer() {
  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"
  local command='' next at=1
  COMPREPLY=()
  # --scope=host comes as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous="${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  while :; do
    case "$command" in
)";

constexpr std::string_view kBashWalk = R"(      *) break ;;
    esac
    if (( COMP_CWORD == at )); then _gossamer_words "$next"; return; fi
    command+="${command:+ }${COMP_WORDS[at++]}"
  done
  case "$command" in
)";

std::string zsh_brackets(std::string_view help) {
  return replaced(replaced(replaced(help, "\\", "\\\\"), "[", "\\["), "]", "\\]");
}

// The action that completes the value, after the second colon of a specification.
std::string zsh_value(const Option& option) {
  std::string message = replaced(replaced(option.placeholder, "\\", "\\\\"), ":", "\\:");
  if (option.kind == Kind::file) return message + ":_files";
  if (option.kind == Kind::folder) return message + ":_files -/";
  // With only a message, zsh would not complete an option in place of a word.
  if (option.choices.empty()) return message + (option.is_word() ? ":_guard \"^-*\" word" : ": ");
  return fmt::format("{}:({})", message, fmt::join(option.choices, " "));
}

std::string zsh_lines(const Option& option) {
  if (option.is_word()) {
    return fmt::format("        {} \\\n",
                       in_quotes((option.takes_many() ? "*:" : ":") + zsh_value(option)));
  }
  std::string lines;
  const bool may_repeat = option.takes_many() || option.use == Use::counted;
  const std::string before = may_repeat ? "*" : fmt::format("({})", fmt::join(option.names, " "));
  for (const std::string& name : option.shown_names()) {
    std::string spec = before + name;
    if (option.takes_value()) spec += name.starts_with("--") ? "=" : "+";
    spec += "[" + zsh_brackets(option.explanation()) + "]";
    if (option.takes_value()) spec += ":" + zsh_value(option);
    lines += fmt::format("        {} \\\n", in_quotes(spec));
  }
  return lines;
}

std::string zsh_group(const WordGroup& group) {
  std::string arm = fmt::format("      {}) next=(\n", in_quotes(group.prefix));
  for (const NextWord& next : group.next) {
    arm += fmt::format("        {}\n",
                       in_quotes(next.word + ":" + replaced(next.summary, ":", "\\:")));
  }
  return arm + "      ) ;;\n";
}

std::string fish_line(const CommandTable& table, const Option& option) {
  std::string line = fmt::format("complete -c gossamer -n '__gossamer_is {}'", table.name);
  for (const std::string& name : option.shown_names()) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.kind == Kind::file || option.kind == Kind::folder) {
    line += " -r -F";
  } else if (option.takes_value()) {
    line += " -x";
  }
  if (!option.choices.empty()) line += fmt::format(" -a '{}'", fmt::join(option.choices, " "));
  return line + " -d " + in_fish_quotes(option.explanation()) + "\n";
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

// A list of the words.
std::string elvish_words(const std::vector<std::string>& words) {
  std::string list = "[";
  for (const std::string& word : words) list += in_elvish_quotes(word) + " ";
  return list + "]";
}

// What completes a value: files, or words.
std::string elvish_value(const Option& option) {
  const bool is_path = option.kind == Kind::file || option.kind == Kind::folder;
  return is_path ? "$files~" : fmt::format("{{|_| all {} }}", elvish_words(option.choices));
}

// The entry of a command: its options, the values of those that have one, and its words.
std::string elvish_entry(const CommandTable& table) {
  std::string options;
  std::string values;
  for (const Option& option : table.options) {
    if (option.is_word()) continue;
    for (const std::string& name : option.shown_names()) {
      options += fmt::format("      [{} {}]\n", name, in_elvish_quotes(option.explanation()));
    }
    for (const std::string& name : option.names) {
      if (option.takes_value()) values += fmt::format(" &{}={}", name, elvish_value(option));
    }
  }
  const std::string words =
      takes_files(table) ? "$files~"
                         : fmt::format("{{|_| all {} }}", elvish_words(choices_of_words(table)));
  return fmt::format("    &{}=[&options=[\n{}    ] &values=[{}] &words={}]\n",
                     in_elvish_quotes(table.name), options, values.empty() ? "&" : values, words);
}

constexpr std::string_view kElvishHead = R"(# Completions of gossamer for elvish.

use str

fn files {|seed| edit:complete-filename $seed }

# A word, shown with its meaning.
fn shown {|pair| edit:complex-candidate $pair[0] &display=$pair[0]'  '$pair[1] }
)";

constexpr std::string_view kElvishTail = R"(
set edit:completion:arg-completer[gossamer] = {|@words|
  var command = ''
  var at = 1
  while (and (has-key $next $command) (< (+ $at 1) (count $words))) {
    if (eq $command '') { set command = $words[$at] } else { set command = $command' '$words[$at] }
    set at = (+ $at 1)
  }
  if (has-key $next $command) {
    each $shown~ $next[$command]
  } elif (has-key $commands $command) {
    var known = $commands[$command]
    if (has-key $known[values] $words[-2]) {
      $known[values][$words[-2]] $words[-1]
    } elif (str:has-prefix $words[-1] -) {
      each $shown~ $known[options]
    } else {
      $known[words] $words[-1]
    }
  }
}
)";

}  // namespace

std::string bash_completion(const Program& program) {
  std::string script(kBashHead);
  for (const WordGroup& group : groups_of(program)) {
    script += fmt::format("      {}) next='{}' ;;\n", in_quotes(group.prefix), group.words());
  }
  script += kBashWalk;
  for (const CommandTable& table : tables_of(program)) script += bash_arm(table);
  return script + "  esac\n}\n\ncomplete -F _gossamer gossamer\n";
}

std::string zsh_completion(const Program& program) {
  std::string script =
      "#compdef gossamer\n"
      "# Completions of gossamer for zsh.\n\n"
      "_gossamer() {\n"
      "  local command=''\n"
      "  local -a next\n"
      "  while true; do\n"
      "    case $command in\n";
  for (const WordGroup& group : groups_of(program)) script += zsh_group(group);
  script +=
      "      *) break ;;\n"
      "    esac\n"
      "    if (( CURRENT == 2 )); then _describe -t commands command next; return; fi\n"
      "    command+=\"${command:+ }$words[2]\"\n"
      "    shift words; (( CURRENT-- ))\n"
      "  done\n"
      "  case $command in\n";
  for (const CommandTable& table : tables_of(program)) {
    script += fmt::format("    {})\n      _arguments -s -S \\\n", in_quotes(table.name));
    for (const Option& option : table.options) script += zsh_lines(option);
    script.erase(script.size() - 3);  // the last line is not continued
    script += " ;;\n";
  }
  // zsh runs the file as the function when it autoloads it; users may also `source` it.
  return script +
         "  esac\n}\n\n"
         "if [[ $funcstack[1] == _gossamer ]]; then _gossamer \"$@\"; "
         "else compdef _gossamer gossamer; fi\n";
}

std::string fish_completion(const Program& program) {
  std::string script(kFishHead);
  for (const WordGroup& group : groups_of(program)) {
    const std::string condition =
        group.prefix.empty()
            ? "__fish_use_subcommand"
            : fmt::format("'__gossamer_is {}; and not __fish_seen_subcommand_from {}'",
                          group.prefix, group.words());
    for (const NextWord& next : group.next) {
      script += fmt::format("complete -c gossamer -n {} -a {} -d {}\n", condition, next.word,
                            in_fish_quotes(next.summary));
    }
  }
  for (const CommandTable& table : tables_of(program)) {
    if (takes_files(table)) {
      script += fmt::format("complete -c gossamer -n '__gossamer_is {}' -F\n", table.name);
    }
    if (const auto choices = choices_of_words(table); !choices.empty()) {
      script += fmt::format("complete -c gossamer -n '__gossamer_is {}' -a '{}'\n", table.name,
                            fmt::join(choices, " "));
    }
    for (const Option& option : table.options) {
      if (!option.is_word()) script += fish_line(table, option);
    }
  }
  return script;
}

std::string elvish_completion(const Program& program) {
  std::string script = fmt::format("{}\nvar next = [\n", kElvishHead);
  for (const WordGroup& group : groups_of(program)) {
    script += fmt::format("    &{}=[\n", in_elvish_quotes(group.prefix));
    for (const NextWord& next : group.next) {
      script += fmt::format("      [{} {}]\n", next.word, in_elvish_quotes(next.summary));
    }
    script += "    ]\n";
  }
  script += "]\n\nvar commands = [\n";
  for (const CommandTable& table : tables_of(program)) script += elvish_entry(table);
  return script + "]\n" + std::string(kElvishTail);
}

}  // namespace gossamer::options
