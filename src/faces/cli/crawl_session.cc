#include "cli/crawl_session.h"

#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "async/scope.h"
#include "async/signals.h"
#include "base/escape.h"
#include "base/figures.h"
#include "cli/command.h"
#include "cli/crawl_exit_code.h"
#include "cli/crawl_output.h"
#include "display/progress_display.h"
#include "options/setting_names.h"
#include "report/summary.h"
#include "run/crawl.h"
#include "run/crawl_driver.h"
#include "terminal/standard_output.h"

namespace gossamer::cli {
namespace {

// After a second signal, results may be written for this long.
constexpr Duration kLastWords = 500ms;

// Runs a crawl and shows it on a terminal: progress, signals, summary.
class CrawlSession final : public run::CrawlListener {
 public:
  // BORROWS: the loop.
  CrawlSession(async::Loop& loop, CrawlArguments arguments, RecordObserver observer,
               std::unique_ptr<run::JobStore> job)
      : loop_(loop),
        output_options_(std::move(arguments.output)),
        has_log_file_(!arguments.log_file.empty()),
        observer_(std::move(observer)),
        crawl_(std::move(arguments.crawl), std::move(job)) {}

  // BORROWS: the session.
  async::Task<run::Outcome<CrawlOutcome>> run();

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings& settings) override;
  crawler::Hooks wrap(crawler::Hooks hooks) override { return output_->watched(std::move(hooks)); }
  void begin(const run::CrawlStart& start) override;
  void say(const std::string& text) override;
  void stopping(bool is_second) override;
  async::Task<Result<void>> close_sink() override;

 private:
  void print_tasks(const std::string& text);
  void show_progress();
  CrawlOutcome conclude(const run::CrawlEnd& end);
  // Says why nothing could be fetched, or prints the summary unless it is off.
  void tell_end(const run::CrawlEnd& end, crawler::EndReason reason);
  // Writes the reports of --report and the answers of --why.
  void tell_findings(const run::CrawlEnd& end, CrawlOutcome& outcome);

  async::Loop& loop_;
  const CrawlOutputOptions output_options_;
  const bool has_log_file_;
  RecordObserver observer_;
  run::Crawl crawl_;
  std::unique_ptr<CrawlOutput> output_;                // nullptr: not opened yet
  std::unique_ptr<display::ProgressDisplay> display_;  // nullptr: progress is off
  async::Scope displays_{async::OnFailure::keep_going};
  async::Scope writers_{async::OnFailure::keep_going};
  async::TimerHandle last_words_;
  bool is_cut_ = false;  // results were dropped because the reader does not read
};

// The crawl directory is damaged: tables, or records that others refer to.
bool is_about_damage(const std::optional<run::Failure>& failure) {
  return failure && failure->part != run::Part::cookies && failure->error == Errc::malformed;
}

Result<crawler::PageSink*> CrawlSession::open_sink(const run::CrawlSettings& settings) {
  auto output = CrawlOutput::open(output_options_, settings, std::move(observer_));
  if (!output) return fail(std::move(output).error());
  output_ = std::move(*output);
  return output_.get();
}

void CrawlSession::begin(const run::CrawlStart& start) {
  for (const std::string& damage : start.damage) say(damage);
  if (start.is_resumed && output_options_.has_report) {
    // The queues of the other loops are not known yet.
    const bool is_all = crawl_.loops() == 1;
    std::string text = fmt::format("resuming {}: {} done, {}{} queued", crawl_.job()->path(),
                                   base::counted(start.done, "URL"), is_all ? "" : "at least ",
                                   base::grouped(start.queued));
    const bool is_finished = is_all && start.queued == 0 && start.done > 0;
    if (is_finished) {
      text = fmt::format("{} is finished: {} done; add --refresh to fetch the pages again",
                         crawl_.job()->path(), base::counted(start.done, "URL"));
    }
    if (start.retried > 0) {
      text += fmt::format(", {} of them failures to retry", base::grouped(start.retried));
    }
    say(text);
  }
  output_->start(writers_, [this] { crawl_.stop_because(crawler::EndReason::sink_failed); });
  show_progress();
}

void CrawlSession::show_progress() {
  if (!output_options_.has_progress) return;
  display_ = std::make_unique<display::ProgressDisplay>(output_options_.command,
                                                        [this] { return crawl_.progress(); });
  if (!has_log_file_) display_->take_log();
  output_->stand_beside(*display_);
  displays_.spawn(display_->run());
}

void CrawlSession::say(const std::string& text) {
  if (display_) display_->hide();
  terminal::print_err("gossamer {}: {}\n", output_options_.command,
                      base::escape_for_terminal(text));
  if (display_) display_->show();
}

void CrawlSession::stopping(bool is_second) {
  if (!is_second) {
    if (output_options_.has_report) {
      say("finishing the requests in flight; interrupt again to stop now");
    }
    return;
  }
  last_words_ = loop_.call_later(kLastWords, [this] {
    is_cut_ = true;
    writers_.cancel();
  });
}

void CrawlSession::print_tasks(const std::string& text) {
  if (display_) display_->hide();
  terminal::write_err(text);
  std::fflush(stderr);
  if (display_) display_->show();
}

async::Task<Result<void>> CrawlSession::close_sink() {
  displays_.cancel();
  static_cast<void>(co_await displays_.join());
  if (display_) display_->hide();  // for good
  auto written = co_await output_->finish();
  static_cast<void>(co_await writers_.join());
  co_return written;
}

async::Task<run::Outcome<CrawlOutcome>> CrawlSession::run() {
  using run::Part;
  auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM}, [this](int) { crawl_.stop(); });
  if (!signals) co_return run::fail_in(Part::network, std::move(signals).error());
  auto dump = async::SignalWatch::make(loop_, {SIGQUIT}, [this](int) {
    crawl_.dump([this](const std::string& text) { print_tasks(text); });
  });
  if (!dump) co_return run::fail_in(Part::network, std::move(dump).error());
  auto end = co_await crawl_.run(*this);
  if (!end) co_return std::unexpected(std::move(end).error());
  co_return conclude(*end);
}

void CrawlSession::tell_end(const run::CrawlEnd& end, crawler::EndReason reason) {
  // If nothing could be fetched, the reasons help and the counts do not.
  const bool has_nothing =
      (reason == crawler::EndReason::finished || reason == crawler::EndReason::incomplete) &&
      end.statistics.answered == 0;
  const std::string troubles =
      has_nothing ? output_->troubles().text(output_options_.command) : std::string();
  if (!troubles.empty()) {
    terminal::print_err("{}", options::as_flags(troubles));
  } else if (output_options_.has_report) {
    terminal::print_err("{}", options::as_flags(report::summary(end.statistics, reason, end.took)));
    if (crawl_.job() != nullptr && reason == crawler::EndReason::incomplete) {
      say(fmt::format("`gossamer resume {}` fetches the rest", crawl_.job()->path()));
    }
  }
}

CrawlOutcome CrawlSession::conclude(const run::CrawlEnd& end) {
  CrawlOutcome outcome = {.end = is_cut_ ? crawler::EndReason::aborted : end.reason};
  // The exit code of a job covers all its runs.
  int records = output_->worst();
  if (end.statistics_of_job) records = worse(records, exit_code_for(*end.statistics_of_job));
  const auto& statistics = end.statistics_of_job ? *end.statistics_of_job : end.statistics;
  records = worse(records, exit_code_for_guesses(statistics));
  outcome.exit_code = exit_code_for(outcome.end, records);
  const bool is_about_cookies = end.failure && end.failure->part == run::Part::cookies;
  if (end.failure && !is_about_cookies) {
    static_cast<void>(usage_error(output_options_.command, end.failure->error.message()));
  }
  tell_end(end, outcome.end);
  tell_findings(end, outcome);
  if (is_about_damage(end.failure)) outcome.exit_code = kDamaged;
  if (is_about_cookies) outcome.exit_code = report_failure(output_options_.command, *end.failure);
  return outcome;
}

void CrawlSession::tell_findings(const run::CrawlEnd& end, CrawlOutcome& outcome) {
  exports::CrawlFindings* const findings = output_->findings();
  if (findings == nullptr) return;
  terminal::print_err("{}", findings->answers());
  auto written = findings->write_reports(outcome.end, end.took, end.statistics);
  if (written) return;
  static_cast<void>(usage_error(output_options_.command, written.error().message()));
  outcome.exit_code = kFileFailed;
}

}  // namespace

async::Task<run::Outcome<CrawlOutcome>> run_crawl_session(async::Loop& loop,
                                                          CrawlArguments arguments,
                                                          RecordObserver observer,
                                                          std::unique_ptr<run::JobStore> job) {
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write
  CrawlSession session(loop, std::move(arguments), std::move(observer), std::move(job));
  co_return co_await session.run();
}

int report_failure(std::string_view command, const run::Failure& failure) {
  const Error& error = failure.error;
  const int code = exit_code_for(error);
  if (failure.part != run::Part::login) {
    static_cast<void>(usage_error(command, error.message()));
    if (failure.part == run::Part::job && error == Errc::malformed) return kDamaged;
    const bool is_password = failure.part == run::Part::cluster && error == Errc::denied;
    return is_password ? int{kAuthenticationFailed} : code;
  }
  static_cast<void>(usage_error(command, error.detail()));
  return code == kNetworkFailed || code == kTlsFailed ? code : kAuthenticationFailed;
}

Result<std::unique_ptr<async::Driver>> prepare_driver(CrawlArguments& arguments) {
  auto made = run::make_driver(arguments.crawl);
  if (!made) return fail(std::move(made).error());
  if (!made->advice.empty()) {
    terminal::print_err("gossamer {}: {}\n", arguments.output.command, made->advice);
  }
  return std::move(made->driver);
}

}  // namespace gossamer::cli
