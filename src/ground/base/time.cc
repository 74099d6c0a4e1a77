#include "base/time.h"

#include <array>
#include <limits>

#include "base/ascii.h"
#include "base/check.h"

namespace gossamer::base {
namespace {

constexpr std::uint64_t kMicrosecond = 1'000;
constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kMinute = 60 * kSecond;
constexpr std::uint64_t kHour = 60 * kMinute;
constexpr std::uint64_t kDay = 24 * kHour;

constexpr std::uint64_t divide_rounded(std::uint64_t dividend, std::uint64_t divisor) {
  return dividend / divisor + (dividend % divisor >= (divisor + 1) / 2 ? 1 : 0);
}

// "1.5" for 1500: thousandths without the zeros at the end.
std::string thousandths_to_string(std::uint64_t thousandths) {
  std::string text = std::to_string(thousandths / 1000);
  const std::uint64_t fraction = thousandths % 1000;
  if (fraction == 0) return text;
  text += '.';
  text += std::to_string(1000 + fraction).substr(1);
  while (text.back() == '0') text.pop_back();
  return text;
}

// "2 min 5 s", or "2 min" when the small part is zero.
std::string two_units(std::uint64_t small_total, std::uint64_t small_per_large, const char* large,
                      const char* small) {
  std::string text = std::to_string(small_total / small_per_large) + large;
  const std::uint64_t rest = small_total % small_per_large;
  if (rest != 0) text += ' ' + std::to_string(rest) + small;
  return text;
}

// Each step tests whether the *rounded* value still fits its unit: 59.9999 s is "1 min".
std::string magnitude_to_string(std::uint64_t nanoseconds) {
  if (nanoseconds == 0) return "0 s";
  if (nanoseconds < kMicrosecond) return std::to_string(nanoseconds) + " ns";
  if (nanoseconds < kMillisecond) return thousandths_to_string(nanoseconds) + " us";
  const std::uint64_t microseconds = divide_rounded(nanoseconds, kMicrosecond);
  if (microseconds < 1'000'000) return thousandths_to_string(microseconds) + " ms";
  const std::uint64_t milliseconds = divide_rounded(nanoseconds, kMillisecond);
  if (milliseconds < 60'000) return thousandths_to_string(milliseconds) + " s";
  const std::uint64_t seconds = divide_rounded(nanoseconds, kSecond);
  if (seconds < 3600) return two_units(seconds, 60, " min", " s");
  const std::uint64_t minutes = divide_rounded(nanoseconds, kMinute);
  if (minutes < 1440) return two_units(minutes, 60, " h", " min");
  return two_units(divide_rounded(nanoseconds, kHour), 24, " d", " h");
}

struct Unit {
  std::string_view suffix;
  std::uint64_t nanoseconds;
};

constexpr auto kUnits = std::to_array<Unit>({{"ns", 1},
                                             {"us", kMicrosecond},
                                             {"ms", kMillisecond},
                                             {"s", kSecond},
                                             {"m", kMinute},
                                             {"h", kHour},
                                             {"d", kDay}});

// Removes the leading digits from `text` and returns them.
std::string_view take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

using Wide = unsigned __int128;

constexpr Wide kDurationMax = std::numeric_limits<Duration::rep>::max();

// Returns `digits` as a number, or a value above kDurationMax if it is larger than that.
Wide whole_number(std::string_view digits) {
  Wide value = 0;
  for (const char digit : digits) {
    value = value * 10 + static_cast<Wide>(digit - '0');
    if (value > kDurationMax) break;
  }
  return value;
}

// Returns 0.`digits` of a unit, in whole nanoseconds. A day has 8.64e13 ns, so digits after the
// eighteenth do not matter, and the product of 18 digits and a day stays far below 128 bits.
Wide fraction_of(std::string_view digits, std::uint64_t unit_nanoseconds) {
  Wide value = 0;
  Wide scale = 1;
  for (const char digit : digits.substr(0, 18)) {
    value = value * 10 + static_cast<Wide>(digit - '0');
    scale *= 10;
  }
  return value * unit_nanoseconds / scale;
}

std::unexpected<Error> not_a_duration(std::string_view text) {
  return fail(Errc::malformed, "not a duration such as 250ms, 1.5s or 7d: '" +
                                   std::string(text.substr(0, 40)) + "'");
}

}  // namespace

std::string to_string(Duration duration) {
  const auto count = static_cast<std::uint64_t>(duration.count());
  if (duration < Duration::zero()) return '-' + magnitude_to_string(0 - count);
  return magnitude_to_string(count);
}

Result<Duration> parse_duration(std::string_view text) {
  if (text == "0") return Duration::zero();
  std::string_view rest = text;
  const std::string_view whole = take_digits(rest);
  if (whole.empty()) return not_a_duration(text);
  std::string_view fraction;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    fraction = take_digits(rest);
    if (fraction.empty()) return not_a_duration(text);
  }
  for (const Unit& unit : kUnits) {
    if (rest != unit.suffix) continue;
    // At most 10 * 2^63 * 8.64e13, which fits into 128 bits.
    const Wide total =
        whole_number(whole) * unit.nanoseconds + fraction_of(fraction, unit.nanoseconds);
    if (total > kDurationMax)
      return fail(Errc::over_limit, "the duration is longer than 292 years");
    return Duration(static_cast<Duration::rep>(total));
  }
  return not_a_duration(text);
}

Result<Duration> parse_seconds(std::string_view text) {
  const bool is_bare = text.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_bare ? parse_duration(std::string(text) + "s") : parse_duration(text);
}

WallTime operator+(WallTime start, Duration delay) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  std::int64_t seconds = delay.count() / kPerSecond;
  std::int64_t nanoseconds = delay.count() % kPerSecond + start.nanoseconds;
  if (nanoseconds < 0) {
    nanoseconds += kPerSecond;
    --seconds;
  } else if (nanoseconds >= kPerSecond) {
    nanoseconds -= kPerSecond;
    ++seconds;
  }
  WallTime sum = {.nanoseconds = static_cast<std::uint32_t>(nanoseconds)};
  CHECK(!__builtin_add_overflow(start.seconds, seconds, &sum.seconds));
  return sum;
}

std::string to_rfc3339(WallTime time, SecondDigits digits) {
  // 0000-01-01T00:00:00Z and 9999-12-31T23:59:59Z. Checked before the calendar, which is only
  // defined for years that fit 16 bits.
  CHECK(time.seconds >= -62'167'219'200 && time.seconds <= 253'402'300'799,
        "{} s cannot be written as an RFC 3339 time", time.seconds);
  CHECK(time.nanoseconds < kSecond);
  const std::chrono::sys_seconds moment{std::chrono::seconds(time.seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss clock(moment - midnight);
  std::string text =
      format_message("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
                     {static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                      static_cast<unsigned>(date.day()), clock.hours().count(),
                      clock.minutes().count(), clock.seconds().count()});
  if (digits != SecondDigits::none) {
    text += '.';
    text += std::to_string(kSecond + time.nanoseconds).substr(1, static_cast<std::size_t>(digits));
  }
  text += 'Z';
  return text;
}

}  // namespace gossamer::base
