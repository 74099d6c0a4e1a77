#pragma once

#include <array>
#include <cstddef>

#include "base/time.h"

namespace gossamer::async {

// Whether a loop has time left, told from how long it waited: over a millisecond, four of them,
// sixteen, and so on.
class LoopLoad {
 public:
  // The load is high where less than this part of the time was spent waiting. A loop that handles
  // what came in batches always waits for the first answer to the next batch.
  static constexpr Duration::rep kWaitingPart = 16;

  // After each look at the world; `waited`: for it, all in all. What was before the first look does
  // not count.
  void update(Instant now, Duration waited) noexcept {
    if (windows_[0].begun == Instant::min()) [[unlikely]]
      windows_.fill({now, waited});
    Duration length = kShortest;
    for (Window& window : windows_) {
      const Duration passed = now - window.begun;
      if (passed < length) return;
      window = {now, waited, (waited - window.waited) * kWaitingPart < passed, true};
      length *= kLonger;
    }
  }
  // Of late, for so long or up to four times that; as long as nobody knows yet, for less.
  bool is_high(Duration length) const noexcept {
    std::size_t i = 0;
    for (Duration of_window = kShortest; of_window < length && i + 1 < windows_.size(); ++i) {
      of_window *= kLonger;
    }
    while (i > 0 && !windows_[i].is_known) --i;
    return windows_[i].was_high;
  }

 private:
  static constexpr Duration kShortest = 1ms;
  static constexpr int kLonger = 4;
  static constexpr std::size_t kWindows = 7;  // of four seconds, the longest

  struct Window {
    Instant begun = Instant::min();
    Duration waited = Duration::zero();
    bool was_high = false;  // in the one before it,
    bool is_known = false;  // if there was one
  };

  std::array<Window, kWindows> windows_;
};

}  // namespace gossamer::async
