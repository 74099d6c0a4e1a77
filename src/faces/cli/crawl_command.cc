#include <fmt/format.h>
#include <signal.h>

#include <memory>
#include <utility>

#include "async/loop.h"
#include "base/log.h"
#include "cli/commands.h"
#include "cli/crawl_arguments.h"
#include "cli/crawl_exit_code.h"
#include "cli/crawl_session.h"
#include "cli/log_file.h"
#include "cli/shared_crawl_arguments.h"
#include "run/crawl.h"
#include "run/job/job_store.h"
#include "run/machine/wall_clock.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

base::LogLevel level_of(const CrawlArguments& arguments) {
  if (arguments.verbosity >= 2) return base::LogLevel::trace;
  if (arguments.verbosity == 1) return base::LogLevel::debug;
  return arguments.is_quiet ? base::LogLevel::error : base::LogLevel::info;
}

// Called before any thread starts: a thread that does not block the signals would end the program
// on a signal for the crawl.
void block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int run_crawl_command(CrawlArguments& arguments, const options::Table& table) {
  if (const auto exit_code = complete_or_explain(table, arguments)) return *exit_code;
  return run_crawl(std::move(arguments));
}

// A node without roots takes the settings of the shared crawl, and then its own.
int run_crawl_words(const Command& command, const std::vector<std::string>& words) {
  options::ConfigWorld world = world_of_this_process();
  options::StoredSettings settings;
  {
    CrawlArguments arguments;
    options::Table table(command.name);
    declare_crawl(table, arguments);
    table.read_configuration(world);
    if (const auto exit_code = stopped(command, table.parse(words))) return *exit_code;
    if (!lacks_shared_settings(arguments)) return run_crawl_command(arguments, table);
    auto fetched = fetch_shared_settings(arguments);
    if (!fetched) return shared_crawl_error(command.name, fetched.error());
    settings = std::move(*fetched);
  }
  world.stored = std::move(settings);
  CrawlArguments arguments;
  const auto exit_code = read_crawl_arguments(words, std::move(world), arguments);
  return exit_code ? *exit_code : run_crawl(std::move(arguments));
}

constexpr Command make_crawl_command() {
  Command command = command_of<declare_crawl, run_crawl_command>(
      "crawl", "URL... [--depth N] [--limit N]", "fetch every page of a site");
  command.run = run_crawl_words;
  command.is_configurable = true;
  return command;
}

}  // namespace

constinit const Command crawl_command = make_crawl_command();

int run_crawl(CrawlArguments arguments) {
  block_signals();
  const std::string_view command = arguments.output.command;
  std::unique_ptr<run::JobStore> job;
  const bool has_own_log = !arguments.log_file.empty();
  if (!arguments.crawl.job.folder.empty()) {
    auto opened = run::JobStore::open(arguments.crawl.job);
    if (!opened) return job_error(command, opened.error());
    job = std::move(*opened);
    if (!has_own_log) arguments.log_file = job->log();
    if (job->refresh() && arguments.crawl.threads > 1) {
      terminal::print_err("gossamer {}: a refresh uses one loop; --threads is ignored\n", command);
    }
    if (!run::fit_to_job(arguments.crawl, *job)) {
      terminal::print_err("gossamer {}: {} already has {} pages, the number that --limit allows\n",
                          command, job->path(), job->before().pages);
      return exit_code_for(job->before());
    }
  }
  if (arguments.log_format != settings::LogFormat::text && arguments.log_file.empty()) {
    return usage_error(command, "--log-format requires --log-file FILE or a crawl directory");
  }
  std::unique_ptr<LogFile> log;
  if (!arguments.log_file.empty()) {
    log = std::make_unique<LogFile>(arguments.log_file, !has_own_log, arguments.log_format);
    if (!log->is_open()) {
      static_cast<void>(usage_error(command, cannot_write(arguments.log_file)));
      return kFileFailed;
    }
  }
  base::set_log_level(level_of(arguments));
  base::set_log_clock(run::wall_now);
  auto driver = prepare_driver(arguments);
  if (!driver) return usage_error(command, driver.error().message());
  async::Loop loop(std::move(*driver));
  const auto outcome = loop.run(run_crawl_session(loop, std::move(arguments), {}, std::move(job)));
  return outcome ? outcome->exit_code : report_failure(command, outcome.error());
}

}  // namespace gossamer::cli
