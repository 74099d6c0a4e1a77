#include "html/token/collapse.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace gossamer::html {
namespace {

TEST(EndOfWords, IsBeforeWhiteSpaceThatIsNotOneSpaceBetweenWords) {
  EXPECT_EQ(end_of_words("word", 0), 4);
  EXPECT_EQ(end_of_words("some words ", 0), 10);
  EXPECT_EQ(end_of_words("some  words", 0), 4);
  EXPECT_EQ(end_of_words("some words\nand a second line", 0), 10);
  EXPECT_EQ(end_of_words("a long line of words \n and more", 0), 20);
  EXPECT_EQ(end_of_words("a long line of words\x01 and more", 2), 20);
  EXPECT_EQ(end_of_words("\xC3\x9Cn\xC3\xAF"
                         "code \xE2\x80\x9Cwords\xE2\x80\x9D",
                         0),
            21);
}

// It reads eight bytes at a time; the rule is for each byte.
TEST(EndOfWords, IsThatOfTheRuleForEachByte) {
  const auto is_ink = [](char c) { return static_cast<unsigned char>(c) > ' '; };
  constexpr std::string_view kBytes = "abcdefghij    \n\t\x01\x1F\x21\x7F\x80\xA0\xFF";
  base::Random random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = "x";
    for (auto left = random.below(40); left > 0; --left) {
      const bool is_common = random.below(4) != 0;
      text += is_common ? kBytes[random.below(11)] : kBytes[random.below(kBytes.size())];
    }
    std::size_t end = 0;
    while (end < text.size() && (is_ink(text[end]) || (text[end] == ' ' && end + 1 < text.size() &&
                                                       is_ink(text[end + 1])))) {
      ++end;
    }
    // A block of exactly this size, so that a sanitizer sees a byte too many.
    const std::vector<char> block(text.begin(), text.end());
    ASSERT_EQ(end_of_words({block.data(), block.size()}, 0), end) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace gossamer::html
