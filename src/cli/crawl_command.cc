#include "cli/crawl_command.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <utility>

#include "async/loop.h"
#include "base/log.h"
#include "cli/command.h"
#include "cli/crawl_arguments.h"
#include "cli/crawl_job.h"
#include "cli/crawl_report.h"
#include "cli/crawl_session.h"
#include "cli/standard_output.h"
#include "cli/wall_clock.h"

namespace gossamer::cli {
namespace {

// Takes the log while it lives.
class LogFile final : public base::LogSink {
 public:
  explicit LogFile(const std::string& path) : file_(std::fopen(path.c_str(), "ae")) {
    if (file_ != nullptr) base::set_log_sink(this);
  }
  ~LogFile() override {
    if (file_ == nullptr) return;
    base::set_log_sink(nullptr);
    std::fclose(file_);
  }
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  bool is_open() const { return file_ != nullptr; }
  void write(base::LogLevel, std::string_view line) noexcept override {
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  }

 private:
  std::FILE* const file_;
};

base::LogLevel level_of(const CrawlArguments& arguments) {
  if (arguments.verbosity >= 2) return base::LogLevel::trace;
  if (arguments.verbosity == 1) return base::LogLevel::debug;
  return arguments.is_quiet ? base::LogLevel::error : base::LogLevel::info;
}

// Before there are threads: one that does not block them would die of a signal that is meant for
// the crawl.
void block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT}) sigaddset(&signals, signal);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// The limit is for all runs together. False: nothing is left of it.
bool leave_for_this_run(const CrawlJob& job, crawl::Settings& settings) {
  // What is asked for again was counted already.
  if (job.is_refreshing()) settings.pages_max.reset();
  if (!settings.pages_max) return true;
  *settings.pages_max -= std::min(*settings.pages_max, job.pages_before());
  return *settings.pages_max > 0;
}

// What is asked for again is queued by one loop, for all sites.
void use_one_loop(CrawlArguments& arguments) {
  if (arguments.threads == 1) return;
  print_err("gossamer crawl: a refresh runs on one loop\n");
  arguments.crawl.concurrency *= std::exchange(arguments.threads, 1);
}

}  // namespace

int run_crawl_command(const std::vector<std::string>& words) {
  CrawlArguments arguments;
  const auto exit_code = read_crawl_arguments(words, ConfigWorld::of_this_process(), arguments);
  if (exit_code) return *exit_code;
  return run_crawl(std::move(arguments));
}

int run_crawl(CrawlArguments arguments) {
  block_signals();
  std::unique_ptr<CrawlJob> job;
  if (!arguments.job.folder.empty()) {
    auto opened = CrawlJob::open(arguments.job, arguments.crawl, wall_now());
    if (!opened) return job_error("crawl", opened.error());
    job = std::move(*opened);
    if (arguments.log_file.empty()) arguments.log_file = job->folder().log();
    if (job->is_refreshing()) use_one_loop(arguments);
    if (!leave_for_this_run(*job, arguments.crawl)) {
      print_err("gossamer crawl: {} has {} pages already, as many as --limit says\n",
                job->folder().path(), job->pages_before());
      return exit_code_for(job->before());
    }
  }
  std::unique_ptr<LogFile> log;
  if (!arguments.log_file.empty()) {
    log = std::make_unique<LogFile>(arguments.log_file);
    if (!log->is_open()) {
      static_cast<void>(usage_error("crawl", cannot_write(arguments.log_file)));
      return kFileFailed;
    }
  }
  base::set_log_level(level_of(arguments));
  base::set_log_clock(wall_now);
  auto driver = prepare_driver(arguments);
  if (!driver) return usage_error("crawl", driver.error().to_string());
  async::Loop loop(std::move(*driver));
  const auto outcome = loop.run(run_crawl_session(loop, std::move(arguments), {}, job.get()));
  job.reset();  // its threads worked for the loop
  if (outcome) return outcome->exit_code;
  static_cast<void>(usage_error("crawl", outcome.error().to_string()));
  return exit_code_for(outcome.error());
}

}  // namespace gossamer::cli
