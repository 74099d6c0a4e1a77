#include "node/lease_book.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "cluster/layout.h"
#include "node/url_block.h"

namespace gossamer::node {
namespace {

// A host that failed this often is passed on if no other host answers. It is probed from then on.
constexpr std::uint16_t kUnheardFailures = 2;
using cluster::Then;

// Fewer open URLs than this: read more of the queue.
constexpr std::size_t kOpenLow = 16;
// BOUND: URLs of a host that Redis does not know to be ended.
constexpr std::uint64_t kWindowMax = 256;
// A host with this many expired leases may have a URL that kills nodes.
constexpr std::uint32_t kExpiredMax = 2;
constexpr Duration kPauseMax = 24h;

// The others belong to a domain, and so to all nodes that fetch from its hosts, or to one node.
bool is_of_host(const crawler::StoredCount& count) {
  return count.what != crawler::Counted::domain_hosts && count.what != crawler::Counted::guesses;
}

}  // namespace

HostLease::HostLease(std::uint32_t id, cluster::LeasedHost host)
    : id_(id), host_(std::move(host)), order_(host_.position) {
  if (auto state = unpack_state(std::exchange(host_.state, {}))) {
    state_ = std::move(*state);
    is_known_ = true;
  }
  if (host_.kept.empty()) host_.kept = pack_kept({});
  known_kept_ = base::hash64(host_.kept);
  unpack_kept(std::exchange(host_.kept, {}), state_);
  for (const crawler::StoredCount& each : state_.counts)
    counts_[{each.what, each.key}] = each.count;
}

void HostLease::enter(Stage stage) {
  const bool resumes = stage_ == Stage::held_up && stage == Stage::active;
  CHECK(stage > stage_ || resumes, "{}: a lease goes back from {} to {}", name(),
        static_cast<int>(stage_), static_cast<int>(stage));
  stage_ = stage;
}

// Links of pages that Redis does not know hold back its next completion as well.
void HostLease::wait_for_links(bool waits) {
  if (waits) {
    wait_ = Wait::links;
  } else if (wait_ == Wait::links) {
    wait_ = has_news() ? Wait::answer : Wait::none;
  }
}

void HostLease::wait_for_answer(bool waits) {
  CHECK(wait_ != Wait::links, "{}: a completion was sent before its links", name());
  wait_ = waits ? Wait::answer : Wait::none;
}

std::vector<crawler::Target> HostLease::take(std::vector<cluster::UrlBatch> batches,
                                             std::optional<Error>& failure) {
  for (const cluster::UrlBatch& batch : batches) {
    const bool is_first = order_.end_number() == 0;
    const std::uint32_t ended =
        is_first ? std::min<std::uint32_t>(host_.position.urls, batch.live) : 0;
    const std::uint64_t first = order_.add_batch(batch.live, ended);
    if (is_first) accepted_ = first + ended;
    auto targets = unpack_urls(batch.block);
    if (targets && targets->size() != batch.count) targets = fail(Errc::malformed, "a batch");
    std::uint64_t number = first;
    for (std::size_t i = 0; i < batch.count; ++i) {
      if (!batch.is_live(i)) continue;
      const std::uint64_t own = number++;
      if (own < first + ended) continue;
      entries_.push_back({});
      if (!targets) {
        order_.end(own);
        continue;
      }
      crawler::Target& target = (*targets)[i];
      target.ticket = LeaseBook::ticket_of(id_, own);
      entries_.back().target = target;
      held_back_.push_back(std::move(target));
    }
    if (!targets) failure = std::move(targets).error();
  }
  return take_held_back();
}

std::vector<crawler::Target> HostLease::take_held_back() {
  std::vector<crawler::Target> targets;
  const bool is_suspect = host_.expired >= kExpiredMax;
  const std::size_t delivered = order_.open() - held_back_.size();
  if (is_suspect && (delivered > 0 || has_news())) return targets;
  while (!held_back_.empty() && (!is_suspect || targets.empty())) {
    targets.push_back(std::move(held_back_.front()));
    held_back_.pop_front();
  }
  return targets;
}

void HostLease::note_counts(std::uint64_t number, std::span<const crawler::StoredCount> counts) {
  for (const crawler::StoredCount& each : counts) {
    if (!is_of_host(each)) continue;
    counts_[{each.what, each.key}] = each.count;
    if (number < accepted_ || number - accepted_ >= entries_.size()) continue;
    entries_[number - accepted_].counted.emplace_back(each.what, each.key);
  }
}

bool HostLease::end(std::uint64_t number) {
  const bool was_open = order_.is_open(number);
  order_.end(number);
  return was_open && !order_.is_open(number);
}

bool HostLease::wants_more() const {
  if (!is_active() || is_done_) return false;
  const std::uint64_t held = order_.end_number() - accepted_;
  if (held >= kWindowMax) return false;
  return order_.open() == 0 || (order_.open() < kOpenLow && waiting_ > held);
}

bool HostLease::is_newly_hungry() const {
  return order_.open() == 0 || (order_.open() + 1 == kOpenLow && wants_more());
}

std::size_t HostLease::unknown() const {
  CHECK(entries_.size() == order_.end_number() - accepted_, "{}: URLs are lost", name());
  CHECK(order_.open() <= entries_.size(), "{}: URLs are open that have ended", name());
  return entries_.size() - order_.open();
}

std::vector<std::string> HostLease::unknown_urls() const {
  std::vector<std::string> urls;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!order_.is_open(accepted_ + i)) urls.push_back(entries_[i].target.url);
  }
  return urls;
}

Then HostLease::next_step() const {
  if (stage_ == Stage::withdrawn) return Then::release;
  return wants_more() ? Then::more : Then::keep;
}

bool HostLease::gives_back() const {
  const bool has_gaps = order_.end_number() - order_.next() > order_.open();
  return has_gaps && order_.open() > 0 && order_.open() <= cluster::kBatchMax;
}

std::optional<cluster::UrlBatch> HostLease::rest() const {
  std::vector<crawler::Target> targets;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (order_.is_open(accepted_ + i)) targets.push_back(entries_[i].target);
  }
  const auto count = static_cast<std::uint8_t>(targets.size());
  return cluster::UrlBatch{.count = count,
                           .live = count,
                           .mask = ~std::uint64_t{0} >> (64 - count),
                           .block = pack_urls(targets)};
}

// Counts of URLs that the next holder receives again are undone, since it counts them, too.
HostState HostLease::state_now(Then then) const {
  HostState state = state_;
  const bool is_rest = then == Then::release && gives_back();
  std::map<CountKey, std::uint32_t> counts = counts_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t number = accepted_ + i;
    const bool returns = is_rest ? order_.is_open(number) : number >= order_.next();
    if (!returns) continue;
    for (const CountKey& key : entries_[i].counted) {
      if (std::uint32_t& count = counts[key]; count > 0) --count;
    }
  }
  state.counts.clear();
  for (const auto& [key, count] : counts) {
    if (count > 0) state.counts.push_back({.what = key.first, .count = count, .key = key.second});
  }
  return state;
}

void HostLease::accept_kept(const std::string& kept) {
  if (!kept.empty()) known_kept_ = base::hash64(kept);
}

cluster::Completion HostLease::completion(Instant now, const HostState& state) {
  if (release_) return *release_;
  std::string kept = pack_kept(state);
  if (base::hash64(kept) == known_kept_) kept.clear();
  const Then then = next_step();
  const Duration pause =
      ready_at <= now ? Duration::zero() : std::min<Duration>(ready_at - now, kPauseMax);
  cluster::Completion completion = {.partition = host_.partition,
                                    .host = host_.host,
                                    .token = host_.token,
                                    .position = order_.position(),
                                    .held = order_.last().batches,
                                    .pause = pause,
                                    .then = then,
                                    .again = std::nullopt,
                                    .state = pack_state(state),
                                    .kept = std::move(kept)};
  if (then == Then::release) {
    if (gives_back()) {
      completion.position = order_.last();
      completion.again = rest();
    }
    release_ = completion;
  }
  return completion;
}

void HostLease::accept(std::uint64_t number, Then then, const cluster::Completed& completed) {
  CHECK(accepted_ <= number && number <= order_.next(), "{}: Redis took what has not ended",
        name());
  host_.until = completed.until;
  waiting_ = completed.waiting;
  while (accepted_ < number) {
    entries_.pop_front();
    ++accepted_;
  }
  const bool is_empty = completed.waiting == 0 || (then == Then::more && completed.batches.empty());
  is_done_ = is_empty && order_.end_number() == number && order_.open() == 0;
}

// --- all leases

std::optional<LeaseNews> HostLease::news(Instant now, Duration slack, CookiesOf& cookies_of) {
  // A host that leaves tells it soon, with everything that ends until then.
  if (stage_ == Stage::lost || stage_ == Stage::leaving) return std::nullopt;
  const Then then = next_step();
  // A longer pause must survive this node.
  const bool is_slower = ready_at > base::add_saturating(known_ready_at_, slack);
  if (then == Then::keep && !has_news() && !is_slower) return std::nullopt;
  HostState state = state_now(then);
  state.cookies = cookies_of(name());
  LeaseNews news = {.id = id_,
                    .number = order_.next(),
                    .then = then,
                    .ready_at = ready_at,
                    .kept = {},
                    .completion = completion(now, state)};
  news.kept = news.completion.kept;
  return news;
}

void HostLease::accept(const LeaseNews& news, const cluster::Completed& completed) {
  known_ready_at_ = news.ready_at;
  accept_kept(news.kept);
  accept(news.number, news.then, completed);
}

cluster::LeasedHost HostLease::renewal() const {
  return {.partition = host_.partition,
          .host = host_.host,
          .token = host_.token,
          .until = host_.until,
          .state = {},
          .batches = {}};
}

void HostLease::note_pace(const crawler::PaceMemory& pace, Instant now) {
  state_.pace = pace;
  ready_at = pace.ready_at;
  if (pace.failures == 0) {
    silent_since_.reset();
    state_.unheard_by.clear();
  } else if (!silent_since_) {
    silent_since_ = now;
  }
}

bool HostLease::is_unheard(std::uint64_t node, std::size_t nodes, Instant last_answer) const {
  if (nodes <= 1 || !silent_since_ || last_answer >= *silent_since_) return false;
  if (state_.pace.failures < kUnheardFailures) return false;
  // Hosts end that several nodes could not reach.
  std::set<std::uint64_t> others(state_.unheard_by.begin(), state_.unheard_by.end());
  others.insert(node);
  return others.size() < std::min(nodes, kUnheardMax);
}

void HostLease::pass_on(std::uint64_t node) {
  std::vector<std::uint64_t>& nodes = state_.unheard_by;
  if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  enter(Stage::leaving);
}

HostLease& LeaseBook::add(cluster::LeasedHost host) {
  CHECK(find_host(host.host) == nullptr, "{} is leased twice", host.host);
  const std::uint32_t id = ++last_id_;
  by_host_[host.host] = id;
  return *leases_.emplace(id, std::make_unique<HostLease>(id, std::move(host))).first->second;
}

LeaseBook::Place LeaseBook::find(std::uint64_t ticket) {
  return {.lease = find(static_cast<std::uint32_t>(ticket >> 32)), .number = ticket & 0xFFFFFFFF};
}

HostLease* LeaseBook::find(std::uint32_t id) {
  const auto found = leases_.find(id);
  return found == leases_.end() ? nullptr : found->second.get();
}

HostLease* LeaseBook::find_host(std::string_view hostname) {
  const auto found = by_host_.find(hostname);
  if (found == by_host_.end()) return nullptr;
  HostLease* const lease = find(found->second);
  if (lease == nullptr) by_host_.erase(found);
  return lease;
}

std::vector<HostLease*> LeaseBook::all() {
  std::vector<HostLease*> leases;
  for (const auto& [id, lease] : leases_) leases.push_back(lease.get());
  return leases;
}

std::vector<LeaseNews> LeaseBook::news(Instant now, Duration slack, CookiesOf cookies_of) {
  std::vector<LeaseNews> all_news;
  for (HostLease* const lease : all()) {
    if (auto news = lease->news(now, slack, cookies_of)) all_news.push_back(std::move(*news));
  }
  return all_news;
}

bool LeaseBook::leave_beyond(std::size_t kept, std::size_t wanted) {
  std::vector<HostLease*> active = all();
  std::erase_if(active, [](const HostLease* lease) { return !lease->is_active(); });
  if (active.size() <= kept) return false;
  for (std::size_t i = wanted; i < active.size(); ++i) {
    active[i]->enter(HostLease::Stage::leaving);
  }
  return true;
}

std::size_t LeaseBook::unknown() const {
  std::size_t count = 0;
  for (const auto& [id, lease] : leases_) count += lease->unknown();
  return count;
}

std::size_t LeaseBook::open() const {
  std::size_t count = 0;
  for (const auto& [id, lease] : leases_) count += lease->order().open();
  return count;
}

std::size_t LeaseBook::unknown_waiting() const {
  std::size_t count = 0;
  for (const auto& [id, lease] : leases_)
    count += lease->wait() != HostLease::Wait::none ? lease->unknown() : 0;
  return count;
}

}  // namespace gossamer::node
