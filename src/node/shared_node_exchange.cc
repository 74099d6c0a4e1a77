// The exchange of links, completions and leases with Redis.
#include <algorithm>
#include <utility>

#include "async/sleep.h"
#include "async/timeout.h"
#include "base/log.h"
#include "cluster/layout.h"
#include "node/shared_node.h"
#include "node/url_block.h"

namespace gossamer::node {
namespace {

using cluster::Then;

// Without news, Redis is asked this often.
constexpr Duration kExchangeEvery = 200ms;
// Enough for an exchange of their own.
constexpr std::size_t kEndedAtOnce = 64;
constexpr std::size_t kLinksAtOnce = 2000;
// BOUND: with more of them, nothing is claimed until Redis has taken them. Those of pages in flight
// still come.
constexpr std::size_t kEndedMax = 256;
constexpr std::size_t kLinksMax = 20'000;
constexpr Duration kLeasePauseMin = 50ms;
constexpr Duration kLeasePauseMax = 1s;
// Partitions of one lease call, at least.
constexpr std::size_t kPartitionsAtOnce = 16;
// Pages of the page limit that a node takes with one call, at most.
constexpr std::uint64_t kPagesAtOnce = 1000;

}  // namespace

void SharedNode::tell_pressure() {
  const std::size_t links = outbox_.size() + unsent_urls_;
  if (links >= kLinksAtOnce || ended_ >= kEndedAtOnce) news_.set();
  if (is_full()) engine_->hold(true);  // until the next exchange
}

bool SharedNode::is_full() const {
  if (outbox_.size() + unsent_urls_ >= kLinksMax) return true;
  return ended_ >= kEndedAtOnce && book_.unknown() >= kEndedMax;
}

async::Task<Result<void>> SharedNode::wait_for_news() { co_return co_await news_.wait(); }

async::Task<Result<void>> SharedNode::exchange() {
  for (;;) {
    auto waited = co_await async::with_timeout(kExchangeEvery, wait_for_news());
    if (!waited && waited.error() == Errc::cancelled) co_return {};
    news_.clear();
    auto done = co_await exchange_once();
    if (done) {
      recover();
      continue;
    }
    if (!bear(done.error())) co_return {};
    if (auto slept = co_await async::sleep(kExchangeEvery); !slept) co_return slept;
  }
}

async::Task<Result<void>> SharedNode::exchange_once() {
  if (auto settled = co_await engine_->settle_dropped(); !settled) co_return settled;
  look_after_hosts();
  // Links of everything that has ended so far are in the outbox or were added before.
  for (cluster::FoundUrls& batch : outbox_.take()) {
    unsent_urls_ += batch.fingerprints.size();
    unsent_.push_back(std::move(batch));
  }
  ended_ = 0;
  std::vector<Sending> sending;
  std::vector<cluster::Completion> completions;
  for (HostLease* const lease : book_.all()) {
    const bool is_mine = lease->stage != HostLease::Stage::lost;
    const Then then = lease->next_step();
    // A longer pause must survive this node.
    const bool is_slower =
        lease->ready_at > base::add_saturating(lease->known_ready_at, options_.ttl / 4);
    if (!is_mine || (then == Then::keep && !lease->has_news() && !is_slower)) continue;
    if (lease->stage == HostLease::Stage::leaving) continue;  // soon, with everything that ends
    HostState state = lease->state_now(then);
    state.cookies = cookies_->of_host(lease->name(), process_.wall_now());
    sending.push_back({.id = lease->id(),
                       .number = lease->order().next(),
                       .then = then,
                       .ready_at = lease->ready_at,
                       .kept = {}});
    completions.push_back(lease->completion(now(), state));
    sending.back().kept = completions.back().kept;
  }
  if (auto added = co_await add_links(); !added) co_return added;
  // A page counts before it is completed, so that the limit holds if this node dies.
  if (auto taken = co_await take_pages(); !taken) co_return taken;
  if (!completions.empty()) {
    auto done = co_await complete(std::move(sending), std::move(completions));
    if (!done) co_return done;
  }
  if (auto leased = co_await lease(); !leased) co_return leased;
  engine_->hold(is_full());
  co_return {};
}

async::Task<Result<void>> SharedNode::add_links() {
  const bool have_roots = are_roots_added_;
  if (!unsent_.empty()) {
    auto added = co_await servers_.frontier.add(unsent_);
    if (!added) co_return fail(std::move(added).error());
    unsent_.clear();
    unsent_urls_ = 0;
    report_refused();
  }
  if (have_roots && !is_begun_) {
    auto begun = co_await servers_.crawl.begin();
    if (!begun) co_return begun;
    is_begun_ = true;
  }
  co_return {};
}

async::Task<Result<void>> SharedNode::complete(std::vector<Sending> sending,
                                               std::vector<cluster::Completion> completions) {
  if (auto synced = co_await process_.sync(); !synced) {
    // The owner of the disk ends or pauses the crawl.
    co_return fail(Errc::unavailable, synced.error().message());
  }
  auto results = co_await servers_.frontier.complete(std::move(completions));
  Result<void> all;
  for (std::size_t i = 0; i < sending.size(); ++i) {
    auto taken = take(sending[i], std::move(results[i]));
    if (!taken) all = std::move(taken);
  }
  co_return all;
}

Result<void> SharedNode::take(const Sending& sent, Result<cluster::Completed> result) {
  if (!result) return fail(std::move(result).error());
  HostLease* const lease = book_.find(sent.id);
  if (lease == nullptr || lease->stage == HostLease::Stage::lost) return {};
  if (result->is_lost) {
    lose(*lease);
    return {};
  }
  if (sent.then == Then::release) {
    book_.remove(sent.id);
    return {};
  }
  lease->known_ready_at = sent.ready_at;
  lease->accept_kept(sent.kept);
  lease->accept(sent.number, sent.then, *result);
  drop_stale_pages();
  if (lease->stage == HostLease::Stage::active) frontier_->lease_host(lease->name(), result->until);
  std::optional<Error> failure;
  std::vector<crawler::Target> targets = lease->take(std::move(result->batches), failure);
  if (failure) LOG(error, "{}: URLs are lost: {}", lease->name(), failure->message());
  if (lease->stage == HostLease::Stage::active) deliver(targets);
  if (lease->is_done() || lease->wants_more()) news_.set();
  return {};
}

std::uint64_t SharedNode::pages_used() const {
  if (!options_.facts.pages_left) return 0;
  const crawler::OpenWork::Pages pages = work_.pages();
  return pages_given_ - pages.left - pages.in_hand;
}

// Redis may have given the pages of a silent node to others.
void SharedNode::drop_stale_pages() {
  if (!options_.facts.pages_left || last_beat_ == Instant::min()) return;
  const Duration valid = options_.lost_after - options_.lost_after / 6;
  if (now() - last_beat_ >= valid) pages_given_ -= work_.take_back_pages();
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
  if (!options_.facts.pages_left || is_out_of_pages_) co_return {};
  drop_stale_pages();
  const crawler::OpenWork::Pages pages = work_.pages();
  const std::uint64_t left = facts_.pages_left.value_or(0);
  const std::uint64_t nodes = std::max<std::uint64_t>(facts_.nodes, 1);
  const std::uint64_t block = std::clamp<std::uint64_t>(left / (2 * nodes), 1, kPagesAtOnce);
  const bool wants_more = !is_leaving_ && pages.left <= block / 2;
  const std::uint64_t used = pages_used();
  if (!wants_more && used == pages_reported_) co_return {};
  const std::uint64_t wanted = pages_given_ + (wants_more ? block : 0);
  auto given = co_await servers_.crawl.take_pages(wanted, used);
  if (!given) co_return fail(std::move(given).error());
  pages_reported_ = used;
  if (!wants_more) co_return {};
  const std::uint64_t more = *given - std::min(*given, pages_given_);
  pages_given_ += more;
  if (facts_.pages_left) *facts_.pages_left -= std::min(*facts_.pages_left, more);
  if (more > 0) {
    work_.add_pages(more);
    news_.set();
    co_return {};
  }
  const crawler::OpenWork::Pages rest = work_.pages();
  if (rest.left > 0 || rest.in_hand > 0) co_return {};
  is_out_of_pages_ = true;
  engine_->stop(crawler::EndReason::page_limit);
  co_return {};
}

async::Task<Result<void>> SharedNode::lease() {
  const bool may_lease = is_begun_ && !is_ended_ && !is_leaving_ && !engine_->is_paused();
  if (!may_lease || now() < next_lease_ || book_.size() >= hosts_wanted_) co_return {};
  const std::size_t before = book_.size();
  const std::uint64_t first = process_.draw() % cluster::kPartitions;
  for (std::size_t at = 0; at < cluster::kPartitions && book_.size() < hosts_wanted_;) {
    const std::size_t wanted = hosts_wanted_ - book_.size();
    const std::size_t count =
        std::min(std::max(kPartitionsAtOnce, wanted), cluster::kPartitions - at);
    cluster::SharedFrontier::LeaseRequest request = {
        .partitions = {},
        .hosts_max = static_cast<std::uint32_t>(std::min(hosts_per_partition_, wanted))};
    for (std::size_t i = 0; i < count; ++i, ++at) {
      request.partitions.push_back(static_cast<std::uint32_t>((first + at) % cluster::kPartitions));
    }
    auto hosts = co_await servers_.frontier.lease(std::move(request));
    if (!hosts) co_return fail(std::move(hosts).error());
    for (cluster::LeasedHost& host : *hosts) open(std::move(host));
  }
  const bool has_more = book_.size() > before;
  // A site with many hosts is in one partition.
  const bool is_short = has_more && book_.size() < hosts_wanted_;
  hosts_per_partition_ = is_short ? std::min<std::size_t>(hosts_per_partition_ * 2, 256) : 1;
  lease_pause_ = has_more ? kLeasePauseMin
                          : std::clamp<Duration>(2 * lease_pause_, kLeasePauseMin, kLeasePauseMax);
  next_lease_ = base::add_saturating(now(), lease_pause_);
  if (has_more) news_.set();
  co_return {};
}

}  // namespace gossamer::node
