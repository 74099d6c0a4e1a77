#pragma once

#include "base/time.h"

namespace gossamer::async {

// Whether a loop has time left, told from how long it waited: of each few milliseconds anew.
class LoopLoad {
 public:
  // Of a millisecond and more, less than this part was spent waiting: the load is high. A loop that
  // handles what came in batches always waits for the first answer to the next batch.
  static constexpr Duration::rep kWaitingPart = 16;
  static constexpr Duration kWindow = 1ms;

  // After each look at the world; `waited`: for it, all in all.
  void update(Instant now, Duration waited) noexcept {
    const Duration passed = now - begun_;
    if (passed < kWindow) return;
    is_high_ = (waited - waited_before_) * kWaitingPart < passed;
    begun_ = now;
    waited_before_ = waited;
  }
  bool is_high() const noexcept { return is_high_; }

 private:
  Instant begun_ = {};
  Duration waited_before_ = Duration::zero();
  bool is_high_ = false;
};

}  // namespace gossamer::async
