#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <string_view>
#include <vector>

#include "base/edit_distance.h"
#include "base/version.h"
#include "cli/command.h"
#include "cli/standard_output.h"

namespace gossamer::cli {
namespace {

std::string program_help() {
  std::string text = "Gossamer, a web crawler.\n\nusage: gossamer COMMAND [ARGUMENTS]\n\n";
  for (const Command& command : commands()) {
    const std::string left = fmt::format("{} {}", command.name, command.arguments);
    text += fmt::format("  {:<36} {}\n", left, command.summary);
  }
  return text + "  help [COMMAND], version\n";
}

int unknown_command(std::string_view typed) {
  std::vector<std::string_view> names = {"help", "version"};
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string_view near = base::nearest(typed, names);
  std::string message = "there is no such command";
  if (!near.empty()) message += "; did you mean '" + std::string(near) + "'?";
  return usage_error(typed, message);
}

// `help crawl` is `crawl --help`, `help warc ls` is `warc ls --help`.
int help_about(std::vector<std::string> words) {
  const auto all = commands();
  const auto found = std::ranges::find(all, std::string_view(words.front()), &Command::name);
  if (found == all.end()) return unknown_command(words.front());
  const bool names_action = words.size() > 1;
  if (!found->actions.empty() && !names_action) {
    print_out("usage: gossamer {} {}\n\n{}: {}\nMore: gossamer help {} {}\n", found->name,
              found->arguments, found->name, found->summary, found->name, found->actions);
    return kOk;
  }
  words.erase(words.begin());
  words.emplace_back("--help");
  return found->run(words);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    write_err(program_help());
    return kUsage;
  }
  const std::string& name = arguments.front();
  if (name == "help" && arguments.size() > 1) {
    return help_about({arguments.begin() + 1, arguments.end()});
  }
  if (name == "help" || name == "--help" || name == "-h") {
    standard_output().write(program_help());
    return kOk;
  }
  if (name == "version" || name == "--version") {
    print_out("gossamer {}\n", base::kVersion);
    return kOk;
  }
  const auto all = commands();
  const auto found = std::ranges::find(all, std::string_view(name), &Command::name);
  if (found == all.end()) return unknown_command(name);
  return found->run({arguments.begin() + 1, arguments.end()});
}

// Output that is lost counts for more than whatever else happened.
int run_checked(const std::vector<std::string>& arguments) {
  open_missing_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that left is a failed write
  const int exit_code = run(arguments);
  if (standard_output().flush()) return exit_code;
  const std::string_view command = arguments.empty() ? "help" : std::string_view(arguments.front());
  static_cast<void>(usage_error(command, standard_output().failure()->detail()));
  return kFileFailed;
}

}  // namespace
}  // namespace gossamer::cli

int main(int argc, char** argv) {
  return gossamer::cli::run_checked(std::vector<std::string>(argv + 1, argv + argc));
}
