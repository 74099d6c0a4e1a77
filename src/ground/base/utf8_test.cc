#include "base/utf8.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace gossamer::base {
namespace {

TEST(Utf8Test, DecodesSequencesOfEveryLength) {
  EXPECT_EQ(decode_utf8("a!").code_point, U'a');
  EXPECT_EQ(decode_utf8("\xC3\xA9!").code_point, 0xE9u);
  EXPECT_EQ(decode_utf8("\xE2\x82\xAC!").code_point, 0x20ACu);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80!").code_point, 0x1F600u);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80!").length, 4u);
}

TEST(Utf8Test, RejectsInvalidUtf8) {
  for (const char* text : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(decode_utf8(text).length, 0u) << text;
  }
}

TEST(Utf8Test, EncodesWhatItDecodes) {
  for (const char32_t c : {0x0u, 0x7Fu, 0x80u, 0x7FFu, 0x800u, 0xD7FFu, 0xE000u, 0xFFFDu, 0xFFFFu,
                           0x10000u, 0x10FFFFu}) {
    std::string text;
    append_utf8(text, c);
    const Utf8Sequence read = decode_utf8(text);
    EXPECT_EQ(read.code_point, c);
    EXPECT_EQ(read.length, text.size()) << static_cast<std::uint32_t>(c);
  }
}

}  // namespace
}  // namespace gossamer::base
