#include "frontier/host_memory.h"

#include <algorithm>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/check.h"

namespace gossamer::crawler {
namespace {

// Origins that are brought into memory before other tasks run.
constexpr std::size_t kAdmittedAtOnce = 64;
// Stop after this many hosts that cannot leave, and wait until others are idle.
constexpr std::size_t kTriesMax = 256;
// Hosts that become idle within this time leave together, with one commit.
constexpr Duration kAdmitDelay = 10ms;
// Idle hosts are checked again after this time.
constexpr Duration kRetryDelay = 1s;
// The memory of an origin, including its host and queue head, here, in the backlog and in the DNS
// cache. Measured: 1.5 KB.
constexpr std::size_t kOriginBytes = 1400;
// Rules of so many bytes may leave memory while their host stays.
constexpr std::size_t kLongRulesBytes = 16 * 1024;
// The part of the memory of hosts that such rules may take.
constexpr std::uint64_t kLongRulesShare = 4;

// The key of a host that was seen, in the set of seen URLs. No URL begins like this.
std::uint64_t host_key(std::string_view hostname) {
  return base::hash64(std::string("host ").append(hostname));
}

}  // namespace

HostMemory::HostMemory(async::Loop& loop, const FrontierOptions& options, HostTurns& turns,
                       OriginQueues& queues, SeenSet& seen, Source source, OriginEvents& events)
    : loop_(loop),
      options_(options),
      turns_(turns),
      queues_(queues),
      seen_(seen),
      backlog_(source.backlog),
      log_(source.log),
      events_(events),
      manners_(options.hosts, options.politeness),
      bytes_max_(options.host_bytes_max) {}

HostMemory::~HostMemory() {
  for (const auto& [name, origin] : origins_) loop_.timers().remove(*origin);
}

// --- in memory

Origin* HostMemory::find(std::string_view origin) const {
  const auto found = origins_.find(origin);
  return found == origins_.end() ? nullptr : found->second.get();
}

Origin* HostMemory::find(const url::Url& url) const {
  const std::string_view name = origin_text(url);
  return last_origin_ != nullptr && last_origin_->name == name ? last_origin_ : find(name);
}

bool HostMemory::knows_host(std::string_view hostname) const {
  if (last_origin_ != nullptr && last_origin_->host.name == hostname) return true;
  return hosts_.contains(hostname) || (has_history_ && seen_.contains(host_key(hostname)));
}

Host& HostMemory::host_for(std::string_view hostname) {
  if (const auto found = hosts_.find(hostname); found != hosts_.end()) return *found->second;
  auto made = std::make_unique<Host>(manners_.of(hostname));
  const auto added = hosts_.emplace(std::string(hostname), std::move(made)).first;
  Host& host = *added->second;
  host.name = added->first;
  const bool was_away = has_history_ && seen_.contains(host_key(hostname));
  if (was_away) --away_hosts_;
  // Other nodes may have leased it before.
  const bool is_leased = log_ != nullptr && backlog_ == nullptr;
  if (was_away || is_leased) {
    host.is_recalled = true;
    recall_pace(host);
  }
  return host;
}

Host* HostMemory::find_host(std::string_view hostname) const {
  const auto found = hosts_.find(hostname);
  return found == hosts_.end() ? nullptr : found->second.get();
}

void HostMemory::unblock(std::string_view hostname) {
  Host* const host = find_host(hostname);
  // The host may have been closed for another reason before.
  if (host == nullptr || !host->end || host->end->end.reason != SkipReason::blocked) return;
  host->end = nullptr;
  for (Origin* origin : host->origins) {
    if (!origin->end || origin->end->reason != SkipReason::blocked) continue;
    origin->end = nullptr;
    const bool lacks_rules = options_.needs_robots && origin->rules == nullptr;
    origin->stage = lacks_rules ? OriginStage::without_rules : OriginStage::open;
    if (options_.needs_address && !origin->address) origin->stage = OriginStage::unresolved;
  }
  list_if_idle(*host);
}

void HostMemory::recall_pace(Host& host) {
  const auto memory = log_->pace_of(host.name);
  if (!memory) return;
  const Instant now = loop_.now();
  host.pace.recall(*memory, now);
  host.was_heard = memory->has_answered;
  turns_.note_trouble(host);
  // It requested a pause from an earlier process that is longer than this one accepts.
  const Instant last = base::add_saturating(now, options_.politeness.wait_max);
  if (!host.pace.is_refusing() || host.pace.ready_at() <= last) return;
  host.end = std::make_unique<HostEnd>(
      HostEnd{.end = {.reason = SkipReason::retry_after,
                      .detail = "the host requested too long a pause from an earlier run",
                      .may_pass = true}});
}

void HostMemory::recall_rules(Origin& origin) {
  if (!options_.needs_robots) return;
  const auto kept = log_->rules_of(origin.name);
  if (!kept) return;
  OriginRules rules = {.robots = robots::Robots::parse(kept->source, options_.agent),
                       .good_until = kept->good_until};
  origin.crawl_delay = rules.robots.crawl_delay().value_or(Duration::zero());
  set_rules(origin, std::move(rules));
  if (origin.stage == OriginStage::without_rules) origin.stage = OriginStage::open;
}

void HostMemory::set_rules(Origin& origin, OriginRules rules) {
  release_long_rules(origin);
  const bool is_first = origin.rules == nullptr;
  const std::size_t bytes = rules.robots.bytes_held();
  const bool are_long = backlog_ != nullptr && bytes >= kLongRulesBytes;
  // The crawl may end because there is no room for them, and nothing is claimed any more. A text
  // keeps its memory when it is assigned, but not when it is moved from.
  if (turns_.is_closed()) const robots::Robots dropped = std::move(rules.robots);
  if (is_first && !are_long) count_bytes(origin, bytes);
  origin.rules = std::make_unique<OriginRules>(std::move(rules));
  if (!are_long || turns_.is_closed()) return;
  backlog_->commit();  // so that the tables have them
  hold_long_rules(origin);
}

const OriginRules* HostMemory::rules_of(Origin& origin) {
  if (origin.rules == nullptr) return nullptr;
  if (origin.rules->are_away) {
    const auto kept = log_->rules_of(origin.name);
    // The tables have failed, and the crawl ends.
    origin.rules->robots =
        kept ? robots::Robots::parse(kept->source, options_.agent) : robots::Robots::disallow_all();
    origin.rules->are_away = false;
    hold_long_rules(origin);
  } else if (!long_rules_.empty() && long_rules_.back() != &origin) {
    const auto found = std::ranges::find(long_rules_, &origin);
    if (found != long_rules_.end()) std::rotate(found, std::next(found), long_rules_.end());
  }
  return origin.rules.get();
}

void HostMemory::hold_long_rules(Origin& origin) {
  long_rules_.push_back(&origin);
  long_rules_bytes_ += origin.rules->robots.bytes_held();
  bytes_ += origin.rules->robots.bytes_held();
  while (long_rules_.size() > 1 && long_rules_bytes_ > bytes_max_ / kLongRulesShare) {
    Origin& oldest = *long_rules_.front();
    // While the disk is full, only memory has them.
    if (!log_->rules_of(oldest.name)) return;
    release_long_rules(oldest);
    const robots::Robots dropped = std::exchange(oldest.rules->robots, robots::Robots());
    oldest.rules->are_away = true;
  }
}

void HostMemory::release_long_rules(Origin& origin) {
  if (std::erase(long_rules_, &origin) == 0) return;
  long_rules_bytes_ -= origin.rules->robots.bytes_held();
  bytes_ -= origin.rules->robots.bytes_held();
}

Origin* HostMemory::origin_for(const url::Url& url, const Target& target) {
  Origin* origin = find(url);
  // Probes are not stored, so they cannot be away.
  const bool may_be_away = backlog_ != nullptr && !target.is_probe();
  if (origin == nullptr && may_be_away && (turns_.is_closed() || away_ > 0 || !make_room()))
    return nullptr;
  if (origin == nullptr) origin = &make_origin(origin_text(url), url.hostname());
  return last_origin_ = origin;
}

Origin& HostMemory::make_origin(std::string_view name, std::string_view hostname) {
  Host& host = host_for(hostname);
  auto made = std::make_unique<Origin>(events_, std::string(name), host);
  Origin& origin = *made;
  if (!options_.needs_address) origin.stage = OriginStage::without_rules;
  if (!options_.needs_address && !options_.needs_robots) origin.stage = OriginStage::open;
  host.origins.push_back(&origin);
  origins_.emplace(std::string(name), std::move(made));
  if (host.is_recalled) recall_rules(origin);
  if (host.end) {
    origin.stage = OriginStage::closed;
    origin.end = std::make_unique<OriginEnd>(host.end->end);
  }
  count_bytes(origin, kOriginBytes + 4 * name.size());
  return origin;
}

void HostMemory::limit(std::uint64_t bytes_max, std::move_only_function<void()> on_full) {
  // Without a backlog, hosts cannot leave.
  bytes_max_ = backlog_ == nullptr ? bytes_ + bytes_max : bytes_max;
  on_full_ = std::move(on_full);
}

void HostMemory::count_bytes(Origin& origin, std::size_t bytes) {
  origin.bytes += bytes;
  bytes_ += bytes;
  if (bytes_ <= bytes_max_ || !on_full_) return;
  const bool is_bearable = backlog_ != nullptr && bytes_ / 2 <= bytes_max_;
  if (!is_bearable) std::exchange(on_full_, {})();
}

// --- leaving memory

bool HostMemory::is_idle(const Host& host) const {
  if (host.end || host.pace.in_flight() > 0) return false;
  return std::ranges::all_of(host.origins, [&](const Origin* origin) {
    return !origin->has_target() && origin->on_disk == 0 && !origin->is_preparing &&
           !origin->is_blocked && !queues_.is_set_aside(*origin);
  });
}

bool HostMemory::is_later(const Host& host) const {
  if (host.end || host.pace.in_flight() > 0) return false;
  return std::ranges::all_of(host.origins, [&](const Origin* origin) {
    const bool is_first_there = !origin->queue.empty() || origin->on_disk == 0;
    const bool is_blocked = origin->queue.empty() || turns_.is_blocked(*origin);
    return is_first_there && is_blocked && origin->put_off.empty() && !origin->is_preparing &&
           !origin->is_ready && !origin->pending() && !queues_.is_set_aside(*origin);
  });
}

void HostMemory::list_if_idle(Host& host) {
  if (away_ > 0 && turns_.is_stuck()) admit_soon(Duration::zero());
  if (backlog_ == nullptr || !is_idle(host)) return;
  if (!std::exchange(host.is_listed, true)) idle_.push_back(host);
  if (away_ > 0) admit_soon(kAdmitDelay);
}

bool HostMemory::has_room_within(std::uint64_t bytes_max) const {
  return bytes_ + kOriginBytes <= bytes_max;
}

// Hosts that were set aside stay until the end. They must not displace all others.
std::uint64_t HostMemory::room_max() const {
  const std::uint64_t rest = std::numeric_limits<std::uint64_t>::max() - bytes_max_;
  return bytes_max_ + std::min({bytes_set_aside_, bytes_max_, rest});
}

bool HostMemory::make_room() {
  if (has_room_within(room_max())) return true;
  backlog_->commit();  // so that the tables have the hosts that leave
  const std::uint64_t wanted = room_max() - bytes_max_ / 16;
  evict_idle(wanted);
  if (!has_room_within(room_max())) evict_later(wanted);
  return has_room_within(room_max());
}

void HostMemory::evict_idle(std::uint64_t bytes_wanted) {
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

void HostMemory::evict_later(std::uint64_t bytes_wanted) {
  std::vector<Origin*>& blocked = turns_.blocked();
  std::vector<Origin*> stay;
  std::unordered_set<const Origin*> gone;  // left with another origin of its host
  while (!blocked.empty() && stay.size() < kTriesMax && !has_room_within(bytes_wanted)) {
    Origin* const last = blocked.back();
    blocked.pop_back();
    if (gone.contains(last)) continue;
    const std::vector<Origin*> siblings = last->host.origins;
    if (!is_later(last->host) || !evict(last->host)) {
      stay.push_back(last);
    } else if (siblings.size() > 1) {
      gone.insert(siblings.begin(), siblings.end());
    }
  }
  blocked.insert(blocked.end(), stay.rbegin(), stay.rend());
  if (gone.empty()) return;
  std::erase_if(blocked, [&](const Origin* one) { return gone.contains(one); });
}

bool HostMemory::evict(Host& host) {
  // The backlog does not store pauses that we chose ourselves.
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
  }
  remove(host);
  return true;
}

bool HostMemory::forget(Host& host) {
  const bool is_preparing =
      std::ranges::any_of(host.origins, [](const Origin* origin) { return origin->is_preparing; });
  if (is_preparing || host.pace.in_flight() > 0) return false;
  if (host.end) return true;  // a blocked host stays
  remove(host);
  return true;
}

void HostMemory::remove(Host& host) {
  for (Origin* const origin : host.origins) {
    turns_.take_out(*origin);
    release_long_rules(*origin);
    bytes_ -= origin->bytes;
    origins_.erase(origins_.find(origin->name));
  }
  last_origin_ = nullptr;
  turns_.forget(host);
  if (host.is_listed) idle_.remove(host);
  seen_.insert(host_key(host.name));
  ++away_hosts_;
  has_history_ = true;
  hosts_.erase(hosts_.find(host.name));
}

// --- returning to memory

void HostMemory::put_away(const url::Url& url, std::optional<std::uint64_t> fingerprint,
                          Target target, std::span<const StoredCount> counts) {
  target.url = url.without_fragment();
  const std::uint32_t rank = rank_of(target, options_.order);
  backlog_->put_away(origin_text(url), fingerprint, target, rank, counts);
  const bool is_in_memory = hosts_.contains(url.hostname());
  if (!is_in_memory && seen_.insert(host_key(url.hostname()))) ++away_hosts_;
  has_history_ = true;
  ++away_;
  queues_.begin_away(target.depth, 1);
  has_news_ = has_news_ || !options_.is_level_by_level || target.depth <= turns_.level();
  if (turns_.is_stuck()) {
    admit_soon(Duration::zero());
  } else if (has_news_ && has_room_within(room_max())) {
    admit_soon(kAdmitDelay);  // it may take long until a host is idle
  } else if (has_news_ && !idle_.empty()) {
    admit_soon(kRetryDelay);  // their pauses end without an event
  }
}

void HostMemory::recall_waiting(std::uint16_t depth, std::size_t count) {
  away_ += count;
  queues_.begin_away(depth, count);
}

void HostMemory::recall_host(std::string_view hostname) {
  if (seen_.insert(host_key(hostname))) ++away_hosts_;
  has_history_ = true;
}

void HostMemory::admit_others() {
  has_news_ = true;
  if (away_ > 0) admit_soon(Duration::zero());
}

void HostMemory::admit_soon(Duration delay) {
  const Instant when = loop_.now() + delay;
  if (admit_soon_.pending() && admit_at_ <= when) return;
  admit_at_ = when;
  admit_soon_ = loop_.call_at(when, [this] { admit(); });
}

void HostMemory::admit() {
  // All origins were checked since the last one that could return was put away.
  if (away_ == 0 || turns_.is_closed() || (next_away_ == 0 && !has_news_)) return;
  const bool has_room = make_room();
  if (!has_room && !turns_.is_stuck()) {
    // A host frees memory when it becomes idle, and an idle one when its pause is over.
    if (!idle_.empty()) admit_soon(kRetryDelay);
    return;
  }
  if (next_away_ == 0) has_news_ = false;
  const std::uint32_t rank_max =
      options_.is_level_by_level ? turns_.level() : std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t room = has_room ? (room_max() - bytes_) / kOriginBytes : 1;
  const std::size_t count = std::min<std::uint64_t>(room, kAdmittedAtOnce);
  const Backlog::TakenIn taken = backlog_->take_in(next_away_, rank_max, count);
  next_away_ = taken.next;
  for (const Backlog::TakenIn::Origin& origin : taken.origins) admit(origin);
  admit_soon(Duration::zero());
}

void HostMemory::admit(const Backlog::TakenIn::Origin& taken) {
  CHECK(taken.waiting <= away_, "{} of {} come back", taken.waiting, away_);
  away_ -= taken.waiting;
  const auto url = url::Url::parse(taken.name);
  if (!url) return queues_.end_away(taken.waiting);  // it cannot be fetched
  Origin* found = find(taken.name);
  Origin& origin = found == nullptr ? make_origin(taken.name, url->hostname()) : *found;
  origin.on_disk += taken.waiting;
  if (origin.queue.empty()) queues_.refill(origin);
  events_.come_back(origin);
}

// --- all hosts

void HostMemory::set_politeness(const PolitenessOptions& politeness) {
  // Hosts borrow the options, so the old values are read before the options change.
  std::vector<std::pair<Host*, Duration>> rests;
  for (const auto& [name, host] : hosts_) rests.emplace_back(host.get(), host->pace.spacing());
  manners_.set_usual(politeness);
  for (const auto& [host, before] : rests) host->pace.follow(before);
}

std::size_t HostMemory::memory_bytes() const {
  std::size_t bytes = hosts_.size() * sizeof(Host);
  for (const auto& [name, origin] : origins_) {
    bytes += sizeof(Origin) + 2 * name.capacity() + origin->queue.memory_bytes() +
             origin->put_off.memory_bytes();
  }
  return bytes;
}

}  // namespace gossamer::crawler
