#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/time.h"

namespace gossamer::async {

// Something that happens at an instant. It is part of a coroutine's frame or of a handle, and must
// be removed from the heap before it is destroyed.
class Timer {
 public:
  Timer() = default;
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  bool pending() const { return place_ != kNowhere; }

  // Called once, when it is due. It is no longer pending then.
  virtual void fire() noexcept = 0;

 protected:
  ~Timer();

 private:
  friend class TimerHeap;
  static constexpr std::size_t kNowhere = std::numeric_limits<std::size_t>::max();
  std::size_t place_ = kNowhere;
};

// All timers of a loop, earliest first; those of one instant in the order in which they were added.
// It is a 4-ary heap that knows each timer's position, so that cancelling, which happens to nearly
// every deadline, removes the entry instead of marking it: the memory follows the number of pending
// timers.
class TimerHeap {
 public:
  // REQUIRES: the timer is not pending.
  void add(Timer& timer, Instant due);
  // Does nothing if it is not pending.
  void remove(Timer& timer) noexcept;

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  // Returns base::kNever if empty.
  Instant next_due() const { return entries_.empty() ? base::kNever : entries_.front().due; }
  // Removes and fires, in order, all timers due at `now`; those added meanwhile wait for the next
  // call.
  void fire_due(Instant now);

 private:
  struct Entry {
    Instant due;
    std::uint64_t order;
    Timer* timer;
    bool before(const Entry& other) const {
      return due != other.due ? due < other.due : order < other.order;
    }
  };
  static constexpr std::size_t kArity = 4;

  void place(std::size_t at, const Entry& entry) {
    entries_[at] = entry;
    entry.timer->place_ = at;
  }
  void sift_up(std::size_t at, Entry entry);
  void sift_down(std::size_t at, Entry entry);
  void remove_at(std::size_t at);

  std::vector<Entry> entries_;
  std::uint64_t next_order_ = 0;
};

}  // namespace gossamer::async
