#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "store/whole_file.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kInitCommand = "init";

std::string whole_configuration() {
  std::vector<options::CommandTable> tables;
  for (const Command* command : commands()) {
    if (command->is_configurable) tables.push_back(command->declared(*command));
  }
  return options::commented_configuration(tables);
}

Result<void> write_file(const std::string& path) {
  auto file = store::WholeFile::open(path);
  if (!file) return fail(std::move(file).error());
  return file->write(whole_configuration());
}

struct InitSettings {
  std::string path = "./gossamer.toml";
  bool is_forced = false;
};

void declare_init(options::Table& table, InitSettings& settings) {
  table.summary("Write a configuration file that explains every key and shows its default.");
  table.optional_word(options::file(settings.path), "the file to write; - is standard output");
  table.flag("force", settings.is_forced, "overwrite an existing file");
}

int run_init(InitSettings& settings) {
  const std::string& path = settings.path;
  if (path == "-") {
    terminal::standard_output().write(whole_configuration());
    return kOk;
  }
  std::error_code ignored;
  if (!settings.is_forced &&
      std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return usage_error(kInitCommand, path + " already exists; use --force to overwrite it");
  }
  if (const auto written = write_file(path); !written) {
    static_cast<void>(usage_error(kInitCommand, written.error().message()));
    return kFileFailed;
  }
  terminal::print_err("gossamer init: wrote {}\n", path);
  return kOk;
}

}  // namespace

constinit const Command init_command = command_of<declare_init, run_init>(
    kInitCommand, "[FILE] [--force]", "write a configuration file with every key");

}  // namespace gossamer::cli
