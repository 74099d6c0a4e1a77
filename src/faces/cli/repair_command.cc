#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/escape.h"
#include "base/figures.h"
#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "settings/job_arguments.h"
#include "store/job_folder.h"
#include "store/job_repair.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kRepairCommand = "job repair";

struct RepairSettings {
  std::string folder;
};

void declare_repair(options::Table& table, RepairSettings& settings) {
  table.summary(
      "Repair a crawl directory whose tables or settings are damaged, with the help of its "
      "archive.");
  table.word(options::folder(settings.folder), "the crawl directory");
}

// What the crawl counts as one page, and its roots, as far as the settings can be read.
store::RepairOptions options_of(const std::string& folder) {
  const auto job = store::JobFolder::open(folder, store::JobFolder::Access::read);
  if (!job) return {};
  auto stored = settings::stored_settings_of(*job);
  if (!stored) return {};
  stored->doubt.clear();  // the two settings that are used do nothing by themselves
  CrawlArguments crawl;
  options::Table table(kRepairCommand);
  declare_crawl(table, crawl);
  table.read_configuration({.project_file = {},
                            .stored = std::move(*stored),
                            .other_tables = world_of_this_process().other_tables});
  if (table.parse({"--job", folder})) return {};
  return {.identity = crawl.crawl.identity, .roots = std::move(crawl.crawl.roots)};
}

int run_repair(RepairSettings& settings) {
  const auto done = store::repair_job(settings.folder, options_of(settings.folder));
  if (!done) return job_error(kRepairCommand, done.error());
  const std::string folder = base::escape_for_terminal(settings.folder);
  for (const std::string& damage : done->damage) {
    terminal::print_out("{}\n", base::escape_for_terminal(damage));
  }
  if (done->damage.empty()) {
    terminal::print_out("{}: {}, nothing is damaged\n", folder, base::counted(done->pages, "page"));
    return kOk;
  }
  terminal::print_out("{}: repaired, {}, of these {} from the archive\n", folder,
                      base::counted(done->pages, "page"), base::grouped(done->rebuilt));
  if (done->was_configuration_restored) {
    terminal::print_out("The settings were restored; the damaged ones are in job.toml.damaged.\n");
  }
  if (!done->has_settings) {
    terminal::print_out("The settings are lost. Export the pages and start a new crawl.\n");
  } else if (done->is_incomplete) {
    terminal::print_out(
        "Pages that were not archived and URLs that were queued may be missing; `gossamer resume "
        "{}` starts at the roots again and fetches them.\n",
        folder);
  }
  return done->is_incomplete || !done->has_settings ? kFailed : kOk;
}

}  // namespace

constinit const Command repair_command =
    command_of<declare_repair, run_repair>(kRepairCommand, "DIR", "repair a damaged directory");

}  // namespace gossamer::cli
