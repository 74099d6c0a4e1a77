#include "run/crawl.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/figures.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/shards/shards.h"
#include "frontier/frontier_options.h"
#include "run/control/crawl_control.h"
#include "run/crawl_hooks.h"
#include "run/crawl_login.h"
#include "run/crawl_loop.h"
#include "run/crawl_rendering.h"
#include "run/crawl_threads.h"
#include "run/job/job_pages.h"
#include "run/job/job_run.h"
#include "run/job/kept_sessions.h"
#include "run/node_process.h"
#include "run/page_stages.h"
#include "run/shared/shared_run.h"

namespace gossamer::run {

namespace {

// The engine has settings of its own, because users change them while it runs. The roots, maybe a
// million, are copied only if other loops need them. Other parts read only what CrawlSettings adds.
crawler::Settings settings_of_engine(CrawlSettings& settings) {
  if (settings.threads > 1) return settings;
  return std::move(static_cast<crawler::Settings&>(settings));
}

}  // namespace

// A crawl with everything it needs.
class Crawl::Running {
 public:
  struct Parts {
    Machine& machine;
    async::Loop& loop;
    WebAccess& web;
    CrawlListener& listener;
    PageStages& stages;
    SharedRun* shared;  // nullptr: the crawl is not shared
  };

  // BORROWS: all but the hooks and the cookies. With one loop, crawler::Settings moves out of
  // the settings.
  Running(const Parts& parts, CrawlSettings& settings, crawler::Hooks hooks,
          std::shared_ptr<crawler::Hooks> shared, std::vector<wire::Cookie> session);

  // Closes the stages in any case. BORROWS: this.
  async::Task<Outcome<CrawlEnd>> run();

  void stop();
  void stop_because(crawler::EndReason reason) { engine_.stop(reason); }
  CrawlProgress progress();
  void dump(CrawlThreads::Print print);
  // Calls `action` with the engine of every loop, on that loop.
  template <class Change>
  void on_all(Change change);

 private:
  // The other loops, if there are any.
  struct Others {
    Others(Machine& machine, async::Loop& loop, crawler::PageSink& sink, std::size_t count,
           CrawlThreads::Parts parts)
        : shards(count, parts.frontier), threads(machine, loop, shards, sink, std::move(parts)) {}
    crawler::Shards shards;
    CrawlThreads threads;
  };
  std::unique_ptr<Others> make_others(const CrawlSettings& settings,
                                      std::shared_ptr<crawler::Hooks> shared);
  crawler::FrontierOptions plan_frontier(const CrawlSettings& settings);
  // Restores the state that earlier processes left.
  CrawlStart take_up();
  Result<void> open_control();
  // All that can fail before the first request.
  Outcome<CrawlStart> prepare();
  void watch_job(async::Scope& watchers);
  std::unique_ptr<node::Process> make_process();
  async::Task<Result<crawler::EndReason>> crawl();
  // Closes the stages, and saves the cookies. Returns the first failure. BORROWS: this.
  async::Task<std::optional<Failure>> close(crawler::EndReason end);

  Machine& machine_;
  async::Loop& loop_;
  CrawlListener& listener_;
  PageStages& stages_;
  JobPages* const pages_;    // nullptr: none
  JobRun* const job_;        // nullptr: none
  SharedRun* const shared_;  // nullptr: the crawl is not shared
  WebAccess& web_;
  const KeptSessions sessions_;
  CrawlControl control_;
  base::Random random_;  // of the first loop
  const crawler::FrontierOptions frontier_options_;
  const std::unique_ptr<Others> others_;
  CrawlLoop first_;
  crawler::Engine& engine_;  // of the first loop
  std::uint32_t stops_ = 0;
  bool has_ended_ = false;
};

Crawl::Running::Running(const Parts& parts, CrawlSettings& settings, crawler::Hooks hooks,
                        std::shared_ptr<crawler::Hooks> shared, std::vector<wire::Cookie> session)
    : machine_(parts.machine),
      loop_(parts.loop),
      listener_(parts.listener),
      stages_(parts.stages),
      pages_(stages_.pages()),
      job_(stages_.job()),
      shared_(parts.shared),
      web_(parts.web),
      sessions_(machine_, job_, settings.cookies, std::move(session)),
      control_(settings),
      random_(machine_.draw()),
      frontier_options_(plan_frontier(settings)),
      others_(make_others(settings, std::move(shared))),
      first_({.machine = machine_,
              .settings = settings,
              .loop = loop_,
              .random = random_,
              .web = web_,
              .sessions = sessions_,
              .frontier = frontier_options_,
              .sink = stages_.sink(),
              .bodies = stages_.bodies(),
              .wall_start = stages_.clock().wall_start,
              .loop_start = stages_.clock().loop_start,
              .shards = others_ ? &others_->shards : nullptr,
              .shared = shared_,
              .backlog = shared_ == nullptr && job_ != nullptr ? &job_->backlog_of(0) : nullptr},
             {settings_of_engine(settings), std::move(hooks)}),
      engine_(first_.engine()) {}

crawler::FrontierOptions Crawl::Running::plan_frontier(const CrawlSettings& settings) {
  crawler::FrontierOptions options =
      crawler::frontier_options(settings, web_.resolver_of_hosts() != nullptr);
  options.salt = random_.next();
  options.is_continued = pages_ != nullptr && pages_->store().is_continued();
  if (shared_ != nullptr) options.is_level_by_level = false;  // Redis leases one level at a time
  return options;
}

std::unique_ptr<Crawl::Running::Others> Crawl::Running::make_others(
    const CrawlSettings& settings, std::shared_ptr<crawler::Hooks> shared) {
  if (settings.threads == 1) return nullptr;
  CrawlThreads::Parts parts = {
      .settings = settings,
      .frontier = frontier_options_,
      .sessions = sessions_,
      .make_hooks =
          [this, &settings, shared = std::move(shared)] {
            return listener_.wrap(hooks_of_loop(settings.fields, shared_hooks(shared)));
          },
      .listener = listener_,
      .job = job_,
      .is_shared = shared_ != nullptr,
      .bodies = stages_.bodies()};
  return std::make_unique<Others>(machine_, loop_, stages_.sink(), settings.threads,
                                  std::move(parts));
}

template <class Change>
void Crawl::Running::on_all(Change change) {
  change(engine_);
  for (std::size_t i = 1; others_ && i < others_->shards.count(); ++i) {
    others_->shards[i].post_to_engine(change);
  }
}

CrawlStart Crawl::Running::take_up() {
  if (job_ == nullptr) return {};
  std::vector<std::string> places;
  for (const JobPages::RootPlace& each : pages_->root_places()) places.push_back(each.place);
  for (const std::string& place : places) engine_.mail().take_root(place);
  if (others_) others_->threads.take_roots(std::move(places));
  CrawlStart start = {.done = pages_->store().before().pages, .damage = pages_->store().damage()};
  if (const std::size_t lost = pages_->lost(); lost > 0) {
    start.damage.push_back(fmt::format("the archive has lost {}, which {} fetched again",
                                       base::counted(lost, "page"), lost == 1 ? "is" : "are"));
  }
  if (shared_ != nullptr) return start;
  start.is_resumed = pages_->store().is_continued();
  start.queued = first_.frontier().waiting();
  start.retried = job_->retried();
  return start;
}

Result<void> Crawl::Running::open_control() {
  const auto stop_once = [this] {
    if (stops_ == 0) stop();
  };
  const auto abort = [this] {
    stops_ = std::max<std::uint32_t>(stops_, 1);
    stop();
  };
  return control_.open(engine_, others_ ? &others_->shards : nullptr,
                       {.status = [this] { return progress(); },
                        .stop = stop_once,
                        .abort = abort,
                        .say = [this](const std::string& text) { listener_.say(text); },
                        .job = pages_ == nullptr ? nullptr : &pages_->store()});
}

void Crawl::Running::watch_job(async::Scope& watchers) {
  if (job_ == nullptr) return;
  job_->watch(watchers,
              {.pause = [this] { on_all([](crawler::Engine& engine) { engine.pause(); }); },
               .resume = [this] { on_all([](crawler::Engine& engine) { engine.resume(); }); },
               .give_up =
                   [this](Error error) {
                     engine_.give_up(crawler::EndReason::sink_failed, std::move(error));
                   },
               .say = [this](const std::string& text) { listener_.say(text); }});
}

std::unique_ptr<node::Process> Crawl::Running::make_process() {
  if (shared_ == nullptr) return nullptr;
  return std::make_unique<NodeProcess>(
      NodeProcess::Parts{machine_, engine_, first_.frontier(), *job_, listener_});
}

async::Task<Result<crawler::EndReason>> Crawl::Running::crawl() {
  first_.join_in();
  if (others_) others_->threads.start();
  auto end = co_await first_.run(make_process());
  if (!others_) co_return end;
  static_cast<void>(co_await others_->threads.finish());
  others_->threads.add_to(first_.cookies());
  if (end && others_->threads.failure()) co_return fail(others_->threads.failure()->copy());
  crawler::Statistics all;
  others_->threads.add_to(all);
  if (end && *end == crawler::EndReason::finished && all.unreached.hosts > 0) {
    co_return crawler::EndReason::incomplete;
  }
  co_return end;
}

Outcome<CrawlStart> Crawl::Running::prepare() {
  if (auto opened = open_control(); !opened) {
    return fail_in(Part::control, std::move(opened).error());
  }
  first_.begin_sessions();
  // Checks the jar before the crawl, so that a failure does not show up only after days. A job
  // loses nothing, since its tables have the cookies.
  if (job_ == nullptr) {
    auto saved = sessions_.save(first_.cookies());
    if (!saved) return fail_in(Part::cookies, std::move(saved).error());
  }
  const CrawlStart start = take_up();
  if (auto repeated = control_.repeat_orders(); !repeated) {
    return fail_in(Part::job, std::move(repeated).error());
  }
  return start;
}

async::Task<Outcome<CrawlEnd>> Crawl::Running::run() {
  auto start = prepare();
  if (!start) {
    first_.end_sessions();
    static_cast<void>(co_await stages_.close(crawler::EndReason::failed));
    co_return std::unexpected(std::move(start).error());
  }
  async::Scope watchers(async::OnFailure::keep_going);
  stages_.begin(*start);
  control_.serve(watchers);
  watch_job(watchers);
  auto end = co_await crawl();
  has_ended_ = true;
  CrawlEnd result;
  result.took = loop_.now() - engine_.started();
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  result.failure = co_await close(end ? *end : crawler::EndReason::failed);
  result.statistics = engine_.statistics();
  if (others_) others_->threads.add_to(result.statistics);
  if (pages_ != nullptr) result.statistics_of_job = pages_->statistics();
  if (end) {
    result.reason = *end;
  } else {
    auto reason = engine_.failure_reason();
    if (!reason && others_) reason = others_->threads.failure_reason();
    result.reason = reason.value_or(crawler::EndReason::failed);
    const bool is_of_sink = result.reason == crawler::EndReason::sink_failed;
    if (!result.failure || result.failure->part == Part::cookies) {
      result.failure = {is_of_sink ? Part::sink : Part::crawl, std::move(end).error()};
    }
  }
  const Part part = result.failure ? result.failure->part : Part::crawl;
  if (part != Part::cookies && part != Part::crawl) result.reason = crawler::EndReason::sink_failed;
  co_return result;
}

async::Task<std::optional<Failure>> Crawl::Running::close(crawler::EndReason end) {
  first_.end_sessions();
  auto failure = co_await stages_.close(end);
  auto saved = sessions_.save(first_.cookies());
  if (!saved && !failure) failure = {Part::cookies, std::move(saved).error()};
  if (!failure) co_await stages_.finish_search_index();
  co_return failure;
}

void Crawl::Running::stop() {
  const bool is_second = stops_++ > 0 || has_ended_;
  using crawler::EndReason;
  if (!has_ended_) engine_.stop(is_second ? EndReason::aborted : EndReason::interrupted);
  if (is_second) stages_.stop_search_index();
  listener_.stopping(is_second);
}

CrawlProgress Crawl::Running::progress() {
  CrawlProgress progress = first_.progress();
  if (others_) others_->threads.add_to(progress);
  progress.since_start = loop_.now() - engine_.started();
  progress.pages_in_all = engine_.settings().pages_max;
  if (engine_.is_paused()) progress.state = "paused";
  if (stops_ > 0) progress.state = "stopping";
  // A sitemap gives the total before links reach all pages.
  if (!progress.pages_in_all && engine_.settings().reads_sitemaps) {
    progress.pages_in_all = progress.pages + progress.in_flight + progress.waiting;
  }
  return progress;
}

void Crawl::Running::dump(CrawlThreads::Print print) {
  print(loop_.dump());
  if (others_) others_->threads.dump(std::move(print));
}

// --- the crawl itself

Crawl::Crawl(CrawlSettings settings, std::unique_ptr<JobStore> job, Machine& machine)
    : settings_(std::move(settings)), job_(std::move(job)), machine_(machine) {}

Crawl::~Crawl() = default;

async::Task<Outcome<CrawlEnd>> Crawl::run(CrawlListener& listener) {
  auto can_render = CrawlRendering::check(machine_, settings_);
  if (!can_render) co_return fail_in(Part::settings, std::move(can_render).error());
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await machine_.open_web(lookups, settings_.web);
  if (!web) co_return fail_in(Part::network, std::move(web).error());
  auto end = co_await run_in(**web, listener);
  (*web)->client().close_idle();
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  co_return end;
}

async::Task<Outcome<CrawlEnd>> Crawl::run_in(WebAccess& web, CrawlListener& listener) {
  async::Scope connections(async::OnFailure::keep_going);
  std::unique_ptr<SharedRun> node;
  if (settings_.cluster.is_shared()) {
    // Before anything is sent or written, so that a failure leaves nothing behind.
    auto joined = co_await join(web, listener, connections);
    if (joined) {
      node = std::move(*joined);
    } else if (!is_stopped_early()) {
      static_cast<void>(co_await connections.join());
      co_return fail_in(Part::cluster, std::move(joined).error());
    }
  }
  Outcome<CrawlEnd> end;
  auto session = co_await log_in(web);
  if (!session) {
    end = std::unexpected(std::move(session).error());
  } else if (auto kept = job_ ? job_->keep_configuration() : Result<void>(); kept) {
    end = co_await run_as(web, listener, node.get(), std::move(*session));
  } else {
    end = fail_in(Part::job, std::move(kept).error());
  }
  if (node) co_await node->close();
  static_cast<void>(co_await connections.join());
  co_return end;
}

async::Task<Outcome<CrawlEnd>> Crawl::run_as(WebAccess& web, CrawlListener& listener,
                                             SharedRun* node, std::vector<wire::Cookie> session) {
  auto stages = co_await PageStages::open(
      {.machine = machine_, .settings = settings_, .job = job_.get(), .listener = listener});
  if (!stages) co_return std::unexpected(std::move(stages).error());
  if (settings_.cluster.is_shared() && node == nullptr) co_return co_await end_early(**stages);
  std::shared_ptr<crawler::Hooks> shared;
  if (settings_.threads > 1) {
    shared = std::make_shared<crawler::Hooks>(std::move(settings_.hooks));
    settings_.hooks = shared_hooks(shared);
  }
  crawler::Hooks hooks = listener.wrap(hooks_of_loop(settings_.fields, std::move(settings_.hooks)));
  if (JobPages* const pages = (*stages)->pages()) {
    hooks = pages->asking_for_changes(std::move(hooks));
  }
  Running running({.machine = machine_,
                   .loop = async::Loop::current(),
                   .web = web,
                   .listener = listener,
                   .stages = **stages,
                   .shared = node},
                  settings_, std::move(hooks), std::move(shared), std::move(session));
  co_return co_await steer(running);
}

async::Task<Outcome<CrawlEnd>> Crawl::end_early(PageStages& stages) {
  CrawlEnd end = {.reason = early_reason()};
  stages.begin({});
  end.failure = co_await stages.close(end.reason);
  if (end.failure) end.reason = crawler::EndReason::sink_failed;
  if (stages.pages() != nullptr) end.statistics_of_job = stages.pages()->statistics();
  co_return end;
}

async::Task<Outcome<CrawlEnd>> Crawl::steer(Running& running) {
  running_ = &running;
  if (stop_reason_) running.stop_because(*stop_reason_);
  for (std::uint32_t i = 0; i < early_stops_; ++i) running.stop();
  if (is_paused_) pause();
  auto end = co_await running.run();
  running_ = nullptr;
  co_return end;
}

async::Task<Outcome<std::vector<wire::Cookie>>> Crawl::log_in(WebAccess& web) {
  if (is_stopped_early()) co_return std::vector<wire::Cookie>();
  async::Scope scope(async::OnFailure::keep_going);
  starting_ = &scope;
  auto login = scope.spawn(log_in_first(machine_, web.client(), settings_));
  static_cast<void>(co_await scope.join());
  starting_ = nullptr;
  if (is_stopped_early()) co_return std::vector<wire::Cookie>();
  co_return login.take();
}

async::Task<Result<std::unique_ptr<SharedRun>>> Crawl::join(WebAccess& web, CrawlListener& listener,
                                                            async::Scope& connections) {
  if (is_stopped_early()) co_return fail(Errc::cancelled);
  async::Scope scope(async::OnFailure::keep_going);
  starting_ = &scope;
  auto joined =
      scope.spawn(SharedRun::join(settings_, web.resolver(), connections, machine_,
                                  [&listener](const std::string& text) { listener.say(text); }));
  static_cast<void>(co_await scope.join());
  starting_ = nullptr;
  co_return joined.take();
}

void Crawl::stop() {
  if (running_ != nullptr) return running_->stop();
  ++early_stops_;
  if (starting_ != nullptr) starting_->cancel();
}

void Crawl::stop_because(crawler::EndReason reason) {
  if (running_ != nullptr) return running_->stop_because(reason);
  stop_reason_ = reason;
  if (starting_ != nullptr) starting_->cancel();
}

void Crawl::pause() {
  is_paused_ = true;
  if (running_ != nullptr) running_->on_all([](crawler::Engine& engine) { engine.pause(); });
}

void Crawl::resume() {
  is_paused_ = false;
  if (running_ != nullptr) running_->on_all([](crawler::Engine& engine) { engine.resume(); });
}

CrawlProgress Crawl::progress() {
  return running_ == nullptr ? CrawlProgress{.state = is_paused_ ? "paused" : "running"}
                             : running_->progress();
}

void Crawl::dump(std::move_only_function<void(const std::string& text)> print) {
  if (running_ != nullptr) return running_->dump(std::move(print));
  print(async::Loop::current().dump());
}

}  // namespace gossamer::run
