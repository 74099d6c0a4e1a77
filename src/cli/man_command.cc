#include "cli/man_command.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/edit_distance.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/man_page.h"
#include "cli/standard_output.h"
#include "store/whole_file.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kManCommand = "man";

// Every page as a file of its own.
Result<void> write_pages(const std::string& folder) {
  std::vector<std::pair<std::string, std::string>> pages = {{"gossamer", man_page()}};
  for (const Command& command : commands()) {
    pages.emplace_back("gossamer-" + std::string(command.name), man_page(command));
  }
  for (const auto& [name, page] : pages) {
    auto file = store::WholeFile::open(folder + "/" + name + ".1");
    if (!file) return fail(std::move(file).error());
    if (auto written = file->write(page); !written) return written;
  }
  return {};
}

int print_page(const std::string& name) {
  if (name.empty()) {
    standard_output().write(man_page());
    return kOk;
  }
  const auto all = commands();
  const auto found = std::ranges::find(all, std::string_view(name), &Command::name);
  if (found != all.end()) {
    standard_output().write(man_page(*found));
    return kOk;
  }
  std::vector<std::string_view> names;
  for (const Command& command : all) names.push_back(command.name);
  const std::string_view near = base::nearest(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + std::string(near) + "?";
  return usage_error(kManCommand, "there is no command '" + name + "'" + hint);
}

}  // namespace

int run_man_command(const std::vector<std::string>& words) {
  std::string name;
  std::string folder;
  Arguments declared(kManCommand,
                     "Print a manual page as troff source: gossamer man crawl | man -l -");
  declared.positional("COMMAND", name, "whose page; none: that of the program", true);
  declared.option("--into", folder, "DIR", "write all pages there instead");
  if (const auto exit_code = declared.parse(words)) return *exit_code;
  if (folder.empty()) return print_page(name);
  const auto written = write_pages(folder);
  if (written) return kOk;
  static_cast<void>(usage_error(kManCommand, written.error().to_string()));
  return kFileFailed;
}

}  // namespace gossamer::cli
