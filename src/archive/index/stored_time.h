// Times in the index: milliseconds since 1970, which is what archives have.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/time.h"

namespace gossamer::index {

inline constexpr std::int64_t kMillisecondsPerSecond = 1000;
inline constexpr std::uint32_t kNanosecondsPerMillisecond = 1'000'000;

// 0000-01-01T00:00:00 and 9999-12-31T23:59:59.
inline constexpr std::int64_t kStoredTimeMin = -62'167'219'200'000;
inline constexpr std::int64_t kStoredTimeMax = 253'402'300'799'999;

constexpr std::int64_t to_stored_time(WallTime time) noexcept {
  return time.seconds * kMillisecondsPerSecond +
         static_cast<std::int64_t>(time.nanoseconds / kNanosecondsPerMillisecond);
}

// Times that have no date with four digits of a year come from a damaged index, and are limited.
constexpr WallTime from_stored_time(std::int64_t stored) noexcept {
  stored = std::clamp(stored, kStoredTimeMin, kStoredTimeMax);
  std::int64_t seconds = stored / kMillisecondsPerSecond;
  std::int64_t rest = stored % kMillisecondsPerSecond;
  if (rest < 0) {
    rest += kMillisecondsPerSecond;
    --seconds;
  }
  return {seconds, static_cast<std::uint32_t>(rest) * kNanosecondsPerMillisecond};
}

}  // namespace gossamer::index
