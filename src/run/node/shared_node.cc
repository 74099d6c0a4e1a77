#include "node/shared_node.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "async/sleep.h"
#include "async/timeout.h"
#include "base/log.h"
#include "engine/exception.h"
#include "frontier/site_number.h"
#include "node/url_block.h"

namespace gossamer::node {
namespace {

using cluster::Then;
using Work = ClusterTrouble::Work;

// An exchange touches nearly all partitions, however few pages it has. So a node that has much to
// do exchanges seldom, and one that may be waited for often.
constexpr Duration kExchangeEvery = 200ms;
constexpr Duration kExchangeEveryBusy = 1s;
// URLs that are not ended: with fewer, the node is not busy.
constexpr std::size_t kOpenBusy = 1024;
// An exchange begins when one in this many hosts has too few URLs.
constexpr std::size_t kHostsPerHungry = 4;
// Enough for an exchange of their own.
constexpr std::size_t kEndedAtOnce = 4096;
constexpr std::size_t kLinksAtOnce = 20'000;
// BOUND: with more of them, nothing is claimed until Redis has taken them. Those of pages in flight
// still come.
constexpr std::size_t kEndedMax = 8192;
constexpr std::size_t kLinksMax = 40'000;
// BOUND: the same while Redis does not answer, and for pages of hosts that wait for it: fewer are
// repeated if the node dies meanwhile.
constexpr std::size_t kWaitingMax = 256;
// An exchange that takes longer has a slow disk, or a Redis that does not answer.
constexpr Duration kExchangeMax = 2s;
// Partitions of one lease call, at least.
constexpr std::size_t kPartitionsAtOnce = 16;
// A host with a longer pause is released. The next holder adds the usual pause, which is shorter.
constexpr Duration kSleepMax = 10min;

}  // namespace

SharedNode::SharedNode(Servers servers, crawler::OpenWork& work, NodeOptions options)
    : servers_(servers),
      work_(work),
      options_(std::move(options)),
      outbox_(LinkOutbox::kSlots, servers.frontier.options().is_level_by_level,
              servers.frontier.options().partitions),
      lease_pace_(options_.hosts_max),
      addresses_(servers.crawl, options_.address_gap),
      // Redis forgets the node a little later.
      pages_(servers.crawl, work, options_.facts.pages_left.has_value(),
             options_.lost_after - options_.lost_after / 6),
      trouble_(options_.crawl),
      watch_({.client = servers.client,
              .crawl = servers.crawl,
              .frontier = servers.frontier,
              .pages = pages_,
              .trouble = trouble_,
              .holder = *this},
             options_.crawl, options_.facts),
      is_begun_(options_.facts.has_begun) {
  work_.hold();  // until the crawl has ended for all nodes
}

void SharedNode::join_in(crawler::Engine& engine, crawler::Frontier& frontier,
                         wire::CookieJar& cookies, Process& process) {
  engine_ = &engine;
  frontier_ = &frontier;
  cookies_ = &cookies;
  process_ = &process;
  trouble_.join_in(engine, [this](const std::string& text) { process_->say(text); });
  watch_.join_in(engine, process);
}

async::Task<Result<void>> SharedNode::run() {
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(exchange());
  tasks.spawn(renew());
  tasks.spawn(watch_.run());
  tasks.spawn(addresses_.run());
  co_return co_await tasks.join();
}

// --- what the engine tells

std::optional<crawler::Verdict> SharedNode::send(const url::Url& url, std::uint64_t fingerprint,
                                                 const crawler::Target& facts) {
  if (facts.ticket != 0) return std::nullopt;  // it was leased
  if (!outbox_.add(url, fingerprint, facts)) return crawler::Verdict::seen;
  tell_pressure();
  return crawler::Verdict::added;
}

void SharedNode::end(std::uint64_t ticket) {
  const LeaseBook::Place place = book_.find(ticket);
  if (place.lease == nullptr || !place.lease->end(place.number)) return;
  if (place.lease->stage() == HostLease::Stage::lost) {
    note_repeated(*place.lease, place.lease->url_of(place.number));
    return;
  }
  ++ended_;
  ++unknown_;
  if (pages_.runs_short()) news_.set();
  if (place.lease->is_newly_hungry()) note_hungry();
  tell_pressure();
}

void SharedNode::note_host(std::string_view hostname, const crawler::PaceMemory& pace) {
  HostLease* const lease = book_.find_host(hostname);
  if (lease == nullptr) return;
  lease->note_pace(pace, now());
  if (pace.failures > 0) return;
  last_answer_ = now();
  lease_pace_.trust();
}

void SharedNode::note_rules(std::string_view origin, std::string_view source, Instant good_until) {
  HostLease* const lease = book_.find_host(crawler::host_in(origin));
  if (lease == nullptr) return;
  lease->state().put_rules({.origin = std::string(origin),
                            .source = std::string(source),
                            .good_until = process_->wall_now() + (good_until - now())});
}

std::optional<crawler::PaceMemory> SharedNode::pace_of(std::string_view hostname) {
  HostLease* const lease = book_.find_host(hostname);
  const bool is_known = lease != nullptr && lease->is_known();
  return is_known ? std::optional(lease->state().pace) : std::nullopt;
}

std::optional<crawler::StoredRules> SharedNode::rules_of(std::string_view origin) {
  HostLease* const lease = book_.find_host(crawler::host_in(origin));
  if (lease == nullptr) return std::nullopt;
  const HostState::Rules* const rules = lease->state().rules_of(origin);
  if (rules == nullptr) return std::nullopt;
  constexpr std::int64_t kDay = 24 * 3600;
  const std::int64_t seconds = rules->good_until.seconds - process_->wall_now().seconds;
  if (seconds <= 0) return std::nullopt;
  return crawler::StoredRules{.source = rules->source,
                              .good_until = now() + std::chrono::seconds(std::min(seconds, kDay))};
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
  for (const wire::Cookie& cookie : cookies) cookies_->put(cookie, process_->wall_now());
  engine_->mail().take_counts(lease.state().counts);
  pages_.drop_stale();
  extend(lease);
  if (engine_->is_blocked(lease.name())) engine_->block_host(lease.name());
  deliver(lease, std::move(batches));
}

void SharedNode::extend(const HostLease& lease) {
  if (!lease.is_active()) return;
  const bool is_held_up = lease.stage() == HostLease::Stage::held_up;
  frontier_->lease_host(lease.name(), is_held_up ? Instant::min() : lease.until());
}

void SharedNode::hold_up_waiting() {
  waiting_ = book_.unknown_waiting();
  const bool is_crowded = waiting_ >= kWaitingMax / 2 || outbox_.packed_size() >= kLinksMax / 2;
  for (HostLease* const lease : book_.all()) {
    if (!lease->is_active()) continue;
    const bool is_held_up = lease->wait() != HostLease::Wait::none && is_crowded;
    const auto stage = is_held_up ? HostLease::Stage::held_up : HostLease::Stage::active;
    if (lease->stage() == stage) continue;
    lease->enter(stage);
    extend(*lease);
  }
}

void SharedNode::deliver(HostLease& lease, std::vector<cluster::UrlBatch> batches) {
  std::optional<Error> failure;
  const std::vector<crawler::Target> targets = lease.take(std::move(batches), failure);
  if (failure) LOG(error, "{}: URLs are lost: {}", lease.name(), failure->message());
  if (!lease.is_active() || engine_->is_over()) return;
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

void SharedNode::on_counts(const cluster::SharedFrontier::Counts& counts) {
  if (counts.due == 0) return;  // the next level may have many hosts
  const std::size_t kept = lease_pace_.share(counts.due, watch_.facts().nodes);
  if (book_.leave_beyond(kept, lease_pace_.wanted())) news_.set();
}

void SharedNode::lose(HostLease& lease) {
  lease.enter(HostLease::Stage::lost);
  std::vector<std::string> urls = lease.unknown_urls();
  LOG(warn, "{}: the lease had expired; another node fetches {} pages again", lease.name(),
      urls.size());
  for (std::string& url : urls) note_repeated(lease, std::move(url));
  news_.set();
}

void SharedNode::note_repeated(HostLease& lease, std::string url) {
  // Redis gives the host to nobody before its own end of the lease, which is later by the margin.
  const Instant end = base::add_saturating(lease.host().until, servers_.frontier.options().margin);
  repeated_.push_back({.url = std::move(url), .lease_end = engine_->wall(end)});
}

void SharedNode::look_after_hosts() {
  // Their records were committed meanwhile.
  if (!repeated_.empty()) process_->mark_repeated(std::exchange(repeated_, {}));
  const Instant late = base::add_saturating(now(), kSleepMax);
  if (!engine_->is_paused()) paused_since_.reset();
  if (engine_->is_paused() && !paused_since_) paused_since_ = now();
  for (HostLease* const lease : book_.all()) {
    const bool is_asleep = lease->ready_at > late;
    const bool leaves = !is_at_work() || pages_.is_waiting() || lease->is_done() || is_asleep;
    if (lease->is_active() && leaves) lease->enter(HostLease::Stage::leaving);
    if (lease->is_active() &&
        lease->is_unheard(options_.number, watch_.facts().nodes, last_answer_)) {
      lease->pass_on(options_.number);
      if (lease_pace_.put_off(now())) {
        LOG(warn, "{} and all other hosts do not answer this node; others try them", lease->name());
      }
    }
    if (lease->stage() == HostLease::Stage::leaving && frontier_->withdraw_host(lease->name())) {
      lease->enter(HostLease::Stage::withdrawn);
    }
    if (lease->stage() == HostLease::Stage::lost && frontier_->withdraw_host(lease->name())) {
      book_.remove(lease->id());
    }
  }
}

// --- the exchange of links, completions and leases

void SharedNode::note_hungry() {
  ++hungry_;
  if (hungry_ * kHostsPerHungry >= book_.size()) news_.set();
}

void SharedNode::tell_pressure() {
  if (outbox_.size() >= kLinksAtOnce || ended_ >= kEndedAtOnce) news_.set();
  if (is_full()) engine_->hold(true);  // until the next exchange
}

bool SharedNode::is_full() const {
  if (outbox_.size() >= kLinksMax || waiting_ >= kWaitingMax) return true;
  const Instant late = base::add_saturating(exchanged_at_, kExchangeEveryBusy + kExchangeMax);
  if (unknown_ >= kWaitingMax && now() > late) return true;
  return ended_ >= kEndedAtOnce && unknown_ >= kEndedMax;
}

bool SharedNode::is_busy() const {
  return is_at_work() && !pages_.is_waiting() && book_.open() >= kOpenBusy;
}

async::Task<Result<void>> SharedNode::wait_for_news() { co_return co_await news_.wait(); }

async::Task<Result<void>> SharedNode::exchange() {
  for (;;) {
    const Duration most = is_busy() ? kExchangeEveryBusy : kExchangeEvery;
    auto waited = co_await async::with_timeout(most, wait_for_news());
    if (!waited && waited.error() == Errc::cancelled) co_return {};
    news_.clear();
    auto done = co_await exchange_once();
    if (done) {
      trouble_.recover(Work::exchange);
      continue;
    }
    if (!trouble_.bear(Work::exchange, done.error())) co_return {};
    if (auto slept = co_await async::sleep(kExchangeEvery); !slept) co_return slept;
  }
}

async::Task<Result<void>> SharedNode::exchange_once() {
  if (auto settled = co_await engine_->settle_dropped(); !settled) co_return settled;
  look_after_hosts();
  // Links of everything that has ended so far are in the outbox or were added before.
  outbox_.pack();
  ended_ = 0;
  hungry_ = 0;
  std::vector<LeaseNews> news = book_.news(now(), options_.ttl / 4, [this](std::string_view host) {
    return cookies_->of_host(host, process_->wall_now());
  });
  Result<void> done = co_await add_links();
  // A node that leaves still gives back the hosts that have no links into a lost partition.
  const bool is_lost = !done && !ClusterTrouble::may_pass(done.error());
  if (is_lost && !(is_leaving_ && done.error() == Errc::not_found)) co_return done;
  hold_up_waiting();
  // A page counts before it is completed, so that the limit holds if this node dies.
  if (auto taken = co_await take_pages(); !taken) co_return taken;
  std::erase_if(news, [this](const LeaseNews& each) {
    const HostLease* const lease = book_.find(each.id);
    return lease == nullptr || lease->wait() == HostLease::Wait::links;
  });
  if (!news.empty()) {
    if (auto synced = co_await process_->sync(); !synced) {
      if (synced.error() == Errc::cancelled) co_return synced;
      // The owner of the disk ends or pauses the crawl.
      co_return fail(Errc::unavailable, synced.error().message());
    }
    auto completed = co_await complete(std::move(news));
    hold_up_waiting();
    if (!completed && !ClusterTrouble::may_pass(completed.error())) co_return completed;
    if (!completed && !is_lost) done = std::move(completed);
  } else if (done) {
    exchanged_at_ = now();
  }
  unknown_ = book_.unknown();
  // Also if no host can be leased: those that the node has must not wait for that.
  engine_->hold(is_full());
  if (auto leased = co_await lease(); !leased) co_return leased;
  co_return done;
}

// Links into a partition that is frozen or not ready are held, and so are the pages that have them.
async::Task<Result<void>> SharedNode::add_links() {
  const bool have_roots = are_roots_added_;
  Result<void> all;
  if (!outbox_.packed().empty()) {
    auto added = co_await servers_.frontier.add(outbox_.packed());
    outbox_.forget(servers_.frontier.take_left());
    report_refused();
    if (!added) all = fail(std::move(added).error());
  }
  const auto sources = outbox_.sources();
  for (HostLease* const lease : book_.all()) lease->wait_for_links(sources.contains(lease->name()));
  if (all && have_roots && !is_begun_) {
    auto begun = co_await servers_.crawl.begin();
    if (!begun) co_return begun;
    is_begun_ = true;
  }
  co_return all;
}

async::Task<Result<void>> SharedNode::complete(std::vector<LeaseNews> news) {
  std::vector<cluster::Completion> completions;
  for (LeaseNews& each : news) completions.push_back(std::exchange(each.completion, {}));
  auto results = co_await servers_.frontier.complete(std::move(completions));
  Result<void> all;
  for (std::size_t i = 0; i < news.size(); ++i) {
    auto taken = take(news[i], std::move(results[i]));
    const bool is_worse = !taken && (all || ClusterTrouble::may_pass(all.error()));
    if (is_worse) all = std::move(taken);
  }
  co_return all;
}

Result<void> SharedNode::take(const LeaseNews& sent, Result<cluster::Completed> result) {
  HostLease* const lease = book_.find(sent.id);
  if (lease != nullptr) lease->wait_for_answer(!result);
  if (!result) return fail(std::move(result).error());
  exchanged_at_ = now();
  if (lease == nullptr || lease->stage() == HostLease::Stage::lost) return {};
  if (result->is_lost) {
    lose(*lease);
    return {};
  }
  if (sent.then == Then::release) {
    book_.remove(sent.id);
    return {};
  }
  lease->accept(sent, *result);
  pages_.drop_stale();
  extend(*lease);
  deliver(*lease, std::move(result->batches));
  if (lease->is_done() || lease->wants_more()) note_hungry();
  return {};
}

void SharedNode::report_refused() {
  for (const cluster::FoundUrls& each : servers_.frontier.take_refused()) {
    auto targets = unpack_urls(each.block);
    if (!targets || engine_->is_over()) continue;
    for (std::size_t i = 0; i < targets->size() && i < each.fingerprints.size(); ++i) {
      crawler::Target facts = std::move((*targets)[i]);
      const std::string url = std::exchange(facts.url, {});
      engine_->mail().take_refused(url, each.fingerprints[i], crawler::SkipReason::domain_hosts,
                                   facts, {});
    }
  }
}

async::Task<Result<void>> SharedNode::take_pages() {
  const auto taken = co_await pages_.take(watch_.facts(), is_at_work());
  if (!taken) co_return fail(taken.error().copy());
  if (*taken == PageAllowance::Taken::more) news_.set();
  if (*taken == PageAllowance::Taken::none_left) engine_->stop(crawler::EndReason::page_limit);
  co_return {};
}

async::Task<Result<void>> SharedNode::lease() {
  const bool may_lease = is_begun_ && !watch_.is_ended() && !is_leaving_ && !pages_.is_waiting() &&
                         !engine_->is_paused() && watch_.has_executed_orders();
  if (!may_lease || !lease_pace_.is_due(now()) || book_.size() >= lease_pace_.wanted())
    co_return {};
  const std::size_t before = book_.size();
  const std::uint32_t partitions = servers_.frontier.options().partitions;
  const std::uint64_t first = process_->draw() % partitions;
  for (std::size_t at = 0; at < partitions && book_.size() < lease_pace_.wanted();) {
    const std::size_t wanted = lease_pace_.wanted() - book_.size();
    const std::size_t count = std::min(std::max(kPartitionsAtOnce, wanted), partitions - at);
    cluster::SharedFrontier::LeaseRequest request = {
        .partitions = {},
        .hosts_max = static_cast<std::uint32_t>(std::min(lease_pace_.per_partition(), wanted))};
    for (std::size_t i = 0; i < count; ++i, ++at) {
      request.partitions.push_back(static_cast<std::uint32_t>((first + at) % partitions));
    }
    auto hosts = co_await servers_.frontier.lease(std::move(request));
    if (!hosts) co_return fail(std::move(hosts).error());
    for (cluster::LeasedHost& host : *hosts) open(std::move(host));
  }
  const bool has_more = book_.size() > before;
  lease_pace_.note(now(), has_more, book_.size() >= lease_pace_.wanted());
  if (has_more && !is_busy()) news_.set();
  co_return {};
}

// --- renewing leases, and leaving

async::Task<Result<void>> SharedNode::renew() {
  for (;;) {
    if (auto slept = co_await async::sleep(options_.ttl / 5); !slept) co_return slept;
    auto renewed = co_await renew_once();
    if (!renewed && !trouble_.bear(Work::renewal, renewed.error())) co_return {};
    if (renewed) trouble_.recover(Work::renewal);
  }
}

async::Task<Result<void>> SharedNode::renew_once() {
  std::vector<cluster::LeasedHost> hosts;
  // Completions have just renewed the others.
  const Duration whole = options_.ttl - servers_.frontier.options().margin;
  const Instant fresh = base::add_saturating(now(), whole - options_.ttl / 5);
  for (HostLease* const lease : book_.all()) {
    if (lease->is_held() && lease->until() <= fresh) hosts.push_back(lease->renewal());
  }
  if (hosts.empty()) co_return {};
  std::vector<cluster::LeasedHost*> places;
  for (cluster::LeasedHost& host : hosts) places.push_back(&host);
  auto lost = co_await servers_.frontier.renew(std::move(places));
  if (!lost) co_return fail(std::move(lost).error());
  const std::set<std::string> gone(lost->begin(), lost->end());
  for (const cluster::LeasedHost& host : hosts) {
    HostLease* const lease = book_.find_host(host.host);
    if (lease == nullptr || !lease->is_held() || lease->host().token != host.token) continue;
    if (gone.contains(host.host)) {
      lose(*lease);
    } else if (host.until > lease->host().until) {
      pages_.drop_stale();
      lease->host().until = host.until;
      extend(*lease);
    }
  }
  co_return {};
}

async::Task<Result<void>> SharedNode::leave(crawler::EndReason reason) {
  is_leaving_ = true;
  Result<void> left;
  for (;;) {
    left = co_await exchange_once();
    if (left && book_.size() == 0 && outbox_.size() == 0) break;
    if (!left && !ClusterTrouble::may_pass(left.error())) break;
    if (auto slept = co_await async::sleep(50ms); !slept) co_return slept;
  }
  auto gone = co_await watch_.leave(reason);
  co_return left ? std::move(gone) : std::move(left);
}

}  // namespace gossamer::node
