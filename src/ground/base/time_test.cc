#include "base/time.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gossamer::base {
namespace {

TEST(Duration, IsWrittenInTheUnitThatFits) {
  const std::vector<std::pair<Duration, std::string>> cases = {
      {0s, "0 s"},           {1ns, "1 ns"},       {850ns, "850 ns"}, {1us, "1 us"},
      {1500ns, "1.5 us"},    {200ms, "200 ms"},   {1500ms, "1.5 s"}, {10s, "10 s"},
      {1050ms, "1.05 s"},    {1001ms, "1.001 s"}, {60s, "1 min"},    {125s, "2 min 5 s"},
      {90min, "1 h 30 min"}, {24h, "1 d"},        {7 * 24h, "7 d"},  {25h, "1 d 1 h"},
  };
  for (const auto& [duration, text] : cases) EXPECT_EQ(to_string(duration), text);
}

TEST(Duration, IsRoundedIntoTheNextUnitAndNeverBeyondItsOwn) {
  EXPECT_EQ(to_string(999'999ns), "999.999 us");
  EXPECT_EQ(to_string(1'234'567ns), "1.235 ms");
  EXPECT_EQ(to_string(999'999'500ns), "1 s");
  EXPECT_EQ(to_string(59'999'499us), "59.999 s");
  EXPECT_EQ(to_string(59'999'500us), "1 min");
  EXPECT_EQ(to_string(3599s + 500ms), "1 h");
  EXPECT_EQ(to_string(24h - 30s), "1 d");
}

TEST(Duration, MayBeNegativeWhenWritten) {
  EXPECT_EQ(to_string(-1500ms), "-1.5 s");
  EXPECT_EQ(to_string(Duration::min()), "-106752 d");
}

TEST(Duration, IsReadWithEveryUnit) {
  const std::vector<std::pair<std::string, Duration>> cases = {
      {"0", 0s},      {"0s", 0s},   {"1ns", 1ns},      {"3us", 3us},  {"250ms", 250ms},
      {"1s", 1s},     {"2m", 2min}, {"3h", 3h},        {"7d", 168h},  {"1.5s", 1500ms},
      {"0.25m", 15s}, {"007s", 7s}, {"1.50s", 1500ms}, {"0.5d", 12h}, {"1.0ns", 1ns},
  };
  for (const auto& [text, duration] : cases) {
    const auto parsed = parse_duration(text);
    ASSERT_TRUE(parsed.has_value()) << text << ": " << parsed.error().to_string();
    EXPECT_EQ(*parsed, duration) << text;
  }
}

TEST(Duration, IsCutBelowANanosecond) {
  EXPECT_EQ(*parse_duration("1.9ns"), 1ns);
  EXPECT_EQ(*parse_duration("0.0000000019s"), 1ns);
  EXPECT_EQ(*parse_duration("0." + std::string(100, '9') + "d"), 24h - 1ns);
}

TEST(Duration, IsRejectedIfInvalid) {
  for (const char* text : {"",     "s",    "1",    "1.5", "00",   "-1s",   "+1s",       " 1s",
                           "1s ",  "1 s",  "1S",   ".5s", "1.s",  "1..5s", "1.5.5s",    "1ss",
                           "1e3s", "0x1s", "1min", "1w",  "1,5s", "inf",   "1\xc2\xb5s"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error(), Errc::malformed) << text;
  }
}

TEST(Duration, IsReadUpToTheLastNanosecondAndNoFurther) {
  EXPECT_EQ(*parse_duration("9223372036854775807ns"), Duration::max());
  EXPECT_EQ(*parse_duration("9223372036.854775807s"), Duration::max());
  for (const std::string& text :
       {std::string("9223372036854775808ns"), std::string("9223372036.854775808s"),
        std::string("106752d"), std::string("18446744073709551617ns"),
        std::string(1000, '9') + "d"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error(), Errc::over_limit) << text;
  }
}

TEST(Duration, ThatIsEndlessButNoDurationIsMalformed) {
  EXPECT_EQ(parse_duration(std::string(1000, '9') + "x").error(), Errc::malformed);
}

TEST(Instant, StopsAtItsEndsInsteadOfOverflowing) {
  const Instant start = Instant(5s);
  EXPECT_EQ(add_saturating(start, 2s), Instant(7s));
  EXPECT_EQ(add_saturating(start, -7s), Instant(-2s));
  EXPECT_EQ(add_saturating(start, Duration::max()), kNever);
  EXPECT_EQ(add_saturating(kNever, 1ns), kNever);
  EXPECT_EQ(add_saturating(Instant(-5s), Duration::min()), Instant::min());
}

TEST(WallTime, IsOrderedInTime) {
  EXPECT_LT((WallTime{.seconds = 1, .nanoseconds = 999}), (WallTime{.seconds = 2}));
  EXPECT_LT((WallTime{.seconds = 1}), (WallTime{.seconds = 1, .nanoseconds = 1}));
  EXPECT_LT((WallTime{.seconds = -1, .nanoseconds = 5}), WallTime());
}

TEST(WallTime, MovesByADurationAcrossSeconds) {
  const WallTime start = {.seconds = 10, .nanoseconds = 600'000'000};
  EXPECT_EQ(start + 0ns, start);
  EXPECT_EQ(start + 400ms, (WallTime{.seconds = 11}));
  EXPECT_EQ(start + 1500ms, (WallTime{.seconds = 12, .nanoseconds = 100'000'000}));
  EXPECT_EQ(start + -700ms, (WallTime{.seconds = 9, .nanoseconds = 900'000'000}));
  EXPECT_EQ(start + -11s, (WallTime{.seconds = -1, .nanoseconds = 600'000'000}));
  EXPECT_EQ(WallTime() + Duration::min(),
            (WallTime{.seconds = -9'223'372'037, .nanoseconds = 145'224'192}));
}

TEST(WallTime, IsWrittenAsRfc3339) {
  EXPECT_EQ(to_rfc3339({}), "1970-01-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339({.seconds = 951'827'696}), "2000-02-29T12:34:56Z");
  EXPECT_EQ(to_rfc3339({.seconds = 1'709'209'296}), "2024-02-29T12:21:36Z");
  EXPECT_EQ(to_rfc3339({.seconds = -1}), "1969-12-31T23:59:59Z");
  EXPECT_EQ(to_rfc3339({.seconds = -62'167'219'200}), "0000-01-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339({.seconds = 253'402'300'799}), "9999-12-31T23:59:59Z");
}

TEST(WallTime, IsCutToTheRequestedDigits) {
  const WallTime time = {.seconds = 0, .nanoseconds = 987'654'321};
  EXPECT_EQ(to_rfc3339(time), "1970-01-01T00:00:00Z");
  EXPECT_EQ(to_rfc3339(time, SecondDigits::milli), "1970-01-01T00:00:00.987Z");
  EXPECT_EQ(to_rfc3339(time, SecondDigits::micro), "1970-01-01T00:00:00.987654Z");
  EXPECT_EQ(to_rfc3339(time, SecondDigits::nano), "1970-01-01T00:00:00.987654321Z");
  EXPECT_EQ(to_rfc3339({.nanoseconds = 1'000'000}, SecondDigits::milli),
            "1970-01-01T00:00:00.001Z");
}

TEST(WallTimeDeathTest, OutsideFourDigitYearsIsOurBug) {
  EXPECT_DEATH(to_rfc3339({.seconds = 253'402'300'800}), "RFC 3339");
}

}  // namespace
}  // namespace gossamer::base
