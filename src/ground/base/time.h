// The types of time. This is the only file that includes <chrono>. Nothing in base reads a clock;
// the loop's clock, which may be virtual, tells the time.
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

// A point on the loop's clock. It has no meaning outside the process that made it.
using Instant = LoopClock::time_point;

// Later than every other instant: the deadline of an operation without one.
inline constexpr Instant kNever = Instant::max();

// Returns `start + delay`, but stops at Instant::max() and Instant::min() instead of overflowing,
// so that "no timeout" can be written Duration::max().
constexpr Instant add_saturating(Instant start, Duration delay) noexcept {
  Duration::rep sum = 0;
  if (__builtin_add_overflow(start.time_since_epoch().count(), delay.count(), &sum)) {
    return delay < Duration::zero() ? Instant::min() : Instant::max();
  }
  return Instant(Duration(sum));
}

// Formats for people: "0 s", "850 ns", "200 ms", "1.5 s", "2 min 5 s", "1 h 30 min", "7 d". At most
// three digits follow the point; the rest is rounded half away from zero.
std::string to_string(Duration duration);

// Parses a number (digits, at most one point) and a unit, without a sign and without spaces:
// "250ms", "1.5s", "7d"; units ns, us, ms, s, m, h, d. A bare "0" is allowed too. Fractions of a
// nanosecond are cut off. Fails with Errc::malformed for other texts and with Errc::over_limit
// beyond about 292 years.
Result<Duration> parse_duration(std::string_view text);
// Parses a duration that may lack its unit: "10" means "10s".
Result<Duration> parse_seconds(std::string_view text);

// A moment of civil time, UTC without leap seconds. Before 1970 `seconds` is negative and
// `nanoseconds` still counts forward.
struct WallTime {
  std::int64_t seconds = 0;       // since 1970-01-01T00:00:00Z
  std::uint32_t nanoseconds = 0;  // INVARIANT: < 1'000'000'000

  // The default order is chronological.
  friend constexpr auto operator<=>(const WallTime&, const WallTime&) = default;
};

// REQUIRES: the result is representable.
WallTime operator+(WallTime start, Duration delay);

// How many digits of a second are written. Digits are cut off, never rounded: a time stamp must not
// lie in the future.
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
