#include "cli/init_command.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/config_text.h"
#include "cli/declared_commands.h"
#include "cli/standard_output.h"
#include "store/whole_file.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kInitCommand = "init";

std::string whole_configuration() {
  std::vector<DeclaredCommand> tables;
  for (const Command& command : commands()) {
    for (DeclaredCommand& table : declarations_of(command)) {
      if (table.is_configurable) tables.push_back(std::move(table));
    }
  }
  return commented_configuration(tables);
}

Result<void> write_file(const std::string& path) {
  auto file = store::WholeFile::open(path);
  if (!file) return fail(std::move(file).error());
  return file->write(whole_configuration());
}

}  // namespace

int run_init_command(const std::vector<std::string>& words) {
  std::string path = "./gossamer.toml";
  bool is_forced = false;
  Arguments declared(kInitCommand,
                     "Write a configuration file with every key, its default and what it means.");
  declared.positional("FILE", path, "to write; - is standard output [./gossamer.toml]", true);
  declared.flag("--force", is_forced, "even if it is there already");
  if (const auto exit_code = declared.parse(words)) return *exit_code;
  if (path == "-") {
    standard_output().write(whole_configuration());
    return kOk;
  }
  std::error_code ignored;
  if (!is_forced && std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) {
    return usage_error(kInitCommand, path + " is there already; --force writes it anew");
  }
  if (const auto written = write_file(path); !written) {
    static_cast<void>(usage_error(kInitCommand, written.error().to_string()));
    return kFileFailed;
  }
  print_err("gossamer init: wrote {}\n", path);
  return kOk;
}

}  // namespace gossamer::cli
