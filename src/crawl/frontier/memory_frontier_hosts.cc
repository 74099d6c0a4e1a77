// Which hosts are in memory. With a backlog there may be more hosts than have room there.
//
// A host is either in memory or away, and then it is in the backlog alone: its pace, its rules and
// the targets that wait. When there is no room, hosts that are idle leave; with levels, also those
// that wait for a later one. While nobody can leave, or others wait to come back, URLs of hosts
// that are away stay away. They are taken in in the order in which their origins were first met.

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/hash.h"
#include "crawl/frontier/memory_frontier.h"
#include "crawl/frontier/memory_frontier_origin.h"
#include "url/url.h"

namespace gossamer::crawler {
namespace {

// Origins that are taken in before other work has its turn.
constexpr std::size_t kAdmittedAtOnce = 64;
// Hosts that are tried in vain before others must become idle.
constexpr std::size_t kTriesMax = 256;
// Hosts that become idle within this time leave together, with one commit.
constexpr Duration kAdmitDelay = 10ms;
// After this it is tried again whether hosts that are idle can leave.
constexpr Duration kRetryDelay = 1s;

}  // namespace

// --- what is in memory

// Hosts that were met and are away are in the set of URLs that were seen, which may spill. No URL
// begins like that.
std::uint64_t MemoryFrontier::host_key(std::string_view hostname) {
  return base::hash64(std::string("host ").append(hostname));
}

bool MemoryFrontier::knows_host(std::string_view hostname) const {
  if (last_origin_ != nullptr && last_origin_->host.name == hostname) return true;
  return hosts_.contains(hostname) || (has_history_ && seen_.contains(host_key(hostname)));
}

MemoryFrontier::Host& MemoryFrontier::host_for(std::string_view hostname) {
  if (const auto found = hosts_.find(hostname); found != hosts_.end()) return *found->second;
  auto made = std::make_unique<Host>(manners_.of(hostname));
  const auto added = hosts_.emplace(std::string(hostname), std::move(made)).first;
  Host& host = *added->second;
  host.name = added->first;
  if (has_history_ && seen_.contains(host_key(hostname))) {
    --hosts_away_;
    host.is_recalled = true;
    recall_host(host);
  }
  return host;
}

void MemoryFrontier::recall_host(Host& host) {
  const auto memory = backlog_->pace_of(host.name);
  if (!memory) return;
  const Instant now = loop_.now();
  host.pace.recall(*memory, now);
  host.was_heard = memory->has_answered;
  note_trouble(host);
  // It asked an earlier process for a pause that is longer than this one waits.
  const Instant last = base::add_saturating(now, options_.politeness.wait_max);
  if (!host.pace.is_refusing() || host.pace.ready_at() <= last) return;
  host.end = std::make_unique<const OriginEnd>(
      OriginEnd{.reason = SkipReason::retry_after,
                .detail = "the host asked an earlier run to wait for longer",
                .may_pass = true});
}

void MemoryFrontier::recall_rules(Origin& origin) {
  if (!options_.needs_robots) return;
  const auto kept = backlog_->rules_of(origin.name);
  if (!kept) return;
  OriginRules rules = {.robots = robots::Robots::parse(kept->source, options_.agent),
                       .good_until = kept->good_until};
  origin.crawl_delay = rules.robots.crawl_delay().value_or(Duration::zero());
  origin.rules = std::make_unique<OriginRules>(std::move(rules));
  if (origin.stage == Stage::without_rules) origin.stage = Stage::open;
  count_host_bytes(origin, kept->source.size());
}

MemoryFrontier::Origin* MemoryFrontier::origin_for(const url::Url& url, const Target& target) {
  const std::string_view name = origin_text(url);
  if (last_origin_ != nullptr && last_origin_->name == name) return last_origin_;
  Origin* origin = find_origin(name);
  // Probes are not kept, so they cannot be away.
  const bool may_be_away = backlog_ != nullptr && !target.is_probe;
  if (origin == nullptr && may_be_away && (is_closed_ || away_ > 0 || !make_room())) return nullptr;
  if (origin == nullptr) origin = &make_origin(name, url.hostname());
  return last_origin_ = origin;
}

MemoryFrontier::Origin& MemoryFrontier::make_origin(std::string_view name,
                                                    std::string_view hostname) {
  Host& host = host_for(hostname);
  auto made = std::make_unique<Origin>(*this, std::string(name), host);
  Origin& origin = *made;
  if (!options_.needs_address) origin.stage = Stage::without_rules;
  if (!options_.needs_address && !options_.needs_robots) origin.stage = Stage::open;
  host.origins.push_back(&origin);
  origins_.emplace(std::string(name), std::move(made));
  if (host.is_recalled) recall_rules(origin);
  if (host.end) {
    origin.stage = Stage::closed;
    origin.end = std::make_unique<OriginEnd>(*host.end);
  }
  count_host_bytes(origin, kOriginBytes + 4 * name.size());
  return origin;
}

MemoryFrontier::Origin* MemoryFrontier::find_origin(std::string_view name) const {
  const auto found = origins_.find(name);
  return found == origins_.end() ? nullptr : found->second.get();
}

void MemoryFrontier::limit_hosts(std::uint64_t bytes_max, std::move_only_function<void()> on_full) {
  // Without a backlog those that are there cannot leave.
  host_bytes_max_ = backlog_ == nullptr ? host_bytes_ + bytes_max : bytes_max;
  on_full_ = std::move(on_full);
}

void MemoryFrontier::count_host_bytes(Origin& origin, std::size_t bytes) {
  origin.bytes += bytes;
  host_bytes_ += bytes;
  if (host_bytes_ <= host_bytes_max_ || !on_full_) return;
  const bool is_bearable = backlog_ != nullptr && host_bytes_ / 2 <= host_bytes_max_;
  if (!is_bearable) std::exchange(on_full_, {})();
}

// --- who leaves

bool MemoryFrontier::is_idle(const Host& host) const {
  if (host.end || host.pace.in_flight() > 0) return false;
  return std::ranges::all_of(host.origins, [&](const Origin* origin) {
    return origin->queue.empty() && origin->on_disk == 0 && !origin->is_preparing &&
           !origin->is_blocked && !is_set_aside(*origin);
  });
}

bool MemoryFrontier::is_later(const Host& host) const {
  if (host.end || host.pace.in_flight() > 0) return false;
  return std::ranges::all_of(host.origins, [&](const Origin* origin) {
    const bool is_first_there = !origin->queue.empty() || origin->on_disk == 0;
    const bool is_blocked = origin->queue.empty() || is_blocked_by_level(*origin);
    return is_first_there && is_blocked && !origin->is_preparing && !origin->is_ready &&
           !origin->pending() && !is_set_aside(*origin);
  });
}

void MemoryFrontier::list_if_idle(Host& host) {
  if (away_ > 0 && is_stuck()) admit_soon(Duration::zero());
  if (backlog_ == nullptr || !is_idle(host)) return;
  if (!std::exchange(host.is_listed, true)) idle_.push_back(host);
  if (away_ > 0) admit_soon(kAdmitDelay);
}

bool MemoryFrontier::has_room_within(std::uint64_t bytes_max) const {
  return host_bytes_ + kOriginBytes <= bytes_max;
}

// Hosts that were set aside stay until the end. They must not crowd out all others.
std::uint64_t MemoryFrontier::room_max() const {
  const std::uint64_t rest = std::numeric_limits<std::uint64_t>::max() - host_bytes_max_;
  return host_bytes_max_ + std::min({bytes_set_aside_, host_bytes_max_, rest});
}

bool MemoryFrontier::make_room() {
  if (has_room_within(room_max())) return true;
  backlog_->commit();  // those who leave are then known from the tables
  const std::uint64_t wanted = room_max() - host_bytes_max_ / 16;
  evict_idle(wanted);
  if (!has_room_within(room_max())) evict_later(wanted);
  return has_room_within(room_max());
}

void MemoryFrontier::evict_idle(std::uint64_t bytes_wanted) {
  std::size_t tries = std::min(idle_.size(), kTriesMax);
  while (!idle_.empty() && tries > 0 && !has_room_within(bytes_wanted)) {
    Host& host = idle_.pop_front();
    host.is_listed = false;
    if (!is_idle(host)) continue;
    if (evict(host)) continue;
    --tries;
    host.is_listed = true;
    idle_.push_back(host);
  }
}

void MemoryFrontier::evict_later(std::uint64_t bytes_wanted) {
  std::vector<Origin*> stay;
  std::unordered_set<const Origin*> gone;  // with a sibling
  while (!blocked_by_level_.empty() && stay.size() < kTriesMax && !has_room_within(bytes_wanted)) {
    Origin* const last = blocked_by_level_.back();
    blocked_by_level_.pop_back();
    if (gone.contains(last)) continue;
    const std::vector<Origin*> siblings = last->host.origins;
    if (!is_later(last->host) || !evict(last->host)) {
      stay.push_back(last);
    } else if (siblings.size() > 1) {
      gone.insert(siblings.begin(), siblings.end());
    }
  }
  blocked_by_level_.insert(blocked_by_level_.end(), stay.rbegin(), stay.rend());
  if (gone.empty()) return;
  std::erase_if(blocked_by_level_, [&](const Origin* one) { return gone.contains(one); });
}

bool MemoryFrontier::evict(Host& host) {
  // The backlog remembers no pauses that were our own idea.
  if (host.pace.failures() > 0 && host.pace.ready_at() > loop_.now()) return false;
  for (const Origin* origin : host.origins) {
    if (!backlog_->can_let_go(origin->name, origin->queue.size())) return false;
  }
  for (Origin* const origin : host.origins) {
    std::vector<std::uint64_t> tickets;
    while (!origin->queue.empty()) {
      tickets.push_back(origin->queue.pop(origin->name, options_.order).ticket);
    }
    away_ += tickets.size() + origin->on_disk;
    backlog_->let_go(origin->name, tickets);
    take_out(*origin);
    host_bytes_ -= origin->bytes;
    origins_.erase(origins_.find(origin->name));
  }
  last_origin_ = nullptr;
  in_trouble_.erase(&host);
  if (host.is_listed) idle_.remove(host);
  seen_.insert(host_key(host.name));
  ++hosts_away_;
  has_history_ = true;
  hosts_.erase(hosts_.find(host.name));
  return true;
}

// --- who comes

void MemoryFrontier::put_away(const url::Url& url, std::optional<std::uint64_t> fingerprint,
                              Target target, std::span<const KeptCount> counts) {
  target.url = url.without_fragment();
  const std::uint32_t rank = rank_of(target, options_.order);
  backlog_->put_away(origin_text(url), fingerprint, target, rank, counts);
  const bool is_in_memory = hosts_.contains(url.hostname());
  if (!is_in_memory && seen_.insert(host_key(url.hostname()))) ++hosts_away_;
  has_history_ = true;
  ++waiting_;
  ++away_;
  is_idle_.clear();
  share_->work.begin(target.depth);
  level_ = std::min(level_, target.depth);
  has_news_ = has_news_ || !options_.is_level_by_level || target.depth <= level_;
  if (is_stuck()) {
    admit_soon(Duration::zero());
  } else if (has_news_ && has_room_within(room_max())) {
    admit_soon(kAdmitDelay);  // nobody may become idle for long
  }
}

bool MemoryFrontier::is_stuck() const {
  return claims_held_ == 0 && ready_.empty() && asleep_ == 0;
}

void MemoryFrontier::admit_soon(Duration delay) {
  const Instant when = loop_.now() + delay;
  if (admit_soon_.pending() && admit_at_ <= when) return;
  admit_at_ = when;
  admit_soon_ = loop_.call_at(when, [this] { admit(); });
}

void MemoryFrontier::admit() {
  // All of them have been looked at since the last one that we could take was put away.
  if (away_ == 0 || is_closed_ || (next_away_ == 0 && !has_news_)) return;
  const bool has_room = make_room();
  if (!has_room && !is_stuck()) {
    // Those who become idle make room; those who are idle and have a pause, when that is over.
    if (!idle_.empty()) admit_soon(kRetryDelay);
    return;
  }
  if (next_away_ == 0) has_news_ = false;
  const std::uint32_t rank_max =
      options_.is_level_by_level ? level_ : std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t room = has_room ? (room_max() - host_bytes_) / kOriginBytes : 1;
  const std::size_t count = std::min<std::uint64_t>(room, kAdmittedAtOnce);
  const Backlog::TakenIn taken = backlog_->take_in(next_away_, rank_max, count);
  next_away_ = taken.next;
  for (const Backlog::TakenIn::Origin& origin : taken.origins) admit(origin);
  admit_soon(Duration::zero());
}

void MemoryFrontier::admit(const Backlog::TakenIn::Origin& taken) {
  CHECK(taken.waiting <= away_, "{} of {} come back", taken.waiting, away_);
  away_ -= taken.waiting;
  const auto url = url::Url::parse(taken.name);
  if (!url) {  // nobody can fetch that
    waiting_ -= taken.waiting;
    ended_on_disk_ += taken.waiting;
    return end_soon();
  }
  Origin* found = find_origin(taken.name);
  Origin& origin = found == nullptr ? make_origin(taken.name, url->hostname()) : *found;
  origin.on_disk += taken.waiting;
  if (origin.queue.empty()) refill(origin);
  if (origin.stage != Stage::closed) {
    place(origin);
    return list_if_idle(origin.host);
  }
  Drop ignore = [](const Target&, const OriginEnd&) {};  // they stay in the backlog
  Drop& drop = origin.host.drop == nullptr ? ignore : *origin.host.drop;
  drain(origin, OriginEnd(*origin.end), drop);
}

}  // namespace gossamer::crawler
