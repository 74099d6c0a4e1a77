#include "frontier/origin_queues.h"

#include <utility>

namespace gossamer::crawler {

void OriginQueues::add(Origin& origin, const url::Url& url,
                       std::optional<std::uint64_t> fingerprint, Target target,
                       std::span<const StoredCount> counts) {
  target.url = url.without_fragment();
  const std::uint16_t depth = target.depth;
  Backlog::Stored stored;
  if (backlog_ != nullptr && !target.is_probe()) {
    stored =
        backlog_->add(origin.name, fingerprint, target, rank_of(target, options_.order), counts);
    target.ticket = stored.ticket;
  } else if (log_ != nullptr && target.ticket != 0) {
    log_->note_counts(target.ticket, counts);
  }
  if (stored.is_in_memory) {
    origin.queue.push(std::move(target), origin.name, options_.order);
  } else {
    ++origin.on_disk;
  }
  ++waiting_;
  work_.begin(depth);
  if (origin.queue.empty()) refill(origin);
}

void OriginQueues::put_back(Origin& origin, Target target) {
  origin.queue.push(std::move(target), origin.name, options_.order);
  ++waiting_;
}

void OriginQueues::put_off(Origin& origin, Target target, Duration pause) {
  const Instant now = loop_.now();
  origin.put_off.add(std::move(target), now, base::add_saturating(now, pause));
  ++waiting_;
}

std::optional<Target> OriginQueues::take_put_off(Origin& origin,
                                                 std::optional<Instant> last_answered) {
  const Instant now = loop_.now();
  auto target =
      last_answered ? origin.put_off.take_due(now, *last_answered) : origin.put_off.take_due(now);
  if (target) --waiting_;
  return target;
}

Target OriginQueues::pop_distant(Origin& origin) {
  const bool is_others_turn = origin.host.pace.refusals() % 2 == 1;
  if (!is_others_turn) return pop(origin);
  Target target = origin.queue.pop_opposite(origin.name, options_.order);
  --waiting_;
  if (origin.queue.empty() && origin.on_disk > 0) refill(origin);
  return target;
}

Target OriginQueues::pop(Origin& origin) {
  --waiting_;
  if (origin.queue.empty()) return origin.put_off.pop();
  Target target = origin.queue.pop(origin.name, options_.order);
  if (origin.queue.empty() && origin.on_disk > 0) refill(origin);
  return target;
}

Target OriginQueues::pop_probe(Origin& origin) {
  const bool is_others_turn = origin.host.pace.failures() % 2 == 0;
  // Other targets may have a later level.
  if (!is_others_turn || options_.is_level_by_level) return pop(origin);
  Target target = origin.queue.pop_other(origin.name);
  --waiting_;
  if (origin.queue.empty() && origin.on_disk > 0) refill(origin);
  return target;
}

void OriginQueues::refill(Origin& origin) {
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

void OriginQueues::settle(const Target& target) {
  if (log_ != nullptr && target.ticket != 0) log_->end(target.ticket);
}

std::size_t OriginQueues::set_aside(Origin& origin) {
  const std::size_t before = waiting_;
  // Only levels need the depths, so otherwise the disk is not read.
  if (!options_.is_level_by_level) {
    waiting_ -= origin.on_disk;
    ended_on_disk_ += std::exchange(origin.on_disk, 0);
  }
  leave(origin);
  return before - waiting_;
}

void OriginQueues::keep_for_later(const Origin& origin, const url::Url& url,
                                  std::optional<std::uint64_t> fingerprint, Target target,
                                  std::span<const StoredCount> counts) {
  target.url = url.without_fragment();
  // It is in memory rather than away, although it will not be claimed.
  backlog_->add(origin.name, fingerprint, target, rank_of(target, options_.order), counts);
}

void OriginQueues::leave(Origin& origin) {
  while (origin.has_target()) ended_.push_back(pop(origin).depth);
  end_soon();
}

void OriginQueues::begin_away(std::uint16_t depth, std::size_t count) {
  waiting_ += count;
  work_.begin(depth, count);
}

void OriginQueues::end_away(std::size_t count) {
  waiting_ -= count;
  ended_on_disk_ += count;
  end_soon();
}

// This may end a level or the crawl, so it is not called during a claim.
void OriginQueues::end_soon() {
  if (ended_.empty() && ended_on_disk_ == 0) return;
  end_soon_ = loop_.call_later(Duration::zero(), [this] {
    for (const std::uint16_t depth : std::exchange(ended_, {})) work_.end(depth);
    if (const std::uint64_t more = std::exchange(ended_on_disk_, 0)) work_.end(0, more);
  });
}

}  // namespace gossamer::crawler
