#include "content/text_sketch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::content {
namespace {

// Returns `count` words that differ from each other.
std::string words(int count, int first = 0) {
  std::string text;
  for (int i = first; i < first + count; ++i) text += fmt::format("word{} ", i);
  return text;
}

TEST(TextSketch, IgnoresCasePunctuationAndWhiteSpace) {
  const auto plain =
      text_sketch("The kettle boils a litre of water in two minutes don't \xC3\xA9t\xC3\xA9");
  const auto other = text_sketch(
      "THE \"kettle\" boils,\n\na litre\tof water -- in two minutes! Don\xE2\x80\x99t "
      "\xC3\x89T\xC3\x89");
  ASSERT_TRUE(plain);
  ASSERT_TRUE(other);
  EXPECT_EQ(*plain, *other);
}

// Words of ASCII are read whole, others character by character.
TEST(TextSketch, DoesNotDependOnWhatSeparatesWords) {
  std::mt19937 random(7);
  const std::string_view letters = "abcXYZ019'";
  for (int i = 0; i < 500; ++i) {
    std::string ascii;
    std::string other;
    for (int word = 0; word < 12; ++word) {
      std::string letters_of_word(1 + random() % 20, 'k');
      for (char& c : letters_of_word) c = letters[random() % letters.size()];
      ascii += letters_of_word + " ";
      other += letters_of_word + "\xE3\x80\x80";  // an ideographic space
    }
    ascii.pop_back();
    // Without a byte after it: AddressSanitizer sees what is read beyond the text.
    const std::vector<char> exact(ascii.begin(), ascii.end());
    const auto fast = text_sketch({exact.data(), exact.size()});
    const auto slow = text_sketch(other);
    ASSERT_EQ(fast == nullptr, slow == nullptr) << ascii;
    if (fast != nullptr) EXPECT_EQ(*fast, *slow) << ascii;
  }
}

TEST(TextSketch, NeedsSomeWords) {
  EXPECT_FALSE(text_sketch(""));
  EXPECT_FALSE(text_sketch(words(9)));
  EXPECT_TRUE(text_sketch(words(10)));
}

TEST(TextSketch, CountsCharactersWhereNoSpacesSeparateWords) {
  EXPECT_TRUE(
      text_sketch("\xE6\xB0\xB4\xE5\x9C\xA8\xE4\xB8\xA4\xE5\x88\x86\xE9\x92\x9F\xE5\x86\x85"
                  "\xE7\x83\xA7\xE5\xBC\x80\xE4\xBA\x86\xE5\x90\x97\xEF\xBC\x9F"));
  // Ten full stops of Chinese are no words.
  std::string stops;
  for (int i = 0; i < 20; ++i) stops += "\xE3\x80\x82";
  EXPECT_FALSE(text_sketch(stops));
}

// The share of common sequences of four words is known exactly.
TEST(TextSketch, EstimatesWhatTextsHaveInCommon) {
  for (const int count : {60, 400, 5000}) {
    for (const int common : {count / 4, count / 2, count * 3 / 4, count * 9 / 10}) {
      const auto a = text_sketch(words(count));
      const auto b = text_sketch(words(count, count - common));
      const double both = common - 3;
      const double exact = both / (2.0 * (count - 3) - both);
      EXPECT_NEAR(overlap(*a, *b), exact, 0.17) << count << " words, " << common << " common";
    }
  }
  EXPECT_EQ(overlap(*text_sketch(words(50)), *text_sketch(words(50))), 1);
  EXPECT_LT(overlap(*text_sketch(words(500)), *text_sketch(words(500, 1000))), 0.05);
}

TEST(TextSketch, CallsTextsSimilarThatDifferALittle) {
  std::string changed = words(300);
  changed.replace(changed.find("word150"), 7, "another");
  EXPECT_TRUE(are_similar(*text_sketch(words(300)), *text_sketch(changed)));
  EXPECT_FALSE(are_similar(*text_sketch(words(300)), *text_sketch(words(300, 150))));
}

TEST(TextSketch, KeepsItsFormat) {
  const auto sketch = text_sketch(words(20));
  EXPECT_EQ(fmt::format("{:016x} {}", sketch->digest, sketch->values[0]), "6a7251651616647e 198");
}

TEST(TextSketch, ReadsAnyBytes) {
  std::string bytes;
  for (int i = 0; i < 65'536; ++i) bytes += static_cast<char>(i * 7 ^ i >> 8);
  EXPECT_TRUE(text_sketch(bytes));
  EXPECT_TRUE(text_sketch(std::string(1 << 20, 'a') + words(10)));
}

}  // namespace
}  // namespace gossamer::content
