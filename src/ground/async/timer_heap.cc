#include "async/timer_heap.h"

#include <algorithm>

#include "base/check.h"

namespace gossamer::async {

Timer::~Timer() { CHECK(!pending(), "a timer died before it was removed"); }

void TimerHeap::add(Timer& timer, Instant due) {
  CHECK(!timer.pending());
  entries_.emplace_back();
  sift_up(entries_.size() - 1, Entry{due, next_order_++, &timer});
}

void TimerHeap::remove(Timer& timer) noexcept {
  if (!timer.pending()) return;
  remove_at(timer.place_);
}

void TimerHeap::fire_due(Instant now) {
  const std::uint64_t added_before = next_order_;
  while (!entries_.empty()) {
    const Entry first = entries_.front();
    if (first.due > now || first.order >= added_before) return;
    remove_at(0);
    first.timer->fire();
  }
}

void TimerHeap::sift_up(std::size_t at, Entry entry) {
  while (at > 0) {
    const std::size_t parent = (at - 1) / kArity;
    if (!entry.before(entries_[parent])) break;
    place(at, entries_[parent]);
    at = parent;
  }
  place(at, entry);
}

void TimerHeap::sift_down(std::size_t at, Entry entry) {
  for (;;) {
    const std::size_t first_child = at * kArity + 1;
    if (first_child >= entries_.size()) break;
    const std::size_t end = std::min(first_child + kArity, entries_.size());
    std::size_t least = first_child;
    for (std::size_t child = first_child + 1; child < end; ++child) {
      if (entries_[child].before(entries_[least])) least = child;
    }
    if (!entries_[least].before(entry)) break;
    place(at, entries_[least]);
    at = least;
  }
  place(at, entry);
}

void TimerHeap::remove_at(std::size_t at) {
  entries_[at].timer->place_ = Timer::kNowhere;
  const Entry last = entries_.back();
  entries_.pop_back();
  if (at == entries_.size()) return;
  const bool rises = at > 0 && last.before(entries_[(at - 1) / kArity]);
  rises ? sift_up(at, last) : sift_down(at, last);
}

}  // namespace gossamer::async
