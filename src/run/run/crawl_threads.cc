#include "run/crawl_threads.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "async/event.h"
#include "async/sleep.h"
#include "base/random.h"
#include "engine/shards/sink_relay.h"
#include "store/repeated_page.h"

namespace gossamer::run {
namespace {

constexpr Duration kProgressEvery = 200ms;

}  // namespace

struct CrawlThreads::Worker {
  Worker(crawler::PageSink& sink, async::Loop& loop, crawler::SinkRelay::Manner manner)
      : relay(sink, loop, manner) {}

  crawler::SinkRelay relay;
  crawler::Backlog* backlog = nullptr;  // nullptr: none
  std::unique_ptr<LoopThread> thread;
  // Belongs to the thread until it has ended.
  crawler::Hooks hooks;
  crawler::Statistics statistics;
  std::vector<wire::Cookie> cookies;
  std::optional<crawler::EndReason> failure_reason;
  std::mutex mutex;  // guards the members below
  CrawlProgress progress;
  std::optional<Error> failure;
};

// BORROWS: all.
async::Task<Result<void>> CrawlThreads::tell_progress(Worker& worker, const crawler::Engine& engine,
                                                      const crawler::Frontier& frontier) {
  while (co_await async::sleep(kProgressEvery)) {
    const std::scoped_lock lock(worker.mutex);
    worker.progress = progress_of(engine, frontier);
  }
  co_return fail(Errc::cancelled);
}

CrawlThreads::CrawlThreads(Machine& machine, async::Loop& loop, crawler::Shards& shards,
                           crawler::PageSink& sink, Parts parts)
    : machine_(machine), loop_(loop), shards_(shards), parts_(std::move(parts)) {
  using Manner = crawler::SinkRelay::Manner;
  const bool is_kept = parts_.backlog_of || parts_.process;
  const Manner manner = is_kept ? Manner::confirmed : Manner::ahead;
  for (std::size_t i = 1; i < shards_.count(); ++i) {
    workers_.push_back(std::make_unique<Worker>(sink, loop_, manner));
  }
}

CrawlThreads::~CrawlThreads() = default;

void CrawlThreads::start() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = *workers_[i];
    if (parts_.make_hooks) worker.hooks = parts_.make_hooks();
    if (parts_.backlog_of) worker.backlog = &parts_.backlog_of(i + 1);
    relays_.spawn(worker.relay.run());
    worker.thread = machine_.start_loop(
        parts_.settings.driver, [this, i](async::Loop& loop) { return run(loop, i + 1); },
        [this, i](Error error) { give_up(i + 1, std::move(error)); });
  }
}

async::Task<void> CrawlThreads::run(async::Loop& loop, std::size_t index) {
  auto crawled = co_await crawl(loop, index);
  if (crawled) co_return;
  Worker& worker = *workers_[index - 1];
  const std::scoped_lock lock(worker.mutex);
  worker.failure = std::move(crawled).error();
}

void CrawlThreads::give_up(std::size_t index, Error error) {
  {
    Worker& worker = *workers_[index - 1];
    const std::scoped_lock lock(worker.mutex);
    worker.failure = {error.code(), fmt::format("cannot start loop {} of {}: {}", index + 1,
                                                shards_.count(), error.message())};
  }
  shards_[index].stop(crawler::EndReason::failed);
  shards_[index].stay_away();
}

async::Task<Result<void>> CrawlThreads::crawl(async::Loop& loop, std::size_t index) {
  async::Scope lookups(async::OnFailure::keep_going);
  auto web = co_await machine_.open_web(lookups, parts_.settings.web);
  if (!web) {
    give_up(index, std::move(web).error());
    co_return {};
  }
  auto crawled = co_await crawl_with(loop, **web, index);
  (*web)->client().close_idle();
  lookups.cancel();
  static_cast<void>(co_await lookups.join());
  co_return crawled;
}

async::Task<Result<void>> CrawlThreads::crawl_with(async::Loop& loop, WebAccess& web,
                                                   std::size_t index) {
  if (!parts_.process) co_return co_await crawl_as(loop, web, index, nullptr);
  async::Scope connections(async::OnFailure::keep_going);
  auto node = co_await join(web, index, connections);
  Result<void> crawled;
  if (node) {
    crawled = co_await crawl_as(loop, web, index, node->get());
    co_await (*node)->close();
  } else if (node.error() == Errc::cancelled) {
    shards_[index].stay_away();
  } else {
    give_up(index, std::move(node).error());
  }
  static_cast<void>(co_await connections.join());
  co_return crawled;
}

async::Task<Result<std::unique_ptr<SharedRun>>> CrawlThreads::join(WebAccess& web,
                                                                   std::size_t index,
                                                                   async::Scope& connections) {
  async::Scope joining(async::OnFailure::keep_going);
  const crawler::Shard::CancelAtStop cancel(shards_[index], joining);
  auto joined =
      joining.spawn(SharedRun::join(parts_.settings, web.resolver(), connections, machine_));
  static_cast<void>(co_await joining.join());
  co_return joined.take();
}

async::Task<Result<void>> CrawlThreads::crawl_as(async::Loop& loop, WebAccess& web,
                                                 std::size_t index, SharedRun* node) {
  Worker& worker = *workers_[index - 1];
  base::Random random(machine_.draw());
  crawler::World world = {.client = web.client(),
                          .resolver = web.resolver_of_hosts(),
                          .random = random,
                          .wall_start = machine_.now(),
                          .loop_start = loop.now(),
                          .bodies = parts_.bodies};
  crawler::Shard& shard = shards_[index];
  auto share = node == nullptr ? shards_.share() : node->make_node(parts_.frontier, &shard);
  const crawler::FrontierSource source = {.backlog = worker.backlog,
                                          .leases = node == nullptr ? nullptr : &node->node()};
  crawler::Frontier frontier(loop, parts_.frontier, std::move(share), source);
  wire::CookieJar cookies;
  parts_.sessions.begin(web, cookies, index);
  crawler::Peers* const peers =
      node == nullptr ? static_cast<crawler::Peers*>(&shard) : &node->node();
  crawler::Engine engine(world, {parts_.settings, std::move(worker.hooks)}, frontier, worker.relay,
                         cookies, peers);
  for (const std::string& place : roots_) engine.mail().take_root(place);
  worker.relay.connect(loop);
  shard.join_in(loop, engine);

  async::Scope watchers(async::OnFailure::keep_going);
  watchers.spawn(tell_progress(worker, engine, frontier));
  auto end = node == nullptr
                 ? co_await engine.run()
                 : co_await node->crawl({engine, frontier, cookies, process_for(index)});
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  static_cast<void>(co_await shard.leave());
  worker.relay.disconnect();
  parts_.sessions.end(web);
  worker.statistics = engine.statistics();
  worker.failure_reason = engine.failure_reason();
  for (wire::Cookie& cookie : cookies.all(machine_.now())) {
    const bool is_own = parts_.process || shards_.owner_of(cookie.domain) == index;
    if (is_own) worker.cookies.push_back(std::move(cookie));
  }
  if (!end && end.error() != Errc::closed) co_return fail(std::move(end).error());
  co_return {};
}

// --- nodes of a shared crawl

// The result for a waiting sync(). Both loops hold it; the waiting one reads it.
struct CrawlThreads::Receipt {
  async::Event has_come;
  Result<void> result;
};

SharedRun::Process CrawlThreads::process_for(std::size_t index) {
  return {.sync = [this, index] { return sync(index); },
          .commit = [this] { parts_.process->commit(); },
          .repeated =
              [this](const std::vector<store::RepeatedPage>& pages) {
                shards_[0].post([this, pages] { parts_.process->repeated(pages); });
              },
          .say =
              [this](const std::string& text) {
                shards_[0].post([this, text] { parts_.process->say(text); });
              }};
}

async::Task<Result<void>> CrawlThreads::sync(std::size_t index) {
  const auto receipt = std::make_shared<Receipt>();
  shards_[0].post([this, index, receipt] { relays_.spawn(sync_for(index, receipt)); });
  if (auto waited = co_await receipt->has_come.wait(); !waited) co_return waited;
  co_return std::move(receipt->result);
}

async::Task<void> CrawlThreads::sync_for(std::size_t index, std::shared_ptr<Receipt> receipt) {
  Result<void> synced = co_await parts_.process->sync();
  shards_[index].post([receipt = std::move(receipt), synced = std::move(synced)]() mutable {
    receipt->result = std::move(synced);
    receipt->has_come.set();
  });
}

async::Task<Result<void>> CrawlThreads::finish() {
  for (const auto& worker : workers_) worker->relay.finish();
  auto joined = co_await relays_.join();
  // Their engines have ended; only their connections remain to be closed.
  for (const auto& worker : workers_) {
    if (worker->thread) co_await worker->thread->join();
    if (!worker->failure || failure_) continue;
    failure_ = std::move(*worker->failure);
    failure_reason_ = worker->failure_reason;
  }
  co_return joined;
}

void CrawlThreads::add_to(CrawlProgress& progress) {
  for (const auto& worker : workers_) {
    const std::scoped_lock lock(worker->mutex);
    progress.add(worker->progress);
  }
}

void CrawlThreads::dump(Print print) {
  const auto shared = std::make_shared<Print>(std::move(print));
  for (std::size_t i = 1; i < shards_.count(); ++i) {
    shards_[i].post([this, shared] {
      shards_[0].post([shared, text = async::Loop::current().dump()] { (*shared)(text); });
    });
  }
}

void CrawlThreads::add_to(crawler::Statistics& statistics) const {
  for (const auto& worker : workers_) statistics.add(worker->statistics);
  statistics.add(crawler::SkipReason::stopped, shards_.undelivered());
}

void CrawlThreads::add_to(wire::CookieJar& cookies) const {
  wire::CookieJar merged;
  const WallTime now = machine_.now();
  for (wire::Cookie& cookie : cookies.all(now)) {
    const bool is_own = parts_.process || shards_.owner_of(cookie.domain) == 0;
    if (is_own) merged.put(std::move(cookie), now);
  }
  for (const auto& worker : workers_) {
    for (const wire::Cookie& cookie : worker->cookies) merged.put(cookie, now);
  }
  cookies = std::move(merged);
}

}  // namespace gossamer::run
