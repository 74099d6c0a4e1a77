#include "crawl/engine.h"

#include <algorithm>
#include <coroutine>
#include <memory>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/check.h"
#include "base/log.h"
#include "net/special_address.h"

namespace gossamer::crawler {
namespace {

constexpr Duration kRestWithoutResources = 100ms;
// After so many visits that went well another worker is tried.
constexpr std::uint32_t kVisitsPerWorker = 32;

// co_await Lean(task): awaits it, but what the rare end with an exception takes is not part of the
// frame that awaits.
template <class T>
class [[nodiscard]] Lean {
 public:
  explicit Lean(async::Task<T> task) noexcept : task_(std::move(task)) {}

  void prepare(async::Frame& frame) noexcept {
    std::construct_at(&awaiter_, frame.await_transform(std::move(task_), frame.awaiting_at));
  }
  bool await_ready() const noexcept { return false; }
  auto await_suspend(std::coroutine_handle<> handle) noexcept {
    return awaiter_.await_suspend(handle);
  }
  [[gnu::noinline]] T await_resume() { return awaiter_.await_resume(); }

 private:
  async::Task<T> task_;
  union {
    async::TaskAwaiter<T> awaiter_;  // from prepare() on
  };
};

// The Gregorian year of a time: close enough for guards that look years ahead.
std::int32_t year_of(WallTime time) {
  constexpr std::int64_t kSecondsPerYear = 31'556'952;
  return static_cast<std::int32_t>(1970 + time.seconds / kSecondsPerYear);
}

// One address that stands for all of a host, the same for all hosts that share them.
// Addresses of the own network come last: the guard drops them where there are others.
struct Whereabouts {
  async::Endpoint address;
  bool is_own = false;
};

std::optional<Whereabouts> whereabouts(const net::Addresses& addresses) {
  std::optional<Whereabouts> best;
  for (const auto* const family : {&addresses.v4, &addresses.v6}) {
    for (const async::Endpoint& address : *family) {
      const Whereabouts other = {address, net::is_local(net::kind_of(address))};
      const bool is_better = !best || (best->is_own && !other.is_own) ||
                             (best->is_own == other.is_own && other.address < best->address);
      if (is_better) best = other;
    }
  }
  return best;
}

}  // namespace

Engine::Engine(World& world, Options options, Frontier& frontier, PageSink& sink,
               wire::CookieJar& cookies, Neighbours* neighbours)
    : world_(world),
      options_(std::move(options)),
      frontier_(frontier),
      sink_(sink),
      neighbours_(neighbours),
      intake_(options_, options_.hooks, frontier,
              {.this_year = year_of(world.wall_start), .salt = world.random.next()}, neighbours),
      visitor_(world, options_, options_.hooks, frontier, intake_, sink, cookies),
      robots_options_({.agent = options_.agent, .keeps_captures = options_.keeps_captures}),
      concurrency_(options_.concurrency) {
  intake_.on_skip([this](const SkippedUrl& skipped) {
    statistics_.add(skipped.reason);
    sink_.skip(skipped);
  });
  intake_.on_closed([this](Target target, const OriginEnd& end) { drop(std::move(target), end); });
  visitor_.on_cut([this](const Target& target) {
    if (frontier_.keeps_waiting()) return;  // its time will come
    drop(target, {.failure = Errc::cancelled, .detail = "the crawl ended"});
  });
  visitor_.on_record([this](const FetchRecord& record) { statistics_.add(record); });
  visitor_.on_unrecorded([this](std::uint64_t bytes) { statistics_.wire_bytes += bytes; });
  visitor_.on_received([this](std::uint64_t bytes) { count_received(bytes); });
  visitor_.on_parked([this](std::string_view origin) { park_host(origin); });
  visitor_.on_shortage([this] { return spare_resources(); });
  frontier_.on_unclaimed([this] { add_worker(); });
  frontier_.on_spent([this] { stop(EndReason::page_limit); });
}

void Engine::add_roots() {
  intake_.recall(frontier_.take_counts());
  for (const std::string& text : options_.roots) {
    const auto root = parse_root(text);
    CHECK(root.has_value(), "{} was not validated", text);
    if (neighbours_ == nullptr || neighbours_->is_own(*root)) {
      intake_.add_root(*root);
    } else {
      intake_.widen_here(*root);
    }
  }
  for (const std::string& leaf : options_.leaves) take_link(leaf, {});
  take_letters();
  if (options_.host_bytes_max > 0) {
    frontier_.limit_hosts(options_.host_bytes_max, [this] { stop(EndReason::memory_limit); });
  }
  if (neighbours_ != nullptr) neighbours_->has_begun();
}

async::Task<Result<EndReason>> Engine::run() {
  started_ = async::Loop::current().now();
  async::Scope workers(async::OnFailure::keep_going);
  async::Scope watchers(async::OnFailure::keep_going);
  workers_scope_ = &workers;
  add_roots();
  if (frontier_.has_ready()) add_worker();  // what was there before
  watchers.spawn(watch_end());
  if (options_.time_max) watchers.spawn(watch_clock());
  const bool is_cancelled = !(co_await ended_.wait());
  frontier_.close();
  if (is_cancelled) workers.cancel();
  // Those that are waiting for something to do leave now; the others may finish what they do.
  if (reason_) {
    // Limits of time and bytes mean what they say: nothing in flight goes on beyond them.
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
    if (auto recorded = co_await record_dropped(); !recorded)
      failure_ = std::move(recorded).error();
  }
  if (failure_) co_return fail(std::move(*failure_));
  if (is_cancelled) co_return fail(Errc::cancelled);
  statistics_.unreached = frontier_.unreached();
  const bool is_incomplete = statistics_.unreached.hosts > 0;
  co_return reason_.value_or(is_incomplete ? EndReason::incomplete : EndReason::finished);
}

// What was asked for, and was waiting to be asked for again, gets its record.
void Engine::end_waiting() {
  frontier_.drain([this](Target target) {
    if (target.is_probe) return;
    if (target.tries == 0) return statistics_.add(SkipReason::stopped);
    drop(std::move(target), {.failure = Errc::cancelled, .detail = "the crawl ended"});
  });
}

async::Task<Result<void>> Engine::join_workers() { co_return co_await workers_scope_->join(); }

async::Task<Result<void>> Engine::watch_end() {
  for (;;) {
    if (auto idle = co_await frontier_.join(); !idle) co_return idle;
    // Roots may have been refused at once by an origin that is closed.
    if (auto recorded = co_await record_dropped(); !recorded) {
      give_up(std::move(recorded).error());
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
  const bool is_news = !reason_ || (reason == EndReason::aborted && *reason_ != reason);
  if (is_news && neighbours_ != nullptr) neighbours_->stop(reason);
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

// Its frame waits for answers. What it holds then is the flight and little else: each await, and
// the result of each, has a place in the frame for good, so what need not be here is done
// elsewhere.
async::Task<void> Engine::work() {
  bool is_new = true;
  while (workers_ <= concurrency_) {
    Flight flight(async::running_frame->scope->routine());
    const bool is_flying = co_await take_off(flight);
    if (std::exchange(is_new, false)) --starting_;
    if (!is_flying) break;
    if (frontier_.has_ready()) add_worker();
    bool goes_on = false;
    try {
      auto answer = co_await Lean(visitor_.ask(flight));
      goes_on = co_await Lean(land(flight, answer));
    } catch (const std::exception& exception) {
      goes_on = crash(flight, exception);
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

async::Task<bool> Engine::take_off(Flight& flight) {
  auto claim = co_await frontier_.claim();
  if (!claim) co_return false;
  flight.begin(std::move(*claim));
  ++busy_;
  flights_.push_back(flight);
  co_return true;
}

async::Task<Result<void>> Engine::perform(Flight& flight, Result<http::Response>& answer) {
  switch (flight.claim.work) {
    case Work::resolve: return resolve(flight.claim);
    case Work::robots: return fetch_rules(flight.claim);
    case Work::page: break;
  }
  return visitor_.take(flight, answer);
}

async::Task<bool> Engine::land(Flight& flight, Result<http::Response>& answer) {
  auto done = co_await perform(flight, answer);
  // The end of all before the claim's: else the next claim of that host comes without its pause.
  if (!done) give_up(done.error().copy());
  flight.claim.give_up();  // unless it is over
  if (done && !dropped_.empty()) {
    done = co_await record_dropped();
    if (!done) give_up(done.error().copy());
  }
  flights_.remove(flight);  // when nothing can throw any more: who catches it does this
  co_return done.has_value();
}

// Out of memory, or a hook: it ends the crawl and not only this worker, which nobody would miss.
bool Engine::crash(Flight& flight, const std::exception& exception) {
  flights_.remove(flight);
  give_up({Errc::internal, exception.what()});
  flight.claim.give_up();
  return false;
}

void Engine::give_up(Error error) {
  if (error == Errc::cancelled) return;  // whoever did that has a reason of their own
  const bool is_of_sink = error == Errc::io_failed;
  if (!failure_) failure_ = std::move(error);
  stop(is_of_sink ? EndReason::sink_failed : EndReason::failed);
}

// With fewer descriptors than workers, workers leave until those that stay have enough. Who found
// none rests a while, so that nobody tries again and again in the same instant.
async::Task<Result<void>> Engine::spare_resources() {
  world_.client.close_idle();
  const std::uint32_t lowered = std::max<std::uint32_t>(1, busy_ * 3 / 4);
  if (lowered < concurrency_) {
    concurrency_ = lowered;
    LOG(warn, "out of descriptors: going on with {} fetches at once", concurrency_);
  }
  co_return co_await async::sleep(kRestWithoutResources);
}

void Engine::count_received(std::uint64_t bytes) {
  if (!options_.wire_bytes_max) return;
  received_bytes_ += bytes;
  const std::uint64_t in_all =
      neighbours_ == nullptr ? received_bytes_ : neighbours_->add_wire_bytes(bytes);
  if (in_all >= *options_.wire_bytes_max) stop(EndReason::quota);
}

// --- preparing an origin

bool Engine::spend_try(Claim& claim) const {
  if (claim.target.tries + 1U >= options_.tries_max) return false;
  ++claim.target.tries;
  return true;
}

// A host that answered before is waited for: the frontier says when that has taken too long.
bool Engine::has_tries(Claim& claim) const {
  return spend_try(claim) || frontier_.has_answered(claim);
}

async::Task<Result<void>> Engine::resolve(Claim& claim) {
  const auto origin = url::Url::parse(claim.origin());
  CHECK(origin.has_value(), "{} is no origin", claim.origin());
  std::string host(origin->hostname());
  if (world_.resolver == nullptr) {
    frontier_.resolved(std::move(claim), std::nullopt, false);
    co_return {};
  }
  auto addresses = co_await world_.resolver->look_up(std::move(host));
  if (addresses && !addresses->empty()) {
    const auto found = whereabouts(*addresses);
    frontier_.resolved(std::move(claim), found->address, found->is_own);
    co_return {};
  }
  if (!addresses && addresses.error() == Errc::cancelled) co_return fail(Errc::cancelled);
  if (!addresses && addresses.error() == Errc::no_resources) {
    static_cast<void>(frontier_.retry(std::move(claim), HostSign::none, std::nullopt));
    co_return co_await spare_resources();
  }
  // That there is no such name is an answer; that nobody answers may pass.
  if (!addresses && has_tries(claim)) {
    const std::string name(claim.origin());
    if (frontier_.retry(std::move(claim), HostSign::failed, std::nullopt)) park_host(name);
    co_return {};
  }
  close_origin(std::move(claim),
               {.reason = SkipReason::none,
                .failure = Errc::dns_failed,
                .detail = addresses ? "the name has no address" : addresses.error().to_string()});
  co_return {};
}

async::Task<Result<void>> Engine::fetch_rules(Claim& claim) {
  const WallTime now = world_.wall(claim.started);
  RobotsAnswer answer = co_await fetch_robots(world_.client, decoder_, std::string(claim.origin()),
                                              robots_options_, now);
  if (answer.failure && *answer.failure == Errc::cancelled) co_return fail(Errc::cancelled);
  if (answer.failure && *answer.failure == Errc::no_resources) {
    static_cast<void>(frontier_.retry(std::move(claim), HostSign::none, std::nullopt));
    co_return co_await spare_resources();
  }
  for (Exchange& exchange : answer.exchanges) {
    if (auto put = co_await sink_.put_other(std::move(exchange)); !put) co_return put;
  }
  take_rules(std::move(claim), std::move(answer));
  co_return {};
}

void Engine::take_rules(Claim claim, RobotsAnswer answer) {
  const Instant now = async::Loop::current().now();
  const Instant good_until = base::add_saturating(now, options_.robots_max_age);
  const std::string origin(claim.origin());
  if (!options_.obeys_robots) {  // it was only asked for sitemaps
    add_sitemaps(origin, answer.robots);
    return frontier_.has_rules(std::move(claim), {{}, good_until}, Duration::zero());
  }
  if (answer.kind == RobotsAnswer::Kind::rules) {
    const Duration delay = answer.robots.crawl_delay().value_or(Duration::zero());
    if (delay > options_.politeness.crawl_delay_max) {
      return close_origin(std::move(claim), {.reason = SkipReason::crawl_delay,
                                             .detail = "Crawl-delay " + base::to_string(delay)});
    }
    if (options_.reads_sitemaps) add_sitemaps(origin, answer.robots);
    return frontier_.has_rules(
        std::move(claim), {std::move(answer.robots), good_until, std::move(answer.source)}, delay);
  }
  const bool is_failed = answer.kind == RobotsAnswer::Kind::failed;
  // A gateway says that nobody answers it.
  const int status = answer.status.value_or(0);
  const bool is_silent = is_failed || status == 502 || status == 504;
  const HostSign sign = is_silent ? HostSign::failed : HostSign::refused;
  // Where we may not connect now we may not connect later.
  const bool is_denied = is_failed && *answer.failure == Errc::denied;
  const OriginRules* const old = claim.rules();
  const bool is_stale = old != nullptr && old->good_until <= claim.started;
  const bool is_tried_again = is_silent && !is_stale ? has_tries(claim) : spend_try(claim);
  if (is_tried_again && !is_denied) {
    if (frontier_.retry(std::move(claim), sign, answer.retry_after)) park_host(origin);
    return;
  }
  // Rules that were good a day ago are better than none.
  if (old != nullptr) {
    const Duration delay = old->robots.crawl_delay().value_or(Duration::zero());
    robots::Robots robots = old->robots;
    return frontier_.has_rules(std::move(claim), {std::move(robots), good_until}, delay);
  }
  OriginEnd end = {.reason = SkipReason::robots_unreachable, .may_pass = !is_failed};
  if (is_failed) {
    end.reason = SkipReason::none;
    end.failure = answer.failure->code();
    end.detail = answer.failure->to_string();
  } else {
    end.detail = "robots.txt: status " + std::to_string(status);
  }
  close_origin(std::move(claim), std::move(end));
}

void Engine::add_sitemaps(std::string_view origin, const robots::Robots& robots) {
  const auto base = url::Url::parse(std::string(origin) + "/robots.txt");
  if (!base) return;
  Target facts;
  facts.via = Referrer(base->href());
  facts.is_sitemap = true;
  for (const std::string& sitemap : robots.sitemaps()) {
    if (const auto url = base->resolve(sitemap)) intake_.add(*url, facts);
  }
  if (!robots.sitemaps().empty()) return;
  facts.mark_as_guessed_sitemap();
  if (const auto url = base->resolve(kGuessedSitemap)) intake_.add(*url, facts);
}

// --- origins of which nothing more is asked

void Engine::drop(Target target, const OriginEnd& end) {
  if (target.is_probe) return;
  if (end.reason != SkipReason::none) {
    statistics_.add(end.reason);
    sink_.skip({.url = target.url,
                .reason = end.reason,
                .via = target.via.url(),
                .depth = target.depth,
                .detail = end.detail});
    frontier_.settle(target);
    return;
  }
  // Those of one origin have one end.
  const bool is_same = !dropped_.empty() && dropped_.back().end->failure == end.failure &&
                       dropped_.back().end->detail == end.detail;
  auto shared = is_same ? dropped_.back().end : std::make_shared<const OriginEnd>(end);
  dropped_.push_back({std::move(target), std::move(shared)});
}

void Engine::close_origin(Claim claim, OriginEnd end) {
  const std::string origin(claim.origin());
  frontier_.close_origin(origin, std::move(end), [this](Target target, const OriginEnd& why) {
    drop(std::move(target), why);
  });
}

void Engine::park_host(std::string_view origin) {
  const OriginEnd end = end_of_parked(frontier_.park_reason(origin), options_.politeness.wait_max);
  const std::uint64_t before = frontier_.unreached().hosts;
  frontier_.park_host(origin, OriginEnd(end), dropping("given up: " + end.detail));
  // Several requests in flight may find the same, and perhaps nothing is lost by it.
  if (frontier_.unreached().hosts > before) LOG(warn, "{}: {}", origin, end.detail);
}

DropTarget Engine::dropping(std::string why_given_up) {
  return [this, why = std::move(why_given_up)](Target target, const OriginEnd& end) {
    if (target.tries == 0) return drop(std::move(target), end);
    // It was asked for, so it gets its record.
    drop(std::move(target),
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
    record.is_leaf = dropped.target.is_leaf;
    statistics_.add(record);
    if (auto put = co_await sink_.put(std::move(page)); !put) co_return put;
    frontier_.settle(dropped.target);
  }
  co_return {};
}

}  // namespace gossamer::crawler
