#include "cli/crawl_session.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "async/descriptor_limit.h"
#include "async/scope.h"
#include "async/signals.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/random.h"
#include "cli/command.h"
#include "cli/cookie_file.h"
#include "cli/crawl_findings.h"
#include "cli/crawl_progress.h"
#include "cli/crawl_report.h"
#include "cli/crawl_threads.h"
#include "cli/line_output.h"
#include "cli/progress_display.h"
#include "cli/record_format.h"
#include "cli/wall_clock.h"
#include "cli/web_access.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/memory_frontier.h"
#include "crawl/shards.h"

namespace gossamer::cli {
namespace {

// What was found may still be written for so long after a second signal.
constexpr Duration kLastWords = 500ms;

using Observer = std::move_only_function<void(const crawl::FetchRecord&)>;

// Pages and skipped URLs on their way out.
class CrawlOutput final : public crawl::PageSink {
 public:
  // Opens the files. Fails with Errc::io_failed.
  static Result<std::unique_ptr<CrawlOutput>> open(const CrawlOutputOptions& options,
                                                   const crawl::Settings& crawl,
                                                   Observer observer) {
    auto findings = CrawlFindings::open(options, crawl);
    if (!findings) return fail(std::move(findings).error());
    auto results = LineOutput::open(options.results_file);
    if (!results) return fail(std::move(results).error());
    std::unique_ptr<CrawlOutput> output(
        new CrawlOutput(RecordFormat(options.format, options.fields), std::move(*results),
                        std::move(*findings), std::move(observer)));
    if (options.skipped_file.empty()) return output;
    auto skipped = LineOutput::open(options.skipped_file);
    if (!skipped) return fail(std::move(skipped).error());
    output->skipped_ = std::move(*skipped);
    return output;
  }

  async::Task<Result<void>> put(crawl::Page page) override {
    const crawl::FetchRecord& record = page.record;
    worst_ = worse(worst_, exit_code_for(record));
    LOG(debug, "{}", crawl::to_text(record));
    if (observer_) observer_(record);
    if (display_ != nullptr) display_->note(record);
    if (findings_) findings_->add(record);
    if (const auto line = format_.line(record)) results_->add(*line);
    if (auto room = co_await results_->room(); !room || !skipped_) co_return room;
    co_return co_await skipped_->room();
  }

  void skip(const crawl::SkippedUrl& skipped) override {
    LOG(debug, "skipped: {} {}", crawl::name(skipped.reason), skipped.url);
    // A root that is not even asked for is not what the user wanted.
    if (skipped.via.empty() && skipped.depth == 0) worst_ = worse(worst_, kFailed);
    if (findings_) findings_->skip(skipped);
    if (skipped_) skipped_->add(crawl::to_json(skipped));
  }

  void start(async::Scope& scope, std::move_only_function<void()> on_failure) {
    on_failure_ = std::move(on_failure);
    for (LineOutput* const output : {results_.get(), skipped_.get()}) {
      if (output == nullptr) continue;
      output->on_failure([this] { on_failure_(); });
      scope.spawn(output->run());
    }
  }

  // BORROWS: the output.
  async::Task<Result<void>> finish() {
    auto finished = co_await results_->finish();
    if (!skipped_) co_return finished;
    auto others = co_await skipped_->finish();
    co_return finished ? std::move(others) : std::move(finished);
  }

  // What is shown while results are written, perhaps to the same terminal.
  // BORROWS: the display, as long as anything is put or written.
  void stand_beside(ProgressDisplay& display) {
    display_ = &display;
    if (!results_->is_terminal()) return;
    results_->around_writing([&display] { display.hide(); }, [&display] { display.show(); });
  }

  // The worst exit code of all records.
  int worst() const { return worst_; }
  // nullptr: nobody asks.
  CrawlFindings* findings() { return findings_.get(); }
  crawl::Hooks watched(crawl::Hooks hooks) {
    if (findings_) findings_->watch_links(hooks);
    return hooks;
  }

 private:
  CrawlOutput(RecordFormat format, std::unique_ptr<LineOutput> results,
              std::unique_ptr<CrawlFindings> findings, Observer observer)
      : format_(std::move(format)),
        results_(std::move(results)),
        findings_(std::move(findings)),
        observer_(std::move(observer)) {
    if (const auto header = format_.header()) results_->add(*header);
  }

  const RecordFormat format_;
  std::unique_ptr<LineOutput> results_;
  std::unique_ptr<LineOutput> skipped_;  // nullptr: nobody wants to know
  const std::unique_ptr<CrawlFindings> findings_;
  Observer observer_;
  std::move_only_function<void()> on_failure_;
  ProgressDisplay* display_ = nullptr;  // nullptr: none
  int worst_ = kOk;
};

// One crawl, from its first task to its report.
class CrawlSession {
 public:
  // BORROWS: all but the arguments.
  CrawlSession(async::Loop& loop, WebAccess& web, async::Scope& scope, CrawlOutput& output,
               CrawlArguments arguments)
      : loop_(loop),
        output_(output),
        arguments_(std::move(arguments)),
        random_(std::random_device()()),
        world_({.client = web.client(),
                .resolver = web.resolver_of_hosts(),
                .random = random_,
                .scope = scope,
                .wall_start = wall_now(),
                .loop_start = loop.now()}),
        frontier_options_(crawl::frontier_options(arguments_.crawl, world_)),
        others_(make_others()),
        frontier_(loop, frontier_options_, others_ ? others_->shards.share() : nullptr),
        pages_max_(arguments_.crawl.pages_max),
        knows_all_soon_(arguments_.crawl.reads_sitemaps),
        engine_(world_, std::move(arguments_.crawl), frontier_, output, cookies_,
                others_ ? &others_->shards[0] : nullptr) {}

  // BORROWS: the session.
  async::Task<Result<CrawlOutcome>> run();

 private:
  // The further loops, if there are any.
  struct Others {
    Others(async::Loop& loop, CrawlOutput& output, std::size_t count, CrawlPlan plan)
        : shards(count, plan.frontier), threads(loop, shards, output, std::move(plan)) {}
    crawl::Shards shards;
    CrawlThreads threads;
  };
  std::unique_ptr<Others> make_others();
  async::Task<Result<crawl::EndReason>> crawl();
  void take_signal();
  void dump_tasks();
  CrawlProgress progress();
  Result<CrawlOutcome> conclude(Result<crawl::EndReason> end, Result<void> written);
  // Reports and reasons, for those who asked.
  void tell_findings(CrawlOutcome& outcome);

  async::Loop& loop_;
  CrawlOutput& output_;
  CrawlArguments arguments_;
  base::Random random_;
  wire::CookieJar cookies_;
  crawl::World world_;
  const crawl::FrontierOptions frontier_options_;
  const std::unique_ptr<Others> others_;
  crawl::MemoryFrontier frontier_;
  const std::optional<std::uint64_t> pages_max_;
  const bool knows_all_soon_;
  crawl::Engine engine_;
  std::unique_ptr<ProgressDisplay> display_;  // nullptr: nobody wants to see it
  async::Scope writers_{async::OnFailure::keep_going};
  async::TimerHandle last_words_;
  bool is_interrupted_ = false;
  bool has_ended_ = false;
  bool is_cut_ = false;  // results were given up because nobody took them
  Duration took_ = Duration::zero();
};

std::unique_ptr<CrawlSession::Others> CrawlSession::make_others() {
  if (arguments_.threads == 1) return nullptr;
  CrawlPlan plan = {.driver = arguments_.driver,
                    .web = std::move(arguments_.web),
                    .settings = arguments_.crawl,
                    .frontier = frontier_options_,
                    .cookie_files = {arguments_.cookies_to_load, arguments_.cookie_jar},
                    .make_hooks = [secrets = arguments_.secrets, &output = output_] {
                      return output.watched(make_hooks(secrets));
                    }};
  return std::make_unique<Others>(loop_, output_, arguments_.threads, std::move(plan));
}

async::Task<Result<crawl::EndReason>> CrawlSession::crawl() {
  if (!others_) co_return co_await engine_.run();
  others_->shards[0].join_in(loop_, engine_);
  others_->threads.start();
  auto end = co_await engine_.run();
  static_cast<void>(co_await others_->shards[0].leave());
  static_cast<void>(co_await others_->threads.finish());
  others_->threads.add_to(cookies_);
  if (end && others_->threads.failure()) co_return fail(others_->threads.failure()->copy());
  co_return end;
}

void CrawlSession::dump_tasks() {
  const auto print = [this](const std::string& text) {
    if (display_) display_->hide();
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
    if (display_) display_->show();
  };
  print(loop_.dump());
  if (others_) others_->threads.dump(print);
}

async::Task<Result<CrawlOutcome>> CrawlSession::run() {
  auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM}, [this](int) { take_signal(); });
  if (!signals) co_return fail(std::move(signals).error());
  auto dump = async::SignalWatch::make(loop_, {SIGQUIT}, [this](int) { dump_tasks(); });
  if (!dump) co_return fail(std::move(dump).error());
  load_cookies(arguments_.cookies_to_load, cookies_);
  load_cookies(arguments_.cookie_jar, cookies_);

  async::Scope watchers(async::OnFailure::keep_going);
  output_.start(writers_, [this] { engine_.stop(crawl::EndReason::sink_failed); });
  if (arguments_.output.has_progress) {
    display_ =
        std::make_unique<ProgressDisplay>(arguments_.output.command, [this] { return progress(); });
    if (arguments_.log_file.empty()) display_->take_log();
    output_.stand_beside(*display_);
    watchers.spawn(display_->run());
  }
  auto end = co_await crawl();
  took_ = loop_.now() - engine_.started();
  has_ended_ = true;
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  if (display_) display_->hide();  // for good
  auto written = co_await output_.finish();
  static_cast<void>(co_await writers_.join());
  co_return conclude(std::move(end), std::move(written));
}

void CrawlSession::take_signal() {
  if (!is_interrupted_ && !has_ended_) {
    is_interrupted_ = true;
    if (arguments_.output.has_report) {
      if (display_) display_->hide();
      fmt::print(stderr, "gossamer {}: finishing what is in flight; interrupt again to stop now\n",
                 arguments_.output.command);
      if (display_) display_->show();
    }
    return engine_.stop(crawl::EndReason::interrupted);
  }
  if (!has_ended_) engine_.abort();
  last_words_ = loop_.call_later(kLastWords, [this] {
    is_cut_ = true;
    writers_.cancel();
  });
}

CrawlProgress CrawlSession::progress() {
  CrawlProgress progress = progress_of(engine_, frontier_);
  if (others_) others_->threads.add_to(progress);
  progress.since_start = loop_.now() - engine_.started();
  progress.pages_in_all = pages_max_;
  // A sitemap tells of what is there before it is reached by links.
  if (!pages_max_ && knows_all_soon_) {
    progress.pages_in_all = progress.pages + progress.in_flight + progress.waiting;
  }
  return progress;
}

Result<CrawlOutcome> CrawlSession::conclude(Result<crawl::EndReason> end, Result<void> written) {
  CrawlOutcome outcome;
  outcome.statistics = engine_.statistics();
  if (others_) others_->threads.add_to(outcome.statistics);
  outcome.end = end ? *end : crawl::EndReason::sink_failed;
  if (!end && end.error() != Errc::io_failed) outcome.end = crawl::EndReason::failed;
  if (is_cut_) {
    outcome.end = crawl::EndReason::aborted;
  } else if (!written) {
    outcome.end = crawl::EndReason::sink_failed;
  }
  outcome.exit_code = exit_code_for(outcome.end, output_.worst());
  if (!written || !end) {
    const Error& error = written ? end.error() : written.error();
    fmt::print(stderr, "gossamer {}: {}\n", arguments_.output.command,
               base::escape_for_terminal(error.detail()));
  }
  if (arguments_.output.has_report) {
    fmt::print(stderr, "{}", crawl_report(outcome.statistics, outcome.end, took_));
  }
  tell_findings(outcome);
  if (auto saved = save_cookies(arguments_.cookie_jar, cookies_); !saved) {
    return fail(std::move(saved).error());
  }
  return outcome;
}

void CrawlSession::tell_findings(CrawlOutcome& outcome) {
  CrawlFindings* const findings = output_.findings();
  if (findings == nullptr) return;
  fmt::print(stderr, "{}", findings->answers());
  auto written = findings->write_reports(outcome.end, took_, outcome.statistics);
  if (written) return;
  static_cast<void>(usage_error(arguments_.output.command, written.error().detail()));
  outcome.exit_code = kFileFailed;
}

}  // namespace

async::Task<Result<CrawlOutcome>> run_crawl_session(async::Loop& loop, CrawlArguments arguments,
                                                    Observer observer) {
  signal(SIGPIPE, SIG_IGN);  // a reader that left is a failed write
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await WebAccess::open(loop, lookups, arguments.web);
  if (!web) co_return fail(std::move(web).error());
  auto output = CrawlOutput::open(arguments.output, arguments.crawl, std::move(observer));
  if (!output) co_return fail(std::move(output).error());
  arguments.crawl.hooks = (*output)->watched(std::move(arguments.crawl.hooks));
  CrawlSession session(loop, **web, lookups, **output, std::move(arguments));
  auto outcome = co_await session.run();
  (*web)->client().close_idle();
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  co_return outcome;
}

Result<std::unique_ptr<async::Driver>> prepare_driver(CrawlArguments& arguments) {
  const async::DescriptorLimit limit = async::raise_descriptor_limit();
  auto driver = async::make_driver(arguments.driver);
  if (!driver) return driver;
  const std::string advice = async::advice_for_connections(
      arguments.crawl.concurrency * arguments.threads, limit, **driver);
  const std::uint64_t possible =
      std::max<std::uint64_t>(1, async::connections_possible(limit, **driver) / arguments.threads);
  if (!advice.empty()) {
    fmt::print(stderr, "gossamer {}: {}\n", arguments.output.command, advice);
    arguments.crawl.concurrency = static_cast<std::uint32_t>(possible);
  }
  std::size_t& connections = arguments.web.client.pool.connections_max;
  connections = std::min<std::size_t>(connections, possible);
  return driver;
}

}  // namespace gossamer::cli
