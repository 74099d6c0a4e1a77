#include "base/utf8.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(Utf8Test, DecodesSequencesOfEveryLength) {
  EXPECT_EQ(decode_utf8("a!").code_point, U'a');
  EXPECT_EQ(decode_utf8("\xC3\xA9!").code_point, 0xE9u);
  EXPECT_EQ(decode_utf8("\xE2\x82\xAC!").code_point, 0x20ACu);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80!").code_point, 0x1F600u);
  EXPECT_EQ(decode_utf8("\xF0\x9F\x98\x80!").length, 4u);
}

TEST(Utf8Test, RefusesWhatIsNoUtf8) {
  for (const char* text : {"\x80", "\xC3", "\xC3(", "\xC0\xAF", "\xE0\x80\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF"}) {
    EXPECT_EQ(decode_utf8(text).length, 0u) << text;
  }
}

}  // namespace
}  // namespace gossamer::base
