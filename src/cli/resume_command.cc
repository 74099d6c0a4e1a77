#include <utility>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/crawl_command.h"
#include "cli/job_commands.h"
#include "store/job_folder.h"

namespace gossamer::cli {

// What it was begun with stands in its folder, as a configuration: neither the environment nor
// other files have a say.
int run_resume_command(const std::vector<std::string>& words) {
  constexpr std::string_view kResumeCommand = "resume";
  std::string folder;
  std::vector<std::string> options;
  Arguments arguments(kResumeCommand, "Go on with the crawl of a directory as it was begun.");
  arguments.positional("DIR", folder, "the crawl directory");
  arguments.positionals("OPTION", options, "behind --, for this run: -- --limit 1000 -o more.jsonl",
                        true);
  arguments.footer("Whatever `gossamer crawl` takes may stand behind --.");
  if (const auto exit_code = arguments.parse(words)) return *exit_code;

  const auto job = store::JobFolder::open(folder, store::JobFolder::Access::read);
  if (!job) return job_error(kResumeCommand, job.error());
  std::vector<std::string> crawl_words = {"--job", folder};
  crawl_words.insert(crawl_words.end(), options.begin(), options.end());
  CrawlArguments crawl;
  const ConfigWorld world = {.project_file = job->configuration()};
  if (const auto exit_code = read_crawl_arguments(crawl_words, world, crawl)) return *exit_code;
  return run_crawl(std::move(crawl));
}

}  // namespace gossamer::cli
