#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/edit_distance.h"
#include "cli/commands.h"
#include "store/whole_file.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kManCommand = "man";

struct ManSettings {
  std::string command;
  std::string folder;
};

void declare_man(options::Table& table, ManSettings& settings) {
  table.summary("Print a manual page as troff source: gossamer man crawl | man -l -");
  table.optional_word(options::text(settings.command, "COMMAND"),
                      "print the page of this command instead of the program's");
  table.option("into", options::folder(settings.folder), "write all pages to DIR instead");
}

// Writes every page to its own file.
Result<void> write_pages(const std::string& folder) {
  const options::Program all = program();
  std::vector<std::pair<std::string, std::string>> pages = {{"gossamer", options::man_page(all)}};
  for (const options::CommandEntry& command : all) {
    pages.emplace_back("gossamer-" + command.name, options::man_page(command));
  }
  for (const auto& [name, page] : pages) {
    auto file = store::WholeFile::open(folder + "/" + name + ".1");
    if (!file) return fail(std::move(file).error());
    if (auto written = file->write(page); !written) return written;
  }
  return {};
}

int print_page(const std::string& name) {
  const options::Program all = program();
  if (name.empty()) {
    terminal::standard_output().write(options::man_page(all));
    return kOk;
  }
  // An action is on the page of its group, even under its former name.
  const Command* const meant = find_command({name}).command;
  const std::string_view words = meant == nullptr ? std::string_view() : meant->name;
  const auto found =
      std::ranges::find(all, words.substr(0, words.find(' ')), &options::CommandEntry::name);
  if (found != all.end()) {
    terminal::standard_output().write(options::man_page(*found));
    return kOk;
  }
  std::vector<std::string_view> names;
  for (const options::CommandEntry& command : all) names.push_back(command.name);
  const std::string_view near = base::nearest(name, names);
  const std::string hint = near.empty() ? "" : "; did you mean " + std::string(near) + "?";
  return usage_error(kManCommand, "unknown command '" + name + "'" + hint);
}

int run_man(ManSettings& settings) {
  if (settings.folder.empty()) return print_page(settings.command);
  const auto written = write_pages(settings.folder);
  if (written) return kOk;
  static_cast<void>(usage_error(kManCommand, written.error().message()));
  return kFileFailed;
}

}  // namespace

constinit const Command man_command =
    command_of<declare_man, run_man>(kManCommand, "[COMMAND] [--into DIR]", "print a manual page");

}  // namespace gossamer::cli
