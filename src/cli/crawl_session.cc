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
#include "async/sleep.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/random.h"
#include "cli/command.h"
#include "cli/cookie_file.h"
#include "cli/crawl_report.h"
#include "cli/line_output.h"
#include "cli/wall_clock.h"
#include "cli/web_access.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/memory_frontier.h"

namespace gossamer::cli {
namespace {

constexpr Duration kProgressEvery = 5s;
// What was found may still be written for so long after a second signal.
constexpr Duration kLastWords = 500ms;

using Observer = std::move_only_function<void(const crawl::FetchRecord&)>;

// Pages and skipped URLs on their way out.
class CrawlOutput final : public crawl::PageSink {
 public:
  // Opens the files. Fails with Errc::io_failed.
  static Result<std::unique_ptr<CrawlOutput>> open(const CrawlOutputOptions& options,
                                                   Observer observer) {
    auto results = LineOutput::open(options.results_file);
    if (!results) return fail(std::move(results).error());
    std::unique_ptr<CrawlOutput> output(
        new CrawlOutput(options.format, std::move(*results), std::move(observer)));
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
    const bool is_text = format_ == CrawlFormat::text;
    results_->add(is_text ? crawl::to_text(record) : crawl::to_json(record));
    if (auto room = co_await results_->room(); !room || !skipped_) co_return room;
    co_return co_await skipped_->room();
  }

  void skip(const crawl::SkippedUrl& skipped) override {
    LOG(debug, "skipped: {} {}", crawl::name(skipped.reason), skipped.url);
    // A root that is not even asked for is not what the user wanted.
    if (skipped.via.empty() && skipped.depth == 0) worst_ = worse(worst_, kFailed);
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

  // The worst exit code of all records.
  int worst() const { return worst_; }

 private:
  CrawlOutput(CrawlFormat format, std::unique_ptr<LineOutput> results, Observer observer)
      : format_(format), results_(std::move(results)), observer_(std::move(observer)) {}

  const CrawlFormat format_;
  std::unique_ptr<LineOutput> results_;
  std::unique_ptr<LineOutput> skipped_;  // nullptr: nobody wants to know
  Observer observer_;
  std::move_only_function<void()> on_failure_;
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
        world_(
            {.client = web.client(),
             .resolver = web.client().options().proxies.hosts().empty() ? &web.resolver() : nullptr,
             .random = random_,
             .scope = scope,
             .wall_start = wall_now(),
             .loop_start = loop.now()}),
        frontier_(loop, crawl::frontier_options(arguments_.crawl, world_)),
        engine_(world_, std::move(arguments_.crawl), frontier_, output, cookies_) {}

  // BORROWS: the session.
  async::Task<Result<CrawlOutcome>> run();

 private:
  void take_signal();
  async::Task<Result<void>> show_progress();
  Result<CrawlOutcome> conclude(Result<crawl::EndReason> end, Result<void> written);

  async::Loop& loop_;
  CrawlOutput& output_;
  CrawlArguments arguments_;
  base::Random random_;
  wire::CookieJar cookies_;
  crawl::World world_;
  crawl::MemoryFrontier frontier_;
  crawl::Engine engine_;
  async::Scope writers_{async::OnFailure::keep_going};
  async::TimerHandle last_words_;
  bool is_interrupted_ = false;
  bool has_ended_ = false;
  bool is_cut_ = false;  // results were given up because nobody took them
  Duration took_ = Duration::zero();
};

async::Task<Result<CrawlOutcome>> CrawlSession::run() {
  auto signals = async::SignalWatch::make(loop_, {SIGINT, SIGTERM}, [this](int) { take_signal(); });
  if (!signals) co_return fail(std::move(signals).error());
  auto dump = async::dump_tasks_on_sigquit(loop_);
  if (!dump) co_return fail(std::move(dump).error());
  load_cookies(arguments_.cookies_to_load, cookies_);
  load_cookies(arguments_.cookie_jar, cookies_);

  async::Scope watchers(async::OnFailure::keep_going);
  output_.start(writers_, [this] { engine_.stop(crawl::EndReason::sink_failed); });
  if (arguments_.output.has_progress) watchers.spawn(show_progress());
  auto end = co_await engine_.run();
  took_ = loop_.now() - engine_.started();
  has_ended_ = true;
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  auto written = co_await output_.finish();
  static_cast<void>(co_await writers_.join());
  co_return conclude(std::move(end), std::move(written));
}

void CrawlSession::take_signal() {
  if (!is_interrupted_ && !has_ended_) {
    is_interrupted_ = true;
    if (arguments_.output.has_report) {
      fmt::print(stderr, "gossamer {}: finishing what is in flight; interrupt again to stop now\n",
                 arguments_.output.command);
    }
    return engine_.stop(crawl::EndReason::interrupted);
  }
  if (!has_ended_) engine_.abort();
  last_words_ = loop_.call_later(kLastWords, [this] {
    is_cut_ = true;
    writers_.cancel();
  });
}

async::Task<Result<void>> CrawlSession::show_progress() {
  std::uint64_t pages_before = 0;
  while (co_await async::sleep(kProgressEvery)) {
    const crawl::Statistics& statistics = engine_.statistics();
    const auto fresh = std::exchange(pages_before, statistics.pages);
    const CrawlProgress progress = {
        .pages = statistics.pages,
        .pages_per_second = (statistics.pages - fresh) / (kProgressEvery / 1s),
        .wire_bytes = statistics.wire_bytes,
        .in_flight = engine_.in_flight(),
        .waiting = frontier_.waiting(),
        .hosts = frontier_.hosts(),
    };
    fmt::print(stderr, "gossamer {}: {}\n", arguments_.output.command, to_text(progress));
  }
  co_return fail(Errc::cancelled);
}

Result<CrawlOutcome> CrawlSession::conclude(Result<crawl::EndReason> end, Result<void> written) {
  CrawlOutcome outcome;
  outcome.statistics = engine_.statistics();
  outcome.end = end.value_or(crawl::EndReason::sink_failed);
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
  if (auto saved = save_cookies(arguments_.cookie_jar, cookies_); !saved) {
    return fail(std::move(saved).error());
  }
  return outcome;
}

}  // namespace

async::Task<Result<CrawlOutcome>> run_crawl_session(async::Loop& loop, CrawlArguments arguments,
                                                    Observer observer) {
  signal(SIGPIPE, SIG_IGN);  // a reader that left is a failed write
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await WebAccess::open(loop, lookups, std::move(arguments.web));
  if (!web) co_return fail(std::move(web).error());
  auto output = CrawlOutput::open(arguments.output, std::move(observer));
  if (!output) co_return fail(std::move(output).error());
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
  const std::string advice =
      async::advice_for_connections(arguments.crawl.concurrency, limit, **driver);
  const std::uint64_t possible =
      std::max<std::uint64_t>(1, async::connections_possible(limit, **driver));
  if (!advice.empty()) {
    fmt::print(stderr, "gossamer {}: {}\n", arguments.output.command, advice);
    arguments.crawl.concurrency = static_cast<std::uint32_t>(possible);
  }
  std::size_t& connections = arguments.web.client.pool.connections_max;
  connections = std::min<std::size_t>(connections, possible);
  return driver;
}

}  // namespace gossamer::cli
