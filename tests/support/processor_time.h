// For tests: measures a cost, and whether it grows faster than the input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>

#include "base/time.h"

namespace gossamer {

// The CPU time of this thread so far, without other work of the machine.
inline Duration processor_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Duration(std::chrono::seconds(time.tv_sec)) + std::chrono::nanoseconds(time.tv_nsec);
}

// Returns the ratio of the costs of twice the input: 2 is linear, 4 is quadratic. Other processes
// can only make a test slower, so the least of several measurements counts.
template <class Cost>
double growth(std::size_t size, Cost cost) {
  constexpr int kTriesMax = 40;
  constexpr double kBeyondDoubt = 3;
  Duration once = Duration::max();
  Duration twice = Duration::max();
  double growth = 0;
  for (int i = 0; i < kTriesMax; ++i) {
    once = std::min(once, cost(size));
    twice = std::min(twice, cost(2 * size));
    growth = static_cast<double>(twice.count()) / static_cast<double>(once.count());
    if (growth < kBeyondDoubt) break;
  }
  return growth;
}

}  // namespace gossamer
