#include "cli/warc_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "cli/command.h"
#include "cli/standard_output.h"
#include "cli/warc_actions.h"

namespace gossamer::cli {
namespace {

struct WarcAction {
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  int (*run)(const std::vector<std::string>& words);
};

constexpr WarcAction kActions[] = {
    {"ls", "FILE... [--json]", "list the records", run_warc_list},
    {"cat", "FILE [--offset N | --url URL]", "print a record, or its payload", run_warc_cat},
    {"check", "FILE...", "verify structure and digests", run_warc_check},
    {"index", "FILE... [-o FILE]", "write a sorted CDXJ index", run_warc_index},
    {"extract", "FILE... -o DIR", "write the payloads to files", run_warc_extract},
};

int print_help() {
  print_out("gossamer warc - Look into archives: WARC, ARC, WACZ.\n\n");
  for (const WarcAction& action : kActions) {
    print_out("  warc {:<40}{}\n", fmt::format("{} {}", action.name, action.arguments),
              action.summary);
  }
  print_out("\n`gossamer warc ls --help` and so on say more.\n");
  return kOk;
}

}  // namespace

int run_warc_command(const std::vector<std::string>& words) {
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) return print_help();
  for (const WarcAction& action : kActions) {
    if (!words.empty() && words[0] == action.name)
      return action.run({words.begin() + 1, words.end()});
  }
  return usage_error("warc", "say what to do: ls, cat, check, index or extract");
}

}  // namespace gossamer::cli
