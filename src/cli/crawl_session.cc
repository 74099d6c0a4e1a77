#include "cli/crawl_session.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
#include "cli/archive_session.h"
#include "cli/command.h"
#include "cli/control_server.h"
#include "cli/cookie_file.h"
#include "cli/crawl_login.h"
#include "cli/crawl_output.h"
#include "cli/crawl_progress.h"
#include "cli/crawl_report.h"
#include "cli/crawl_steering.h"
#include "cli/crawl_threads.h"
#include "cli/progress_display.h"
#include "cli/standard_output.h"
#include "cli/version.h"
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

// One crawl, from its first task to its report.
class CrawlSession {
 public:
  // What pages pass on their way to the output; either may be missing.
  struct Keepers {
    ArchiveSession* archive = nullptr;
    CrawlJob* job = nullptr;
  };

  // BORROWS: all but the arguments.
  CrawlSession(async::Loop& loop, WebAccess& web, async::Scope& scope, CrawlOutput& output,
               crawl::PageSink& sink, Keepers keepers, CrawlArguments arguments)
      : loop_(loop),
        output_(output),
        archive_(keepers.archive),
        job_(keepers.job),
        sink_(sink),
        arguments_(std::move(arguments)),
        random_(std::random_device()()),
        world_({.client = web.client(),
                .resolver = web.resolver_of_hosts(),
                .random = random_,
                .scope = scope,
                .wall_start = wall_now(),
                .loop_start = loop.now()}),
        frontier_options_(plan_frontier()),
        others_(make_others()),
        frontier_(loop, frontier_options_, others_ ? others_->shards.share() : nullptr, backlog()),
        pages_max_(arguments_.crawl.pages_max),
        knows_all_soon_(arguments_.crawl.reads_sitemaps),
        engine_(world_, std::move(arguments_.crawl), frontier_, sink_, cookies_,
                others_ ? &others_->shards[0] : nullptr) {}

  // BORROWS: the session.
  async::Task<Result<CrawlOutcome>> run();

 private:
  // The further loops, if there are any.
  struct Others {
    Others(async::Loop& loop, crawl::PageSink& sink, std::size_t count, CrawlPlan plan)
        : shards(count, plan.frontier), threads(loop, shards, sink, std::move(plan)) {}
    crawl::Shards shards;
    CrawlThreads threads;
  };
  std::unique_ptr<Others> make_others();
  crawl::FrontierOptions plan_frontier();
  crawl::Backlog* backlog();
  // The cookies that a loop begins with. Any thread.
  void fill_jar(wire::CookieJar& jar, std::size_t loop) const;
  Result<void> go_on();
  // Prints a line that is no part of the live status.
  void say(const std::string& text);
  // Calls it with the engine of every loop, on that loop.
  template <class Change>
  void on_all(Change change);
  async::Task<Result<crawl::EndReason>> crawl();
  void take_signal();
  void dump_tasks();
  CrawlProgress progress();
  // Where it is steered, if anybody wants to. Fails as ControlServer::bind() does.
  Result<void> open_control();
  CrawlStatus status();
  Result<CrawlOutcome> conclude(Result<crawl::EndReason> end, Result<void> written);
  // Reports and reasons, for those who asked.
  void tell_findings(CrawlOutcome& outcome);

  async::Loop& loop_;
  CrawlOutput& output_;
  ArchiveSession* const archive_;  // nullptr: none
  CrawlJob* const job_;            // nullptr: none
  crawl::PageSink& sink_;          // the first of those that pages pass
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
  std::optional<CrawlSteering> steering_;
  std::optional<ControlServer> control_;
  async::Scope writers_{async::OnFailure::keep_going};
  async::TimerHandle last_words_;
  bool is_interrupted_ = false;
  bool has_ended_ = false;
  bool is_cut_ = false;  // results were given up because nobody took them
  Duration took_ = Duration::zero();
};

std::unique_ptr<CrawlSession::Others> CrawlSession::make_others() {
  if (arguments_.threads == 1) return nullptr;
  CrawlPlan plan = {
      .driver = arguments_.driver,
      .web = std::move(arguments_.web),
      .settings = arguments_.crawl,
      .frontier = frontier_options_,
      .fill_jar = [this](wire::CookieJar& jar, std::size_t loop) { fill_jar(jar, loop); },
      .make_hooks = [secrets = arguments_.secrets,
                     &output = output_] { return output.watched(make_hooks(secrets)); },
      .backlog_of = {}};
  if (job_ != nullptr) {
    plan.backlog_of = [job = job_](std::size_t loop) -> crawl::Backlog& {
      return job->backlog_of(loop);
    };
  }
  return std::make_unique<Others>(loop_, sink_, arguments_.threads, std::move(plan));
}

crawl::FrontierOptions CrawlSession::plan_frontier() {
  crawl::FrontierOptions options = crawl::frontier_options(arguments_.crawl, world_);
  options.is_continued = job_ != nullptr && job_->is_continued();
  return options;
}

crawl::Backlog* CrawlSession::backlog() {
  if (job_ == nullptr) return nullptr;
  return &job_->backlog(arguments_.crawl,
                        {.wall_start = world_.wall_start, .loop_start = world_.loop_start},
                        arguments_.threads);
}

void CrawlSession::fill_jar(wire::CookieJar& jar, std::size_t loop) const {
  const std::array<std::string, 2> files = {arguments_.cookies_to_load, arguments_.cookie_jar};
  if (job_ != nullptr) {
    job_->keep_cookies(jar, loop, files);
  } else {
    for (const std::string& file : files) load_cookies(file, jar);
  }
  for (const wire::Cookie& cookie : arguments_.session) jar.put(cookie, wall_now());
}

void CrawlSession::say(const std::string& text) {
  if (display_) display_->hide();
  print_err("gossamer {}: {}\n", arguments_.output.command, base::escape_for_terminal(text));
  if (display_) display_->show();
}

template <class Change>
void CrawlSession::on_all(Change change) {
  change(engine_);
  for (std::size_t i = 1; others_ && i < others_->shards.count(); ++i) {
    others_->shards[i].post_to_engine(change);
  }
}

// With a crawl directory: takes up what earlier processes left.
Result<void> CrawlSession::go_on() {
  if (job_ == nullptr) return {};
  auto places = job_->where_roots_lead(engine_.settings());
  if (!places) return fail(std::move(places).error());
  for (const std::string& place : *places) engine_.take_root(place);
  if (others_) others_->threads.take_roots(std::move(*places));
  if (auto asked = job_->refresh(frontier_); !asked) return asked;
  const auto retried = job_->retry_failures(frontier_);
  if (!retried) return fail(retried.error().copy());
  if (job_->is_continued() && arguments_.output.has_report) {
    // What the other loops have is not known yet.
    std::string text = fmt::format("resuming {}: {} done, {}{} queued", job_->folder().path(),
                                   counted(job_->pages_before(), "URL"), others_ ? "at least " : "",
                                   grouped(frontier_.waiting()));
    if (*retried > 0) text += fmt::format(", {} of them failures to retry", grouped(*retried));
    say(text);
  }
  return {};
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
  crawl::Statistics all;
  others_->threads.add_to(all);
  if (end && *end == crawl::EndReason::finished && all.unreached.hosts > 0) {
    co_return crawl::EndReason::incomplete;
  }
  co_return end;
}

void CrawlSession::dump_tasks() {
  const auto print = [this](const std::string& text) {
    if (display_) display_->hide();
    write_err(text);
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
  if (auto opened = open_control(); !opened) co_return fail(std::move(opened).error());
  fill_jar(cookies_, 0);

  store::Archive* const archive = archive_ == nullptr ? nullptr : &archive_->archive();
  if (auto begun = go_on(); !begun) co_return fail(std::move(begun).error());
  async::Scope watchers(async::OnFailure::keep_going);
  output_.start(writers_, [this] { engine_.stop(crawl::EndReason::sink_failed); });
  if (arguments_.output.has_progress) {
    display_ =
        std::make_unique<ProgressDisplay>(arguments_.output.command, [this] { return progress(); });
    if (arguments_.log_file.empty()) display_->take_log();
    output_.stand_beside(*display_);
    watchers.spawn(display_->run());
  }
  if (control_) watchers.spawn(control_->run());
  if (job_ != nullptr) {
    job_->watch(watchers, archive,
                {.pause = [this] { on_all([](crawl::Engine& engine) { engine.pause(); }); },
                 .resume = [this] { on_all([](crawl::Engine& engine) { engine.resume(); }); },
                 .give_up = [this](Error error) { engine_.give_up(std::move(error)); },
                 .say = [this](const std::string& text) { say(text); }});
  }
  auto end = co_await crawl();
  took_ = loop_.now() - engine_.started();
  has_ended_ = true;
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  if (display_) display_->hide();  // for good
  auto written = co_await output_.finish();
  static_cast<void>(co_await writers_.join());
  if (archive_ != nullptr) {
    auto archived = co_await archive_->finish();
    if (written) written = std::move(archived);
  }
  if (job_ != nullptr) {
    auto kept = co_await job_->finish(end ? *end : crawl::EndReason::failed);
    if (written) written = std::move(kept);
  }
  co_return conclude(std::move(end), std::move(written));
}

void CrawlSession::take_signal() {
  if (!is_interrupted_ && !has_ended_) {
    is_interrupted_ = true;
    if (arguments_.output.has_report) {
      if (display_) display_->hide();
      print_err("gossamer {}: finishing what is in flight; interrupt again to stop now\n",
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

Result<void> CrawlSession::open_control() {
  if (arguments_.control_socket.empty()) return {};
  auto server = ControlServer::bind(arguments_.control_socket);
  if (!server) return fail(std::move(server).error());
  const auto stop = [this] {
    if (!is_interrupted_) take_signal();
  };
  const auto abort = [this] {
    is_interrupted_ = true;
    take_signal();
  };
  steering_.emplace(engine_, others_ ? &others_->shards : nullptr,
                    CrawlSteering::Session{[this] { return status(); }, stop, abort});
  control_.emplace(std::move(*server));
  control_->on_request(
      [this](ControlRequest request) { return steering_->answer(std::move(request)); });
  return {};
}

CrawlStatus CrawlSession::status() {
  const CrawlProgress now = progress();
  return {.state = is_interrupted_ ? "stopping" : "running",
          .version = kVersion,
          .process = static_cast<std::uint64_t>(getpid()),
          .since_start = now.since_start,
          .pages = now.pages,
          .wire_bytes = now.wire_bytes,
          .in_flight = now.in_flight,
          .waiting = now.waiting,
          .hosts = now.hosts,
          .pages_in_all = now.pages_in_all,
          .errors = now.errors};
}

CrawlProgress CrawlSession::progress() {
  CrawlProgress progress = progress_of(engine_, frontier_);
  if (others_) others_->threads.add_to(progress);
  progress.since_start = loop_.now() - engine_.started();
  progress.pages_in_all = pages_max_;
  progress.is_paused = engine_.is_paused();
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
  // A job is judged by all its runs.
  int records = output_.worst();
  if (job_ != nullptr) records = worse(records, exit_code_for(job_->statistics()));
  outcome.exit_code = exit_code_for(outcome.end, records);
  if (!written || !end) {
    const Error& error = written ? end.error() : written.error();
    print_err("gossamer {}: {}\n", arguments_.output.command,
              base::escape_for_terminal(error.detail()));
  }
  // When nothing could be fetched, counts say nothing; the reasons do.
  const bool has_nothing =
      (outcome.end == crawl::EndReason::finished || outcome.end == crawl::EndReason::incomplete) &&
      outcome.statistics.answered == 0;
  const std::string troubles =
      has_nothing ? output_.troubles().text(arguments_.output.command) : std::string();
  if (!troubles.empty()) {
    print_err("{}", troubles);
  } else if (arguments_.output.has_report) {
    print_err("{}", crawl_report(outcome.statistics, outcome.end, took_));
    if (job_ != nullptr && outcome.end == crawl::EndReason::incomplete) {
      say(fmt::format("`gossamer resume {}` fetches what is queued", job_->folder().path()));
    }
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
  print_err("{}", findings->answers());
  auto written = findings->write_reports(outcome.end, took_, outcome.statistics);
  if (written) return;
  static_cast<void>(usage_error(arguments_.output.command, written.error().detail()));
  outcome.exit_code = kFileFailed;
}

}  // namespace

namespace {

// BORROWS: all but the arguments and the observer.
async::Task<Result<CrawlOutcome>> crawl_with(async::Loop& loop, WebAccess& web,
                                             async::Scope& lookups, CrawlArguments arguments,
                                             RecordObserver observer, CrawlJob* job) {
  if (const auto exit_code = co_await log_in_first(web.client(), arguments)) {
    co_return CrawlOutcome{
        .end = crawl::EndReason::failed, .statistics = {}, .exit_code = *exit_code};
  }
  auto output = CrawlOutput::open(arguments.output, arguments.crawl, std::move(observer));
  if (!output) co_return fail(std::move(output).error());
  arguments.crawl.hooks = (*output)->watched(std::move(arguments.crawl.hooks));
  crawl::PageSink* sink = output->get();
  if (job != nullptr) {
    sink = &job->keep(*sink, arguments.crawl);
    if (job->is_refreshing()) {
      arguments.crawl.hooks = job->asking_for_changes(std::move(arguments.crawl.hooks));
    }
  }
  std::unique_ptr<ArchiveSession> archive;
  if (arguments.archive.is_wanted()) {
    ArchivePlan plan = plan_archive(arguments);
    if (job != nullptr) job->settle(plan, arguments.crawl);
    auto opened = co_await ArchiveSession::open(std::move(plan), *sink);
    if (!opened) co_return fail(std::move(opened).error());
    archive = std::move(*opened);
    sink = &archive->sink();
  }
  CrawlSession session(loop, web, lookups, **output, *sink, {archive.get(), job},
                       std::move(arguments));
  co_return co_await session.run();
}

}  // namespace

async::Task<Result<CrawlOutcome>> run_crawl_session(async::Loop& loop, CrawlArguments arguments,
                                                    RecordObserver observer, CrawlJob* job) {
  signal(SIGPIPE, SIG_IGN);  // a reader that left is a failed write
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await WebAccess::open(loop, lookups, arguments.web);
  if (!web) co_return fail(std::move(web).error());
  auto outcome =
      co_await crawl_with(loop, **web, lookups, std::move(arguments), std::move(observer), job);
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
    print_err("gossamer {}: {}\n", arguments.output.command, advice);
    arguments.crawl.concurrency = static_cast<std::uint32_t>(possible);
  }
  std::size_t& connections = arguments.web.client.pool.connections_max;
  connections = std::min<std::size_t>(connections, possible);
  return driver;
}

}  // namespace gossamer::cli
