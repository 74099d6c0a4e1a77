#include "node/shared_node.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/check.h"
#include "base/log.h"
#include "cluster/root_places.h"
#include "crawl/exception.h"
#include "crawl/shards/site_number.h"

namespace gossamer::node {
namespace {

constexpr Duration kBeatEvery = 1s;
constexpr Duration kPatience = 20s;
// Counting all partitions takes 768 commands, so many nodes count less often.
constexpr std::uint64_t kNodesPerCount = 8;
// A host with a longer pause is released. The next holder adds the usual pause, which is shorter.
constexpr Duration kSleepMax = 10min;
// A node that no host answers leases nothing for this long. Each time it takes twice as long.
constexpr Duration kUnheardPauseMin = 10s;
constexpr Duration kUnheardPauseMax = 5min;
// A host that failed this often is passed on if no other host answers. It is probed from then on.
constexpr std::uint16_t kUnheardFailures = 2;
// BOUND: an origin's robots.txt in the state of a host. A longer one is fetched again.
constexpr std::size_t kRulesBytesMax = std::size_t{16} * 1024;
constexpr std::size_t kRulesMax = 8;

}  // namespace

Instant SharedNode::now() { return async::Loop::current().now(); }

SharedNode::SharedNode(Servers servers, crawler::OpenWork& work, NodeOptions options)
    : servers_(servers),
      work_(work),
      options_(std::move(options)),
      facts_(options_.facts),
      hosts_wanted_(options_.hosts_max),
      moments_(options_.address_gap),
      is_begun_(options_.facts.has_begun) {
  work_.hold();                            // until the crawl has ended for all nodes
  facts_.control = cluster::Control::run;  // until the first beat
}

void SharedNode::join_in(crawler::Engine& engine, crawler::Frontier& frontier,
                         wire::CookieJar& cookies, Process process) {
  engine_ = &engine;
  frontier_ = &frontier;
  cookies_ = &cookies;
  process_ = std::move(process);
}

async::Task<Result<void>> SharedNode::run() {
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(exchange());
  tasks.spawn(renew());
  tasks.spawn(beat());
  tasks.spawn(reserve());
  co_return co_await tasks.join();
}

bool SharedNode::bear(const Error& error) {
  if (error == Errc::cancelled) return false;
  const bool may_pass =
      error == Errc::unavailable || error == Errc::timed_out || error == Errc::no_space;
  if (may_pass) {
    if (!std::exchange(is_in_trouble_, true)) {
      process_.say("the shared crawl waits: " + error.message());
    }
    return true;
  }
  Error failure = error.copy();
  if (error == Errc::not_found) {
    failure = Error(Errc::not_found, "Redis has lost the shared crawl " + options_.crawl +
                                         ", but this node keeps the pages that it fetched: " +
                                         std::string(error.detail()));
  }
  engine_->give_up(crawler::EndReason::cluster_failed, std::move(failure));
  return false;
}

void SharedNode::recover() {
  if (std::exchange(is_in_trouble_, false)) process_.say("the shared crawl resumes");
}

// --- what the engine tells

crawler::Peers::Sent SharedNode::send(const url::Url& url, std::uint64_t fingerprint,
                                      const crawler::Target& facts) {
  if (facts.ticket != 0) return Sent::own;  // it was leased
  if (!outbox_.add(url, fingerprint, facts)) return Sent::sent_before;
  tell_pressure();
  return Sent::sent;
}

void SharedNode::widen(const url::Url& root) {
  std::string place(root.without_fragment());
  if (places_.size() >= cluster::kRootPlacesMax || !places_.insert(place).second) return;
  new_places_.push_back(std::move(place));
}

void SharedNode::has_begun() {
  are_roots_added_ = true;
  news_.set();
}

void SharedNode::end(std::uint64_t ticket) {
  const LeaseBook::Place place = book_.find(ticket);
  if (place.lease == nullptr || !place.lease->end(place.number)) return;
  if (place.lease->stage == HostLease::Stage::lost) {
    repeated_.push_back(place.lease->url_of(place.number));
    return;
  }
  ++ended_;
  if (place.lease->order().open() == 0) news_.set();
  tell_pressure();
}

void SharedNode::note_host(std::string_view hostname, const crawler::PaceMemory& pace) {
  HostLease* const lease = book_.find_host(hostname);
  if (lease == nullptr) return;
  lease->state().pace = pace;
  lease->ready_at = pace.ready_at;
  if (pace.failures == 0) {
    last_answer_ = now();
    unheard_pause_ = Duration::zero();
    lease->silent_since.reset();
    lease->state().unheard_by.clear();
  } else if (!lease->silent_since) {
    lease->silent_since = now();
  }
}

void SharedNode::note_rules(std::string_view origin, std::string_view source, Instant good_until) {
  HostLease* const lease = book_.find_host(crawler::host_in(origin));
  if (lease == nullptr) return;
  std::vector<HostState::Rules>& rules = lease->state().rules;
  std::erase_if(rules, [&](const HostState::Rules& each) { return each.origin == origin; });
  if (source.size() > kRulesBytesMax || rules.size() >= kRulesMax) return;
  rules.push_back({.origin = std::string(origin),
                   .source = std::string(source),
                   .good_until = process_.wall_now() + (good_until - now())});
}

std::optional<crawler::PaceMemory> SharedNode::pace_of(std::string_view hostname) {
  HostLease* const lease = book_.find_host(hostname);
  const bool is_known = lease != nullptr && lease->is_known();
  return is_known ? std::optional(lease->state().pace) : std::nullopt;
}

std::optional<crawler::StoredRules> SharedNode::rules_of(std::string_view origin) {
  HostLease* const lease = book_.find_host(crawler::host_in(origin));
  if (lease == nullptr) return std::nullopt;
  for (const HostState::Rules& each : lease->state().rules) {
    if (each.origin != origin) continue;
    const std::int64_t seconds = each.good_until.seconds - process_.wall_now().seconds;
    if (seconds <= 0) return std::nullopt;
    constexpr std::int64_t kDay = 24 * 3600;
    return crawler::StoredRules{
        .source = each.source, .good_until = now() + std::chrono::seconds(std::min(seconds, kDay))};
  }
  return std::nullopt;
}

void SharedNode::note_counts(std::uint64_t ticket, std::span<const crawler::StoredCount> counts) {
  const LeaseBook::Place place = book_.find(ticket);
  if (place.lease != nullptr) place.lease->note_counts(place.number, counts);
}

std::uint64_t SharedNode::follow_up(std::uint64_t ticket) {
  const LeaseBook::Place place = book_.find(ticket);
  if (place.lease == nullptr || !place.lease->order().is_open(place.number)) return 0;
  place.lease->hold(place.number);
  return ticket;
}

// --- hosts

void SharedNode::open(cluster::LeasedHost host) {
  // An earlier lease of ours still has requests in flight: this one expires unused.
  if (book_.find_host(host.host) != nullptr) return;
  std::vector<cluster::UrlBatch> batches = std::exchange(host.batches, {});
  HostLease& lease = book_.add(std::move(host));
  const std::vector<wire::Cookie> cookies = std::exchange(lease.state().cookies, {});
  for (const wire::Cookie& cookie : cookies) cookies_->put(cookie, process_.wall_now());
  engine_->mail().take_counts(lease.state().counts);
  drop_stale_pages();
  frontier_->lease_host(lease.name(), lease.host().until);
  if (process_.is_blocked(lease.name())) engine_->block_host(lease.name());
  std::optional<Error> failure;
  const std::vector<crawler::Target> targets = lease.take(std::move(batches), failure);
  if (failure) LOG(error, "{}: URLs are lost: {}", lease.name(), failure->message());
  deliver(targets);
}

void SharedNode::deliver(const std::vector<crawler::Target>& targets) {
  if (engine_->is_over()) return;
  try {
    for (const crawler::Target& target : targets) {
      crawler::Target facts = target;
      facts.url.clear();
      engine_->mail().take_leased(target.url, facts);
    }
  } catch (...) {  // out of memory, or a hook
    engine_->give_up(crawler::EndReason::failed, crawler::error_of_exception());
  }
}

void SharedNode::lose(HostLease& lease) {
  lease.stage = HostLease::Stage::lost;
  std::vector<std::string> urls = lease.unknown_urls();
  LOG(warn, "{}: the lease had expired; another node fetches {} pages again", lease.name(),
      urls.size());
  for (std::string& url : urls) repeated_.push_back(std::move(url));
  news_.set();
}

bool SharedNode::is_unheard(const HostLease& lease) const {
  if (facts_.nodes <= 1 || !lease.silent_since || last_answer_ >= *lease.silent_since) return false;
  const HostState& state = lease.state();
  if (state.pace.failures < kUnheardFailures) return false;
  // Hosts end that several nodes could not reach.
  std::set<std::uint64_t> nodes(state.unheard_by.begin(), state.unheard_by.end());
  nodes.insert(options_.number);
  return nodes.size() < std::min(facts_.nodes, kUnheardMax);
}

void SharedNode::pass_on(HostLease& lease) {
  std::vector<std::uint64_t>& nodes = lease.state().unheard_by;
  if (std::ranges::find(nodes, options_.number) == nodes.end()) nodes.push_back(options_.number);
  lease.stage = HostLease::Stage::leaving;
  if (now() < next_lease_ && unheard_pause_ > Duration::zero()) return;  // of the same outage
  unheard_pause_ = std::clamp<Duration>(2 * unheard_pause_, kUnheardPauseMin, kUnheardPauseMax);
  next_lease_ = base::add_saturating(now(), unheard_pause_);
  LOG(warn, "{} and all other hosts do not answer this node; others try them", lease.name());
}

void SharedNode::look_after_hosts() {
  // Their records were committed meanwhile.
  if (!repeated_.empty()) process_.repeated(std::exchange(repeated_, {}));
  const Instant late = base::add_saturating(now(), kSleepMax);
  if (!engine_->is_paused()) paused_since_.reset();
  if (engine_->is_paused() && !paused_since_) paused_since_ = now();
  // Perhaps only this node is paused: its disk is full, or its user paused it.
  const bool is_at_rest = paused_since_ && now() - *paused_since_ > options_.ttl;
  for (HostLease* const lease : book_.all()) {
    const bool is_asleep = lease->ready_at > late;
    const bool leaves = is_leaving_ || lease->is_done() || is_asleep || is_at_rest;
    if (lease->stage == HostLease::Stage::active && leaves) {
      lease->stage = HostLease::Stage::leaving;
    }
    if (lease->stage == HostLease::Stage::active && is_unheard(*lease)) pass_on(*lease);
    if (lease->stage == HostLease::Stage::leaving && frontier_->withdraw_host(lease->name())) {
      lease->stage = HostLease::Stage::withdrawn;
    }
    if (lease->stage == HostLease::Stage::lost && frontier_->withdraw_host(lease->name())) {
      book_.remove(lease->id());
    }
  }
}

// --- renewing leases

async::Task<Result<void>> SharedNode::renew() {
  for (;;) {
    if (auto slept = co_await async::sleep(options_.ttl / 5); !slept) co_return slept;
    auto renewed = co_await renew_once();
    if (!renewed && !bear(renewed.error())) co_return {};
  }
}

async::Task<Result<void>> SharedNode::renew_once() {
  std::vector<std::uint32_t> ids;
  std::vector<cluster::LeasedHost> hosts;
  for (HostLease* const lease : book_.all()) {
    const HostLease::Stage stage = lease->stage;
    if (stage != HostLease::Stage::active && stage != HostLease::Stage::leaving) continue;
    const cluster::LeasedHost& held = lease->host();
    ids.push_back(lease->id());
    hosts.push_back({.partition = held.partition,
                     .host = held.host,
                     .token = held.token,
                     .until = held.until,
                     .state = {},
                     .batches = {}});
  }
  if (hosts.empty()) co_return {};
  std::vector<cluster::LeasedHost*> places;
  for (cluster::LeasedHost& host : hosts) places.push_back(&host);
  auto lost = co_await servers_.frontier.renew(std::move(places));
  if (!lost) co_return fail(std::move(lost).error());
  const std::set<std::string> gone(lost->begin(), lost->end());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    HostLease* const lease = book_.find(ids[i]);
    if (lease == nullptr) continue;
    const bool is_held =
        lease->stage == HostLease::Stage::active || lease->stage == HostLease::Stage::leaving;
    if (!is_held) continue;
    if (gone.contains(lease->name())) {
      lose(*lease);
    } else if (hosts[i].until > lease->host().until) {
      drop_stale_pages();
      lease->host().until = hosts[i].until;
      if (lease->stage == HostLease::Stage::active) {
        frontier_->lease_host(lease->name(), hosts[i].until);
      }
    }
  }
  co_return {};
}

// --- pauses of addresses

std::optional<Instant> SharedNode::start_at(const async::Endpoint& address, Instant at) {
  auto later = moments_.start(address.address_text(), at);
  if (moments_.has_wanted()) has_wanted_moments_.set();
  return later;
}

async::Task<Result<void>> SharedNode::reserve() {
  async::Scope calls(async::OnFailure::keep_going);
  for (;;) {
    if (auto waited = co_await has_wanted_moments_.wait(); !waited) break;
    has_wanted_moments_.clear();
    for (std::string& address : moments_.take_wanted()) calls.spawn(reserve_at(std::move(address)));
  }
  calls.cancel();
  co_return co_await calls.join();
}

async::Task<void> SharedNode::reserve_at(std::string address) {
  const Instant sent = now();
  const auto wait =
      co_await servers_.crawl.reserve(address, moments_.spacing(), AddressMoments::kAtOnce);
  moments_.add(address, wait ? std::optional(*wait) : std::nullopt, sent, now());
}

// --- the crawl as a whole

async::Task<Result<void>> SharedNode::beat() {
  for (;;) {
    auto done = co_await beat_once();
    if (!done && !bear(done.error())) co_return {};
    if (done) recover();
    if (is_ended_) co_return {};
    if (auto slept = co_await async::sleep(kBeatEvery); !slept) co_return slept;
  }
}

async::Task<Result<void>> SharedNode::beat_once() {
  const Instant sent = now();
  auto facts = co_await servers_.crawl.beat(process_.report(), pages_used());
  if (!facts) co_return fail(std::move(facts).error());
  drop_stale_pages();
  last_beat_ = sent;
  follow(*facts);
  if (is_ended_) co_return {};
  if (auto executed = co_await execute_orders(); !executed) co_return executed;
  if (auto shared = co_await share_scope(); !shared) co_return shared;
  co_return co_await look_for_end();
}

void SharedNode::follow(const cluster::CrawlFacts& facts) {
  const cluster::Control before = std::exchange(facts_, facts).control;
  if (!facts.end.empty()) return end_crawl();
  if (facts.control == before) return;
  switch (facts.control) {
    case cluster::Control::run: return engine_->resume();
    case cluster::Control::pause: return engine_->pause();
    case cluster::Control::stop: return engine_->stop(crawler::EndReason::interrupted);
  }
}

void SharedNode::end_crawl() {
  if (std::exchange(is_ended_, true)) return;
  work_.release();
}

async::Task<Result<void>> SharedNode::execute_orders() {
  if (facts_.orders <= orders_executed_ || engine_->is_over()) co_return {};
  auto orders = co_await servers_.crawl.orders(orders_executed_);
  if (!orders) co_return fail(std::move(orders).error());
  for (std::string& order : *orders) {
    co_await process_.execute(std::move(order));
    ++orders_executed_;
  }
  news_.set();
  co_return {};
}

async::Task<Result<void>> SharedNode::share_scope() {
  const Instant deadline = base::add_saturating(now(), kPatience);
  if (!new_places_.empty()) {
    const std::vector<std::string> sending = std::exchange(new_places_, {});
    auto added =
        co_await cluster::add_root_places(servers_.client, options_.crawl, sending, deadline);
    if (!added) {
      new_places_.insert(new_places_.end(), sending.begin(), sending.end());
      co_return added;
    }
  }
  auto places = co_await cluster::root_places(servers_.client, options_.crawl, deadline);
  if (!places) co_return fail(std::move(places).error());
  for (std::string& place : *places) {
    if (places_.size() >= cluster::kRootPlacesMax || !places_.insert(place).second) continue;
    engine_->mail().take_root(place);
  }
  co_return {};
}

async::Task<Result<void>> SharedNode::look_for_end() {
  const bool is_idle = book_.size() == 0 && outbox_.size() == 0 && unsent_.empty() && is_begun_;
  const bool is_due = facts_.nodes > 1 && beats_++ % (1 + facts_.nodes / kNodesPerCount) == 0;
  if (!is_idle && !is_due) co_return {};
  const auto counts = co_await servers_.frontier.count();
  if (!counts) co_return fail(counts.error().copy());
  balance(*counts);
  if (!is_idle || counts->found != counts->ended) co_return {};
  auto finished = co_await servers_.crawl.finish("finished", orders_executed_);
  if (!finished) co_return fail(std::move(finished).error());
  end_crawl();
  co_return {};
}

// Every node gets about the same number of hosts.
void SharedNode::balance(const cluster::SharedFrontier::Counts& counts) {
  const std::size_t nodes = std::max<std::size_t>(facts_.nodes, 1);
  const std::size_t share = std::max<std::size_t>((counts.due + nodes - 1) / nodes, 1);
  hosts_wanted_ = nodes == 1 ? options_.hosts_max : std::min(options_.hosts_max, share);
  const std::size_t kept = hosts_wanted_ + hosts_wanted_ / 4;
  std::vector<HostLease*> active;
  for (HostLease* const lease : book_.all()) {
    if (lease->stage == HostLease::Stage::active) active.push_back(lease);
  }
  if (active.size() <= kept) return;
  for (std::size_t i = hosts_wanted_; i < active.size(); ++i) {
    active[i]->stage = HostLease::Stage::leaving;
  }
  news_.set();
}

async::Task<Result<void>> SharedNode::leave(crawler::EndReason reason) {
  is_leaving_ = true;
  if (reason == crawler::EndReason::cluster_failed) co_return {};  // nobody waits for it
  Result<void> left;
  for (;;) {
    left = co_await exchange_once();
    if (left && book_.size() == 0 && outbox_.size() == 0) break;
    if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
  }
  const bool is_limit = reason == crawler::EndReason::page_limit && facts_.nodes <= 1;
  if (left && is_limit && !is_ended_) {
    auto finished = co_await servers_.crawl.finish("page_limit", orders_executed_);
    if (!finished) left = fail(std::move(finished).error());
  }
  auto gone = co_await servers_.crawl.leave(pages_used());
  co_return left ? std::move(gone) : std::move(left);
}

}  // namespace gossamer::node
