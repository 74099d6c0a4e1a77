// Times in the index: milliseconds since 1970, which is what archives have.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace gossamer::index {

inline constexpr std::int64_t kMillisecondsPerSecond = 1000;
inline constexpr std::uint32_t kNanosecondsPerMillisecond = 1'000'000;

constexpr std::int64_t to_stored_time(WallTime time) noexcept {
  return time.seconds * kMillisecondsPerSecond +
         static_cast<std::int64_t>(time.nanoseconds / kNanosecondsPerMillisecond);
}

constexpr WallTime from_stored_time(std::int64_t stored) noexcept {
  std::int64_t seconds = stored / kMillisecondsPerSecond;
  std::int64_t rest = stored % kMillisecondsPerSecond;
  if (rest < 0) {
    rest += kMillisecondsPerSecond;
    --seconds;
  }
  return {seconds, static_cast<std::uint32_t>(rest) * kNanosecondsPerMillisecond};
}

}  // namespace gossamer::index
