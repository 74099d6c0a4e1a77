#include "tests/simulated/timeline.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::sim {

void Timeline::move_to(Instant when) {
  CHECK(when >= now_, "time runs forward");
  now_ = when;
}

void Timeline::schedule(Instant at, const Event& event) {
  entries_.push_back({std::max(at, now_), next_order_++, event});
  std::push_heap(entries_.begin(), entries_.end(), later);
}

std::optional<Event> Timeline::take_due(std::uint64_t mark) {
  if (entries_.empty()) return std::nullopt;
  const Entry& next = entries_.front();
  if (next.at > now_ || next.order >= mark) return std::nullopt;
  std::pop_heap(entries_.begin(), entries_.end(), later);
  const Event event = entries_.back().event;
  entries_.pop_back();
  return event;
}

}  // namespace gossamer::sim
