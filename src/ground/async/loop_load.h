#pragma once

#include <array>
#include <cstddef>

#include "base/time.h"

namespace gossamer::async {

// Tells whether a loop has time left, by how long it waited: over one millisecond, over four, over
// sixteen, and so on.
class LoopLoad {
 public:
  // The load is high if less than this part of the time was spent waiting. A loop that works in
  // batches always waits for the first response of the next batch.
  static constexpr Duration::rep kWaitingPart = 16;

  // Call it after each poll; `waited` is the total waiting time. Time before the first call does
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
  // Returns whether the load was high for the last `length`, or up to four times that; for less
  // while the history is shorter.
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
  static constexpr std::size_t kWindows = 7;  // the longest is four seconds

  struct Window {
    Instant begun = Instant::min();
    Duration waited = Duration::zero();
    bool was_high = false;  // in the previous window,
    bool is_known = false;  // if there was one
  };

  std::array<Window, kWindows> windows_;
};

}  // namespace gossamer::async
