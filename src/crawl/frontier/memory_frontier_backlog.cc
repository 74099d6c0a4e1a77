// What a frontier keeps beyond its own life.

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "crawl/frontier/memory_frontier.h"
#include "crawl/frontier/memory_frontier_origin.h"
#include "url/url.h"

namespace gossamer::crawler {

void MemoryFrontier::recall() {
  if (auto spill = backlog_->seen_spill()) seen_.spill_to(std::move(*spill));
  std::unordered_map<std::uint64_t, Deeper> found;
  Backlog::Recall recall = {
      .seen = [this](std::uint64_t fingerprint) { seen_.insert(fingerprint); },
      .waiting =
          [this](std::string_view, std::uint16_t depth, std::size_t count) {
            away_ += count;
            waiting_ += count;
            share_->work.begin(depth, count);
          },
      .target = {},
      .host =
          [this](std::string_view hostname) {
            if (seen_.insert(host_key(hostname))) ++hosts_away_;
            has_history_ = true;
          },
      .letter =
          [this](std::optional<std::uint64_t> fingerprint, Target target) {
            letters_.push_back({.target = std::move(target), .is_again = !fingerprint});
          },
      .count = [this](const KeptCount& count) { counts_.push_back(count); },
  };
  if (options_.is_level_by_level) {
    recall.target = [&](std::uint64_t fingerprint, const Target& target) {
      recall_target(fingerprint, target, found);
    };
  }
  backlog_->recall(std::move(recall));
  share_->work.begin_at_level();
  level_ = share_->work.level();
  for (const auto& [fingerprint, deeper] : found) {
    if (deeper.depth > level_) next_level_.emplace(fingerprint, deeper);
  }
  has_news_ = true;
  admit();
}

void MemoryFrontier::pause_first(HostPace& pace) const {
  if (!options_.is_continued) return;
  const Duration pause = pace.spacing();
  if (pause > Duration::zero()) pace.pause_until(base::add_saturating(begun_, pause));
}

void MemoryFrontier::refill_all() {
  for (auto& [name, origin] : origins_) {
    if (!origin->queue.empty() || origin->on_disk == 0) continue;
    refill(*origin);
    if (origin->stage == Stage::closed) {
      leave(*origin);
    } else {
      place(*origin);
    }
  }
}

// What could not be read when the origin was closed stays where it is, for another process.
void MemoryFrontier::leave(Origin& origin) {
  while (!origin.queue.empty()) {
    ended_.push_back(pop(origin).depth);
    --waiting_;
  }
  end_soon();
}

// One that waits twice was brought nearer: the deeper one is not to be claimed.
void MemoryFrontier::recall_target(std::uint64_t fingerprint, const Target& target,
                                   std::unordered_map<std::uint64_t, Deeper>& found) {
  const Deeper here = {.url_hash = base::hash64(target.url), .depth = target.depth};
  const auto [place, is_first] = found.emplace(fingerprint, here);
  if (is_first) return;
  Deeper& nearest = place->second;
  stale_.insert(Deeper{here.url_hash, std::max(nearest.depth, here.depth)}.hash());
  nearest.depth = std::min(nearest.depth, here.depth);
}

void MemoryFrontier::refill(Origin& origin) {
  while (origin.queue.empty() && origin.on_disk > 0) {
    Backlog::More more = backlog_->more(origin.name);
    if (more.targets.empty() && more.ended.empty()) return;  // it could not be read
    origin.on_disk -= more.targets.size() + more.ended.size();
    for (Target& target : more.targets) {
      origin.queue.push(std::move(target), origin.name, options_.order);
    }
    waiting_ -= more.ended.size();
    ended_.insert(ended_.end(), more.ended.begin(), more.ended.end());
  }
  end_soon();
}

// That may end a level, or all: not while somebody is in the middle of a claim.
void MemoryFrontier::end_soon() {
  if (ended_.empty() && ended_on_disk_ == 0) return;
  end_soon_ = loop_.call_later(Duration::zero(), [this] {
    for (const std::uint16_t depth : std::exchange(ended_, {})) share_->work.end(depth);
    if (const std::uint64_t more = std::exchange(ended_on_disk_, 0)) share_->work.end(0, more);
  });
}

Target MemoryFrontier::pop(Origin& origin) {
  Target target = origin.queue.pop(origin.name, options_.order);
  if (origin.queue.empty() && origin.on_disk > 0) refill(origin);
  return target;
}

Target MemoryFrontier::pop_probe(Origin& origin) {
  const bool is_others_turn = origin.host.pace.failures() % 2 == 0;
  // Others may be of a later level.
  if (!is_others_turn || options_.is_level_by_level) return pop(origin);
  Target target = origin.queue.pop_other(origin.name);
  if (origin.queue.empty() && origin.on_disk > 0) refill(origin);
  return target;
}

void MemoryFrontier::settle(const Target& target) {
  if (backlog_ != nullptr && target.ticket != 0) backlog_->end(target.ticket);
}

std::uint64_t MemoryFrontier::send(std::optional<std::uint64_t> fingerprint, const Target& target) {
  return backlog_ == nullptr ? 0 : backlog_->send(fingerprint, target);
}

void MemoryFrontier::skip(Claim claim) {
  settle(claim.target);
  abandon(claim);
  if (backlog_ != nullptr) backlog_->commit();
}

}  // namespace gossamer::crawler
