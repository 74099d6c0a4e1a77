// The types of time. This is the only file that includes <chrono>; nothing in base reads a clock:
// what time it is is said by the loop's clock, which may be a virtual one.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::base {

using namespace std::chrono_literals;

using Duration = std::chrono::nanoseconds;
static_assert(sizeof(Duration) == 8);

// The tag of the loop's monotonic clock. It has no now() on purpose.
struct LoopClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<LoopClock>;
  static constexpr bool is_steady = true;
};

// A point on the loop's clock. Means nothing outside the process that made it.
using Instant = LoopClock::time_point;

// Later than everything: the deadline of what has none.
inline constexpr Instant kNever = Instant::max();

// `start + delay`, but stops at Instant::max() and Instant::min() instead of overflowing, so that
// "no timeout" may be written Duration::max().
constexpr Instant add_saturating(Instant start, Duration delay) noexcept {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(start.time_since_epoch().count(), delay.count(), &sum)) {
    return delay < Duration::zero() ? Instant::min() : Instant::max();
  }
  return Instant(Duration(sum));
}

// For people: "0 s", "850 ns", "200 ms", "1.5 s", "2 min 5 s", "1 h 30 min", "7 d". At most
// three digits after the point; what is smaller is rounded half away from zero.
std::string to_string(Duration duration);

// A number (digits, at most one point) and a unit, without a sign and without spaces:
// "250ms", "1.5s", "7d"; units ns, us, ms, s, m, h, d. A bare "0" is allowed too. What is smaller
// than a nanosecond is cut off. Fails with Errc::malformed when it does not read like that and
// with Errc::over_limit beyond about 292 years.
Result<Duration> parse_duration(std::string_view text);

// A moment of civil time, UTC without leap seconds. Before 1970 `seconds` is negative and
// `nanoseconds` still counts forward.
struct WallTime {
  std::int64_t seconds = 0;       // since 1970-01-01T00:00:00Z
  std::uint32_t nanoseconds = 0;  // INVARIANT: < 1'000'000'000

  // The default order is the order in time.
  friend constexpr auto operator<=>(const WallTime&, const WallTime&) = default;
};

// REQUIRES: the result is representable.
WallTime operator+(WallTime start, Duration delay);

// How many digits of a second are written. Digits are cut off, never rounded: a time stamp must
// not lie in the future.
enum class SecondDigits : std::uint8_t { none = 0, milli = 3, micro = 6, nano = 9 };

// RFC 3339 in UTC: "2024-02-29T12:34:56Z", "2024-02-29T12:34:56.789Z".
// REQUIRES: the year is within 0000 to 9999, which is all RFC 3339 can write.
std::string to_rfc3339(WallTime time, SecondDigits digits = SecondDigits::none);

}  // namespace gossamer::base

namespace gossamer {
using namespace std::chrono_literals;
using base::Duration;
using base::Instant;
using base::WallTime;
}  // namespace gossamer
