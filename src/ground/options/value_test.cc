#include "options/value.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace gossamer::options {
namespace {

enum class Color : std::uint8_t { red, green };
constexpr std::array<Choice<Color>, 2> kColors = {{{"red", Color::red}, {"green", Color::green}}};

TEST(Size, TakesBytesWithOrWithoutAUnit) {
  std::uint64_t bytes = 0;
  EXPECT_EQ(take_size("500", bytes), "");
  EXPECT_EQ(bytes, 500u);
  EXPECT_EQ(take_size("64K", bytes), "");
  EXPECT_EQ(bytes, 64u * 1024);
  EXPECT_EQ(take_size("10m", bytes), "");
  EXPECT_EQ(bytes, 10u << 20);
  EXPECT_EQ(take_size("2G", bytes), "");
  EXPECT_EQ(bytes, std::uint64_t{2} << 30);
}

TEST(Size, RejectsTheRest) {
  std::uint64_t bytes = 7;
  for (const char* text :
       {"", "K", "5X", "-5", "1.5M", "5KB", " 5", "99999999999999999999", "9999999999G"}) {
    EXPECT_NE(take_size(text, bytes), "") << text;
  }
  EXPECT_EQ(size(bytes, 1024).take("1000"), "must be at least 1K");
  EXPECT_EQ(bytes, 7u);
}

TEST(Duration, TakesABareNumberForSeconds) {
  Duration time = {};
  EXPECT_EQ(take_duration("10", time), "");
  EXPECT_EQ(time, 10s);
  EXPECT_EQ(take_duration("250ms", time), "");
  EXPECT_EQ(time, 250ms);
  EXPECT_NE(take_duration("soon", time), "");
  EXPECT_NE(take_duration("", time), "");
}

TEST(Limits, AreNoneAtZero) {
  Duration wait = 10s;
  EXPECT_EQ(time_limit(wait).take("0"), "");
  EXPECT_GT(wait, 24h * 365);
  std::optional<Duration> time = 5s;
  EXPECT_EQ(time_limit(time).take("7s"), "");
  EXPECT_EQ(time, Duration(7s));
  EXPECT_EQ(time_limit(time).take("0"), "");
  EXPECT_EQ(time, std::nullopt);
  std::optional<std::uint64_t> bytes;
  EXPECT_EQ(size_limit(bytes).take("1K"), "");
  EXPECT_EQ(bytes, 1024U);
  EXPECT_EQ(size_limit(bytes).take("0"), "");
  EXPECT_EQ(bytes, std::nullopt);
  EXPECT_NE(size_limit(bytes).take("much"), "");
}

// A default is shown in a form that can be typed.
TEST(Initial, IsWhatTheVariableHolds) {
  for (const Duration held : {Duration(0s), Duration(1500ms), Duration(10s), Duration(5min),
                              Duration(24h), Duration(17ns)}) {
    Duration time = held;
    Value value = duration(time);
    time = 1s;
    EXPECT_EQ(value.take(value.initial), "") << value.initial;
    EXPECT_EQ(time, held) << value.initial;
  }
  for (const std::uint64_t held :
       {std::uint64_t{0}, std::uint64_t{1000}, std::uint64_t{64} << 20, std::uint64_t{1} << 30}) {
    std::uint64_t bytes = held;
    Value value = size(bytes);
    bytes = 1;
    EXPECT_EQ(value.take(value.initial), "") << value.initial;
    EXPECT_EQ(bytes, held) << value.initial;
  }
  std::uint32_t number = 64;
  EXPECT_EQ(count(number).initial, "64");
  Color color = Color::green;
  EXPECT_EQ(choice(kColors, color).initial, "green");
  EXPECT_EQ(duration_text(1500ms), "1500ms");
  EXPECT_EQ(size_text(64 << 20), "64M");
}

TEST(Count, StaysWithinItsBounds) {
  std::uint32_t number = 7;
  EXPECT_EQ(count(number, 1).take("0"), "expected a whole number of at least 1, not '0'");
  EXPECT_NE(count(number, 1).take("4294967296"), "") << "more than the variable holds";
  EXPECT_EQ(count(number).take("deep"), "expected a whole number, not 'deep'");
  EXPECT_EQ(number, 7u);
}

TEST(Count, MayBeNone) {
  std::optional<std::uint32_t> depth;
  Value value = count(depth, 0, "inf");
  EXPECT_EQ(value.placeholder, "N|inf");
  EXPECT_EQ(value.initial, "inf");
  EXPECT_EQ(value.take("3"), "");
  EXPECT_EQ(depth, 3u);
  EXPECT_EQ(value.take("inf"), "");
  EXPECT_EQ(depth, std::nullopt);
  EXPECT_EQ(value.take("deep"), "expected a number or inf, not 'deep'");
}

TEST(Choice, IsOneOfItsWords) {
  Color color = Color::red;
  Value value = choice(kColors, color);
  EXPECT_EQ(value.placeholder, "red|green");
  EXPECT_EQ(value.choices, (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(value.take("green"), "");
  EXPECT_EQ(color, Color::green);
  EXPECT_EQ(value.take("gren"), "unknown value 'gren'; did you mean green?");
  EXPECT_EQ(value.take("xylophone"), "expected one of red, green, not 'xylophone'");
}

TEST(ValueTest, TextsThatMeanTheSameHaveOneCanonicalText) {
  for (const char* const text : {"60", "60s", "1m", "60000ms"}) {
    EXPECT_EQ(canonical_text(Kind::duration, text), "1m");
  }
  for (const char* const text : {"1048576", "1024K", "1m", "1M"}) {
    EXPECT_EQ(canonical_text(Kind::size, text), "1M");
  }
  EXPECT_EQ(canonical_text(Kind::text, "60s"), "60s");
  EXPECT_EQ(canonical_text(Kind::duration, "soon"), "soon");
}

}  // namespace
}  // namespace gossamer::options
