#include "run/crawl_threads.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "async/event.h"
#include "async/sleep.h"
#include "base/random.h"
#include "engine/shards/sink_relay.h"
#include "run/node_process.h"
#include "store/repeated_page.h"

namespace gossamer::run {
namespace {

constexpr Duration kProgressEvery = 200ms;

}  // namespace

struct CrawlThreads::Worker {
  Worker(crawler::PageSink& sink, async::Loop& loop, crawler::SinkRelay::Manner manner)
      : relay(sink, loop, manner) {}

  crawler::SinkRelay relay;
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
async::Task<Result<void>> CrawlThreads::tell_progress(Worker& worker, const CrawlLoop& loop) {
  while (co_await async::sleep(kProgressEvery)) {
    const std::scoped_lock lock(worker.mutex);
    worker.progress = loop.progress();
  }
  co_return fail(Errc::cancelled);
}

CrawlThreads::CrawlThreads(Machine& machine, async::Loop& loop, crawler::Shards& shards,
                           crawler::PageSink& sink, Parts parts)
    : machine_(machine), loop_(loop), shards_(shards), parts_(std::move(parts)) {
  using Manner = crawler::SinkRelay::Manner;
  const Manner manner = parts_.job != nullptr ? Manner::confirmed : Manner::ahead;
  for (std::size_t i = 1; i < shards_.count(); ++i) {
    workers_.push_back(std::make_unique<Worker>(sink, loop_, manner));
  }
}

CrawlThreads::~CrawlThreads() = default;

void CrawlThreads::start() {
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    Worker& worker = *workers_[i];
    if (parts_.make_hooks) worker.hooks = parts_.make_hooks();
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
  if (!parts_.is_shared) co_return co_await crawl_as(loop, web, index, nullptr);
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
  const auto say = [this](const std::string& text) {
    shards_[0].post([&listener = parts_.listener, text] { listener.say(text); });
  };
  auto joined =
      joining.spawn(SharedRun::join(parts_.settings, web.resolver(), connections, machine_, say));
  static_cast<void>(co_await joining.join());
  co_return joined.take();
}

async::Task<Result<void>> CrawlThreads::crawl_as(async::Loop& loop, WebAccess& web,
                                                 std::size_t index, SharedRun* node) {
  Worker& worker = *workers_[index - 1];
  const bool stores_queue = parts_.job != nullptr && !parts_.is_shared;
  CrawlLoop crawl({.machine = machine_,
                   .settings = parts_.settings,
                   .loop = loop,
                   .random = base::Random(machine_.draw()),
                   .web = web,
                   .sessions = parts_.sessions,
                   .frontier = parts_.frontier,
                   .sink = worker.relay,
                   .bodies = parts_.bodies,
                   .wall_start = machine_.now(),
                   .loop_start = loop.now(),
                   .shards = &shards_,
                   .index = index,
                   .shared = node,
                   .backlog = stores_queue ? &parts_.job->backlog_of(index) : nullptr},
                  {parts_.settings, std::move(worker.hooks)});
  crawl.begin_sessions();
  for (const std::string& place : roots_) crawl.engine().mail().take_root(place);
  worker.relay.connect(loop);
  crawl.join_in();

  async::Scope watchers(async::OnFailure::keep_going);
  watchers.spawn(tell_progress(worker, crawl));
  auto end = co_await crawl.run(make_process(crawl, index));
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  worker.relay.disconnect();
  crawl.end_sessions();
  worker.statistics = crawl.engine().statistics();
  worker.failure_reason = crawl.engine().failure_reason();
  for (wire::Cookie& cookie : crawl.cookies().all(machine_.now())) {
    const bool is_own = parts_.is_shared || shards_.owner_of(cookie.domain) == index;
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

// What belongs to the first loop is done there, maybe after the end of this one.
class CrawlThreads::RelayedProcess final : public NodeProcess {
 public:
  RelayedProcess(const Parts& parts, CrawlThreads& threads, std::size_t index)
      : NodeProcess(parts), threads_(threads), index_(index) {}

  async::Task<Result<void>> sync() override { return threads_.sync(index_); }
  void mark_repeated(const std::vector<store::RepeatedPage>& pages) override {
    threads_.shards_[0].post([&job = parts().job, pages] { job.mark_repeated(pages); });
  }
  void say(const std::string& text) override {
    threads_.shards_[0].post([&listener = parts().listener, text] { listener.say(text); });
  }

 private:
  CrawlThreads& threads_;
  const std::size_t index_;
};

std::unique_ptr<node::Process> CrawlThreads::make_process(CrawlLoop& loop, std::size_t index) {
  if (!parts_.is_shared) return nullptr;
  const NodeProcess::Parts parts = {machine_, loop.engine(), loop.frontier(), *parts_.job,
                                    parts_.listener};
  return std::make_unique<RelayedProcess>(parts, *this, index);
}

async::Task<Result<void>> CrawlThreads::sync(std::size_t index) {
  const auto receipt = std::make_shared<Receipt>();
  shards_[0].post([this, index, receipt] { relays_.spawn(sync_for(index, receipt)); });
  if (auto waited = co_await receipt->has_come.wait(); !waited) co_return waited;
  co_return std::move(receipt->result);
}

async::Task<void> CrawlThreads::sync_for(std::size_t index, std::shared_ptr<Receipt> receipt) {
  Result<void> synced = co_await parts_.job->make_durable();
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
    const bool is_own = parts_.is_shared || shards_.owner_of(cookie.domain) == 0;
    if (is_own) merged.put(std::move(cookie), now);
  }
  for (const auto& worker : workers_) {
    for (const wire::Cookie& cookie : worker->cookies) merged.put(cookie, now);
  }
  cookies = std::move(merged);
}

}  // namespace gossamer::run
