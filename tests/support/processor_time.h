// For tests: what something costs, and whether that grows faster than its size.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>

#include "base/time.h"

namespace gossamer {

// That this thread has had so far. What else the machine does is not in it.
inline Duration processor_time() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return Duration(std::chrono::seconds(time.tv_sec)) + std::chrono::nanoseconds(time.tv_nsec);
}

// How many times more the double costs. Twice is linear; a cost that grows with the square would be
// four times as much. What runs beside a test can only make it slower, so the least of several
// measurements counts.
template <class Cost>
double growth(std::size_t size, Cost cost) {
  constexpr int kTriesMax = 8;
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
