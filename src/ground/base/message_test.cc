#include "base/message.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace gossamer::base {
namespace {

template <class... Args>
std::string say(MessageFormat<sizeof...(Args)> format, const Args&... args) {
  return format_message(format.text(), {Arg(args)...});
}

TEST(Message, IsItselfWithoutPlaces) {
  EXPECT_EQ(say("no places"), "no places");
  EXPECT_EQ(say(""), "");
}

TEST(Message, TakesEveryKindOfArgument) {
  const std::string owned = "owned";
  EXPECT_EQ(say("{} {} {}", -1, 2u, 1.5), "-1 2 1.5");
  EXPECT_EQ(say("{} {}", true, 'c'), "true c");
  EXPECT_EQ(say("{} {} {}", owned, std::string_view("viewed"), "literal"), "owned viewed literal");
  EXPECT_EQ(say("{}", static_cast<const char*>(nullptr)), "(null)");
  EXPECT_EQ(say("{}", nullptr), "0x0");
  EXPECT_EQ(say("{}", 0.5f), "0.5");
}

TEST(Message, TakesTheWidestAndTheNarrowestIntegers) {
  EXPECT_EQ(say("{}", std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(say("{}", std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(say("{} {}", std::int8_t{-5}, std::uint8_t{200}), "-5 200");
}

TEST(Message, KeepsZeroBytesOfAText) {
  const std::string_view text("a\0b", 3);
  EXPECT_EQ(say("{}", text), text);
}

TEST(Message, ObeysSpecs) { EXPECT_EQ(say("{:04}|{:>5}|{:x}", 7, "ab", 255), "0007|   ab|ff"); }

TEST(Message, DoubleBracesAreEscapes) { EXPECT_EQ(say("{{{}}}", 1), "{1}"); }

TEST(Message, SaysThatItCannotBeFormattedInsteadOfThrowing) {
  const std::string text = say("wrong {:d}", "text");
  EXPECT_TRUE(text.starts_with("wrong {:d} (")) << text;
}

TEST(Message, DoesNotReadArgumentsAsFormats) { EXPECT_EQ(say("{}", "{} {:d} {"), "{} {:d} {"); }

}  // namespace
}  // namespace gossamer::base
