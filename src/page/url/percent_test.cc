#include "url/percent.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::url {
namespace {

std::string encoded(std::string_view text, ByteClass set) {
  std::string out;
  percent_encode(text, set, out);
  std::string memory(text.size() * 9 + 1, '\0');
  Writer writer(memory.data(), memory.size());
  percent_encode(text, set, writer);
  EXPECT_EQ(writer.from(0), out) << "both ways must agree";
  return out;
}

std::string decoded(std::string_view text) {
  std::string out;
  percent_decode(text, out);
  return out;
}

TEST(Percent, EncodesTheSetAndNothingElse) {
  EXPECT_EQ(encoded("a b\x7F\x01~", kC0ControlSet), "a b%7F%01~");
  EXPECT_EQ(encoded("a b", kFragmentSet), "a%20b");
  EXPECT_EQ(encoded("'#", kQuerySet), "'%23");
  EXPECT_EQ(encoded("'#", kSpecialQuerySet), "%27%23");
  EXPECT_EQ(encoded("?^`{}/", kPathSet), "%3F%5E%60%7B%7D/");
  EXPECT_EQ(encoded("/:;=@[\\]|", kUserinfoSet), "%2F%3A%3B%3D%40%5B%5C%5D%7C");
  EXPECT_EQ(encoded("$%&+,", kComponentSet), "%24%25%26%2B%2C");
}

TEST(Percent, EncodesEveryByteOfOtherScripts) {
  EXPECT_EQ(encoded("\xE2\x82\xAC", kC0ControlSet), "%E2%82%AC");
}

// https://encoding.spec.whatwg.org/#utf-8-decoder: the first and last sequence of every kind.
TEST(Percent, KnowsWhereUtf8BeginsAndEnds) {
  for (const char* const text :
       {"\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE1\x80\x80", "\xEC\xBF\xBF", "\xED\x9F\xBF",
        "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF1\x80\x80\x80", "\xF3\xBF\xBF\xBF",
        "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(decoded(encoded(text, kC0ControlSet)), text);
  }
  for (const char* const text :
       {"\xC1\xBF", "\xC2\x7F", "\xC2\xC0", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\x80", "\xBF"}) {
    EXPECT_TRUE(decoded(encoded(text, kC0ControlSet)).starts_with("\xEF\xBF\xBD")) << text;
  }
}

TEST(Percent, CutsBrokenUtf8AsTheEncodingStandardDoes) {
  const std::string replacement = "%EF%BF%BD";
  EXPECT_EQ(encoded("\x80", kPathSet), replacement);
  EXPECT_EQ(encoded("\xF0\x9F\x98", kPathSet), replacement);
  EXPECT_EQ(encoded("\xF0\x9F\x41", kPathSet), replacement + "A");
  EXPECT_EQ(encoded("\xE0\x80\x80", kPathSet), replacement + replacement + replacement);
  EXPECT_EQ(encoded("\xF4\x90\x80\x80", kPathSet),
            replacement + replacement + replacement + replacement);
}

TEST(Percent, DecodesEscapesAndLeavesTheRest) {
  EXPECT_EQ(decoded("%41%e4%2"), "A\xE4%2");
  EXPECT_EQ(decoded("%%41%zz%"), "%A%zz%");
  EXPECT_EQ(decoded(""), "");
}

}  // namespace
}  // namespace gossamer::url
