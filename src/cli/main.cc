#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/version.h"

namespace gossamer::cli {
namespace {

void print_help(std::FILE* out) {
  std::fputs("Gossamer, a web crawler.\n\nusage: gossamer COMMAND [ARGUMENTS]\n\n", out);
  for (const Command& command : commands()) {
    const std::string left = std::string(command.name) + " " + std::string(command.arguments);
    std::fprintf(out, "  %-36s %s\n", left.c_str(), std::string(command.summary).c_str());
  }
  std::fputs("  help [COMMAND], version\n", out);
}

int unknown_command(std::string_view typed) {
  std::vector<std::string_view> names = {"help", "version"};
  for (const Command& command : commands()) names.push_back(command.name);
  const std::string_view near = nearest(typed, names);
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
    std::printf("usage: gossamer %s %s\n\n%s: %s\nMore: gossamer help %s %s\n",
                std::string(found->name).c_str(), std::string(found->arguments).c_str(),
                std::string(found->name).c_str(), std::string(found->summary).c_str(),
                std::string(found->name).c_str(), std::string(found->actions).c_str());
    return kOk;
  }
  words.erase(words.begin());
  words.emplace_back("--help");
  return found->run(words);
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    print_help(stderr);
    return kUsage;
  }
  const std::string& name = arguments.front();
  if (name == "help" && arguments.size() > 1) {
    return help_about({arguments.begin() + 1, arguments.end()});
  }
  if (name == "help" || name == "--help" || name == "-h") {
    print_help(stdout);
    return kOk;
  }
  if (name == "version" || name == "--version") {
    std::printf("gossamer %s\n", kVersion);
    return kOk;
  }
  const auto all = commands();
  const auto found = std::ranges::find(all, std::string_view(name), &Command::name);
  if (found == all.end()) return unknown_command(name);
  return found->run({arguments.begin() + 1, arguments.end()});
}

}  // namespace
}  // namespace gossamer::cli

int main(int argc, char** argv) {
  return gossamer::cli::run(std::vector<std::string>(argv + 1, argv + argc));
}
