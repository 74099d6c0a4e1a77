#pragma once

#include <time.h>

#include <algorithm>

#include "base/time.h"

// The machine's clock, for the two drivers that use it.
namespace gossamer::async {

inline Instant monotonic_now() noexcept {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Instant(std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec));
}

// Returns the time from `now` until `until`, at least zero.
template <class Timespec = timespec>
Timespec time_left(Instant now, Instant until) noexcept {
  const Duration left = std::max(until - now, Duration::zero());
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
  Timespec result = {};
  result.tv_sec = whole.count();
  result.tv_nsec = (left - whole).count();
  return result;
}

}  // namespace gossamer::async
