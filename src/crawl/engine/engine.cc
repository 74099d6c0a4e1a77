#include "engine/engine.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "async/lean.h"
#include "async/loop.h"
#include "async/routine.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/check.h"
#include "base/log.h"
#include "engine/exception.h"
#include "engine/page/peers.h"

namespace gossamer::crawler {
namespace {

constexpr Duration kRestWithoutResources = 100ms;
// After this many successful visits, another worker is added.
constexpr std::uint32_t kVisitsPerWorker = 32;

// The Gregorian year of a time; precise enough for guards that look years ahead.
std::int32_t year_of(WallTime time) {
  constexpr std::int64_t kSecondsPerYear = 31'556'952;
  return static_cast<std::int32_t>(1970 + time.seconds / kSecondsPerYear);
}

}  // namespace

Engine::Engine(World& world, Options options, Frontier& frontier, PageSink& sink,
               wire::CookieJar& cookies, Peers* peers)
    : world_(world),
      options_(std::move(options)),
      frontier_(frontier),
      sink_(sink),
      peers_(peers),
      intake_(options_, options_.hooks, frontier,
              {.this_year = year_of(world.wall_start), .salt = world.random.next()}, this, peers),
      mail_(frontier, intake_),
      body_memory_(body_shares(options_).bodies),
      preparer_(world, options_, frontier, intake_, sink, body_memory_, *this),
      visitor_(world, options_, options_.hooks, frontier, intake_, sink, cookies, body_memory_,
               *this),
      concurrency_(options_.concurrency) {
  frontier_.on_unclaimed([this] { add_worker(); });
  frontier_.on_spent([this] { stop(EndReason::page_limit); });
}

void Engine::add_roots() {
  intake_.recall(frontier_.take_counts());
  for (const std::string& text : options_.roots) {
    const auto root = parse_root(text);
    CHECK(root.has_value(), "{} was not validated", text);
    if (peers_ == nullptr || peers_->is_own(*root)) {
      intake_.add_root(*root);
    } else {
      intake_.widen_here(*root);
    }
  }
  for (const std::string& leaf : options_.leaves) mail_.take_link(leaf, {});
  mail_.take_undelivered();
  if (options_.host_bytes_max > 0) {
    frontier_.limit_hosts(options_.host_bytes_max, [this] { stop(EndReason::memory_limit); });
  }
}

async::Task<Result<EndReason>> Engine::run() {
  started_ = async::Loop::current().now();
  async::Scope workers(async::OnFailure::keep_going);
  async::Scope watchers(async::OnFailure::keep_going);
  workers_scope_ = &workers;
  try {
    add_roots();
  } catch (...) {  // out of memory, or a hook
    give_up(EndReason::failed, error_of_exception());
  }
  frontier_.has_begun();
  if (peers_ != nullptr) peers_->has_begun();
  if (frontier_.has_ready()) add_worker();  // work from before the start
  watchers.spawn(watch_end());
  if (options_.time_max) watchers.spawn(watch_clock());
  const bool is_cancelled = !(co_await ended_.wait());
  frontier_.close();
  if (is_cancelled) workers.cancel();
  // Waiting workers leave now; the others may finish their work.
  if (reason_) {
    // Limits of time and bytes also apply to requests in flight.
    const bool is_limit = *reason_ == EndReason::time_limit || *reason_ == EndReason::quota;
    const Duration grace = is_limit ? Duration::zero() : options_.grace;
    static_cast<void>(co_await async::with_timeout(grace, join_workers()));
  } else {
    static_cast<void>(co_await workers.join());
  }
  watchers.cancel();
  static_cast<void>(co_await watchers.join());
  workers_scope_ = nullptr;
  is_over_ = true;
  end_waiting();
  if (!is_cancelled && !failure_) {
    auto recorded = co_await record_dropped();
    if (!recorded && recorded.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!recorded && !failure_) {
      failure_ = {.reason = EndReason::sink_failed, .error = std::move(recorded).error()};
    }
  }
  if (failure_) co_return fail(std::move(failure_->error));
  if (is_cancelled) co_return fail(Errc::cancelled);
  statistics_.unreached = frontier_.unreached();
  const bool is_incomplete = statistics_.unreached.hosts > 0;
  co_return reason_.value_or(is_incomplete ? EndReason::incomplete : EndReason::finished);
}

// A target that was fetched before and waits for a retry gets its record.
void Engine::end_waiting() {
  frontier_.drain([this](Target target) {
    if (target.is_probe()) return;
    if (target.tries == 0) return statistics_.add(SkipReason::stopped);
    on_drop(std::move(target), {.failure = Errc::cancelled, .detail = "the crawl ended"});
  });
}

async::Task<Result<void>> Engine::join_workers() { co_return co_await workers_scope_->join(); }

async::Task<Result<void>> Engine::watch_end() {
  for (;;) {
    if (auto idle = co_await frontier_.join(); !idle) co_return idle;
    // A closed origin may have rejected the roots immediately.
    if (auto recorded = co_await record_dropped(); !recorded) {
      give_up(EndReason::sink_failed, std::move(recorded).error());
      co_return {};
    }
    if (frontier_.waiting() + frontier_.claimed() == 0) break;
  }
  ended_.set();
  co_return {};
}

async::Task<Result<void>> Engine::watch_clock() {
  if (auto slept = co_await async::sleep(*options_.time_max); !slept) co_return slept;
  stop(EndReason::time_limit);
  co_return {};
}

void Engine::stop(EndReason reason) {
  // At the page limit of a shared crawl, other loops may still have pages.
  const bool is_stronger = reason == EndReason::aborted || reason_ == EndReason::page_limit;
  const bool is_news = !reason_ || (is_stronger && *reason_ != reason);
  if (is_news && peers_ != nullptr) peers_->stop(reason);
  stop_here(reason);
}

void Engine::stop_here(EndReason reason) {
  const bool is_abort = reason == EndReason::aborted;
  if (!reason_ || is_abort) reason_ = reason;
  frontier_.close();
  if (is_abort && workers_scope_ != nullptr) workers_scope_->cancel();
  ended_.set();
}

// --- workers

void Engine::add_worker() {
  if (workers_scope_ == nullptr || workers_ >= concurrency_ || starting_ > 0) return;
  ++workers_;
  ++starting_;
  workers_scope_->spawn(work());
}

// Its frame waits for responses, so it holds little more than the fetch. Every await and its result
// take permanent space in the frame, so other functions do the rest.
async::Task<void> Engine::work() {
  bool is_new = true;
  while (workers_ <= concurrency_) {
    Fetch fetch(async::current_routine());
    const bool has_work = co_await claim(fetch);
    if (std::exchange(is_new, false)) --starting_;
    if (!has_work) break;
    if (frontier_.has_ready()) add_worker();
    bool goes_on = false;
    try {
      auto answer = co_await async::Lean(visitor_.ask(fetch));
      goes_on = co_await async::Lean(complete(fetch, answer));
    } catch (...) {
      crash(fetch);
    }
    --busy_;
    if (!goes_on) break;
    if (concurrency_ < options_.concurrency && ++since_lowered_ % kVisitsPerWorker == 0) {
      ++concurrency_;
    }
  }
  if (is_new) --starting_;
  --workers_;
}

async::Task<bool> Engine::claim(Fetch& fetch) {
  auto claim = co_await frontier_.claim();
  if (!claim) co_return false;
  fetch.begin(std::move(*claim));
  ++busy_;
  fetches_.push_back(fetch);
  co_return true;
}

async::Task<Result<void>> Engine::perform(Fetch& fetch, Result<http::Response>& answer) {
  switch (fetch.claim.work) {
    case Work::resolve: return preparer_.resolve(fetch.claim);
    case Work::robots: return preparer_.fetch_rules(fetch.claim);
    case Work::page: break;
  }
  return visitor_.take(fetch, answer);
}

async::Task<bool> Engine::complete(Fetch& fetch, Result<http::Response>& answer) {
  auto done = co_await perform(fetch, answer);
  // Everything else ends before the claim; otherwise the host's next claim would skip its pause.
  if (!done) give_up(EndReason::sink_failed, done.error().copy());
  fetch.claim.give_up();  // unless it has ended
  if (done && !dropped_.empty()) {
    done = co_await record_dropped();
    if (!done) give_up(EndReason::sink_failed, done.error().copy());
  }
  // Last, when nothing can throw; the handler of an exception does the same.
  fetches_.remove(fetch);
  co_return done.has_value();
}

// An exception (out of memory, or a hook) ends the whole crawl, not only this worker.
void Engine::crash(Fetch& fetch) {
  fetches_.remove(fetch);
  give_up(EndReason::failed, error_of_exception());
  fetch.claim.give_up();
}

void Engine::give_up(EndReason reason, Error error) {
  if (error == Errc::cancelled) return;  // the canceller has its own reason
  if (!failure_) failure_ = {.reason = reason, .error = std::move(error)};
  stop(reason);
}

// If there are fewer descriptors than workers, workers leave until the rest have enough. A worker
// without a descriptor waits a while, so that it does not retry in a tight loop.
async::Task<Result<void>> Engine::on_shortage() {
  world_.client.close_idle();
  const std::uint32_t lowered = std::max<std::uint32_t>(1, busy_ * 3 / 4);
  if (lowered < concurrency_) {
    concurrency_ = lowered;
    LOG(warn, "no free file descriptors: continuing with {} concurrent fetches", concurrency_);
  }
  co_return co_await async::sleep(kRestWithoutResources);
}

// Includes pages that are still being read, so that the quota is exceeded only slightly.
void Engine::on_received(std::uint64_t bytes) {
  if (!options_.wire_bytes_max) return;
  received_bytes_ += bytes;
  const std::uint64_t in_all = peers_ == nullptr ? received_bytes_ : peers_->add_wire_bytes(bytes);
  if (in_all >= *options_.wire_bytes_max) stop(EndReason::quota);
}

// --- events of the parts

void Engine::on_skip(const SkippedUrl& skipped) {
  statistics_.add(skipped.reason);
  try {
    sink_.skip(skipped);
  } catch (...) {
    give_up(EndReason::failed, error_of_exception());
  }
}

void Engine::on_record(const FetchRecord& record) {
  statistics_.add(record);
  failures_.note(record, async::Loop::current().now());
}

void Engine::on_cut(const Target& target) {
  if (frontier_.keeps_waiting()) return;  // a later process fetches it
  on_drop(target, {.failure = Errc::cancelled, .detail = "the crawl ended"});
}

void Engine::on_drop(Target target, const OriginEnd& end) {
  if (target.is_probe()) return;
  if (end.reason != SkipReason::none) {
    on_skip({.url = target.url,
             .reason = end.reason,
             .via = target.via.url(),
             .depth = target.depth,
             .detail = end.detail});
    frontier_.settle(target);
    return;
  }
  // All targets of an origin have the same end.
  const bool is_same = !dropped_.empty() && dropped_.back().end->failure == end.failure &&
                       dropped_.back().end->detail == end.detail;
  auto shared = is_same ? dropped_.back().end : std::make_shared<const OriginEnd>(end);
  dropped_.push_back({std::move(target), std::move(shared)});
}

void Engine::on_parked(std::string_view origin) {
  const OriginEnd end = end_of_parked(frontier_.park_reason(origin), options_.politeness.wait_max);
  const std::uint64_t before = frontier_.unreached().hosts;
  frontier_.park_host(origin, OriginEnd(end), dropping("not retried: " + end.detail));
  // Several requests in flight may report the same host, possibly without losing any URL.
  if (frontier_.unreached().hosts > before) LOG(warn, "{}: {}", origin, end.detail);
}

DropTarget Engine::dropping(std::string why_given_up) {
  return [this, why = std::move(why_given_up)](Target target, const OriginEnd& end) {
    if (target.tries == 0) return on_drop(std::move(target), end);
    // It was fetched before, so it gets a record.
    on_drop(std::move(target),
            {.reason = SkipReason::none, .failure = Errc::unavailable, .detail = why});
  };
}

async::Task<Result<void>> Engine::record_dropped() {
  while (!dropped_.empty()) {
    const Dropped dropped = std::move(dropped_.front());
    dropped_.pop_front();
    Page page;
    FetchRecord& record = page.record;
    record.ts = world_.wall(async::Loop::current().now());
    record.url = dropped.target.url;
    record.depth = dropped.target.depth;
    record.via = dropped.target.via.url();
    record.tries = std::max<std::uint32_t>(dropped.target.tries, 1);
    record.error = base::name(dropped.end->failure);
    record.error_detail = dropped.end->detail;
    record.is_leaf = dropped.target.is_leaf();
    on_record(record);
    try {
      if (auto put = co_await sink_.put(std::move(page)); !put) co_return put;
    } catch (...) {
      Error error = error_of_exception();
      give_up(EndReason::failed, error.copy());
      co_return fail(std::move(error));
    }
    frontier_.settle(dropped.target);
  }
  co_return {};
}

async::Task<Result<void>> Engine::settle_dropped() {
  if (is_over_) co_return {};  // run() has recorded them
  auto recorded = co_await record_dropped();
  if (recorded || recorded.error() == Errc::cancelled) co_return recorded;
  give_up(EndReason::sink_failed, std::move(recorded).error());
  co_return {};
}

// --- steering

std::vector<FetchFacts> Engine::fetches(std::size_t count_max) const {
  const Instant now = async::Loop::current().now();
  std::vector<FetchFacts> all;
  // They are sorted by start time.
  for (const Fetch* fetch = fetches_.first(); fetch != nullptr && all.size() < count_max;
       fetch = fetches_.next(*fetch)) {
    if (fetch->claim.is_held()) all.push_back(describe(*fetch, now));
  }
  return all;
}

void Engine::pause() {
  is_paused_ = true;
  tell_claims();
}

void Engine::resume() {
  is_paused_ = false;
  tell_claims();
}

void Engine::hold(bool is_held) {
  if (std::exchange(is_held_, is_held) != is_held) tell_claims();
}

void Engine::tell_claims() {
  frontier_.set_claims_max(is_paused_ || is_held_ ? 0 : options_.concurrency);
}

void Engine::set_concurrency(std::uint32_t concurrency) {
  options_.concurrency = concurrency;
  concurrency_ = concurrency;
  tell_pace();
  tell_claims();
}

void Engine::set_delay(std::optional<Duration> delay) {
  options_.politeness.delay = delay;
  tell_pace();
}

void Engine::set_global_gap(Duration gap) {
  options_.global_gap = gap;
  tell_pace();
}

void Engine::tell_pace() { frontier_.set_pace(frontier_politeness(options_), options_.global_gap); }

std::optional<Verdict> Engine::add_root(const url::Url& root) {
  if (ended_.is_set()) return std::nullopt;
  // The crawl may already have ended, here or on another loop, without this loop knowing it.
  if (peers_ == nullptr && frontier_.waiting() + frontier_.claimed() == 0) return std::nullopt;
  if (peers_ != nullptr && !peers_->hold_open()) return std::nullopt;
  std::optional<Verdict> verdict;
  try {
    intake_.widen(root);
    Target facts;
    facts.purpose = Purpose::root;
    verdict = intake_.add(root, facts);
  } catch (...) {  // out of memory, or a hook
    give_up(EndReason::failed, error_of_exception());
  }
  if (peers_ != nullptr) peers_->let_go();
  return verdict;
}

void Engine::block_host(std::string_view hostname) {
  blocked_.emplace(hostname);
  frontier_.block_host(hostname, {.reason = SkipReason::blocked, .detail = "the host was blocked"},
                       dropping("not retried: the host was blocked"));
}

void Engine::unblock_host(std::string_view hostname) {
  const auto found = blocked_.find(hostname);
  if (found == blocked_.end()) return;
  blocked_.erase(found);
  frontier_.unblock_host(hostname);
}

}  // namespace gossamer::crawler
