#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "settings/job_arguments.h"
#include "store/job_folder.h"

namespace gossamer::cli {
namespace {

constexpr std::string_view kResumeCommand = "resume";

struct ResumeSettings {
  std::string folder;
  bool trusts = false;
  std::vector<std::string> options;
};

void declare_resume(options::Table& table, ResumeSettings& settings) {
  table.summary("Resume the crawl in a directory with its stored settings.");
  table.word(options::folder(settings.folder), "the crawl directory");
  table.flag("trust", settings.trusts,
             "accept settings that can use your files, secrets or network");
  table.rest(options::texts(settings.options, "OPTION"), "options of `gossamer crawl`");
  table.footer("Example: gossamer resume DIR -- --limit 1000 -o more.jsonl");
}

// The settings come from the folder. Other configuration files are read only if an option names
// them; the environment is not read.
int run_resume(ResumeSettings& settings) {
  const auto job = store::JobFolder::open(settings.folder, store::JobFolder::Access::read);
  if (!job) return job_error(kResumeCommand, job.error());
  if (const auto checked = job->check(); !checked) {
    return job_error(kResumeCommand, checked.error());
  }
  auto stored = settings::stored_settings_of(*job);
  if (!stored) return job_error(kResumeCommand, stored.error());
  std::vector<std::string> words = {"--job", settings.folder};
  if (settings.trusts) words.emplace_back("--trust");
  words.insert(words.end(), settings.options.begin(), settings.options.end());
  CrawlArguments crawl;
  crawl.output.command = kResumeCommand;
  options::ConfigWorld world = {.project_file = {},
                                .stored = std::move(*stored),
                                .other_tables = world_of_this_process().other_tables};
  if (const auto exit_code = read_crawl_arguments(words, std::move(world), crawl)) {
    return *exit_code;
  }
  return run_crawl(std::move(crawl));
}

}  // namespace

constinit const Command resume_command = command_of<declare_resume, run_resume>(
    kResumeCommand, "DIR [-- OPTION...]", "resume the crawl in a directory");

}  // namespace gossamer::cli
