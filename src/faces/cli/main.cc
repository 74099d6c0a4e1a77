#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/edit_distance.h"
#include "base/escape.h"
#include "base/version.h"
#include "cli/command.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

std::string program_help() {
  std::string text = "Gossamer, a web crawler.\n\nUsage: gossamer COMMAND [ARGUMENTS]\n\n";
  for (const Command* command : commands()) {
    const std::string left = fmt::format("{} {}", command->name, command->arguments);
    text += fmt::format("  {:<40} {}\n", left, command->summary);
  }
  return text + "  help [COMMAND], version\n";
}

int unknown_command(std::string_view typed) {
  std::vector<std::string_view> names = {"help", "version"};
  for (const Command* command : commands()) names.push_back(command->name);
  const std::string_view near = base::nearest(typed, names);
  if (typed.contains("://")) {
    const auto url = base::escape_for_terminal(typed);
    return usage_error("",
                       fmt::format("a command is missing before {0}; use `gossamer crawl {0}` to "
                                   "list its pages, `gossamer mirror {0}` to save them",
                                   url));
  }
  if (typed.starts_with('-')) {
    return usage_error("", fmt::format("a command comes before {}: gossamer crawl URL", typed));
  }
  const std::string hint =
      near.empty() ? "`gossamer help` lists all commands" : fmt::format("did you mean '{}'?", near);
  return usage_error("", fmt::format("unknown command '{}'; {}", typed, hint));
}

int run(std::vector<std::string> words) {
  if (words.empty()) {
    terminal::write_err(program_help());
    return kUsage;
  }
  const bool is_for_help = words[0] == "help" || words[0] == "--help" || words[0] == "-h";
  if (is_for_help && (words.size() == 1 || words[1] == "help")) {
    terminal::standard_output().write(program_help());
    return kOk;
  }
  if (words[0] == "version" || words[0] == "--version") {
    terminal::print_out("gossamer {}\n", base::kVersion);
    return kOk;
  }
  // `help crawl` is `crawl --help`, `help warc ls` is `warc ls --help`.
  if (is_for_help) {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  const FoundCommand found = find_command(words);
  if (found.command == nullptr) return unknown_command(words[0]);
  return run_command(*found.command, found.words);
}

// Memory and threads can run out anywhere. Whatever is lost by that is what a kill loses, so the
// program says why and ends.
[[noreturn]] void end_without_resources() {
  std::string_view reason;
  try {
    if (const auto failure = std::current_exception()) std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    reason = "gossamer: not enough memory\n";
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) {
      reason =
          "gossamer: cannot start a thread; are memory or processes limited (ulimit -v, -u)?\n";
    }
  } catch (...) {
    reason = {};
  }
  if (reason.empty()) std::abort();
  static_cast<void>(!write(STDERR_FILENO, reason.data(), reason.size()));
  _exit(kFailed);
}

// Lost output decides the exit code, whatever the command returned.
int run_checked(const std::vector<std::string>& arguments) {
  terminal::open_missing_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that must not grow
  std::set_terminate(end_without_resources);
  const int exit_code = run(arguments);
  if (terminal::standard_output().flush()) return exit_code;
  const std::string_view command = arguments.empty() ? "help" : std::string_view(arguments.front());
  static_cast<void>(usage_error(command, terminal::standard_output().failure()->detail()));
  return kFileFailed;
}

}  // namespace
}  // namespace gossamer::cli

int main(int argc, char** argv) {
  return gossamer::cli::run_checked(std::vector<std::string>(argv + 1, argv + argc));
}
