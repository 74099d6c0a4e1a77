#include "html/token/character_reference.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::html {
namespace {

std::string decoded(std::string_view raw, bool in_attribute = false) {
  std::string out;
  append_decoded(raw, in_attribute, out);
  return out;
}

TEST(CharacterReference, NamedOnesAreReplacedByTheLongestMatch) {
  EXPECT_EQ(decoded("&amp;&lt;&notin;&notit;&not"), "&<\xE2\x88\x89\xC2\xACit;\xC2\xAC");
  EXPECT_EQ(decoded("&nGt;"), "\xE2\x89\xAB\xE2\x83\x92");
  EXPECT_EQ(decoded("&CounterClockwiseContourIntegral;"), "\xE2\x88\xB3");
  EXPECT_EQ(decoded("&CounterClockwiseContourIntegral"), "&CounterClockwiseContourIntegral");
}

TEST(CharacterReference, LeavesOtherTextUnchanged) {
  EXPECT_EQ(decoded("& &; &x &#; &#x; &#xg; &9; &unknown; &"),
            "& &; &x &#; &#x; &#xg; &9; &unknown; &");
}

TEST(CharacterReference, NumericOnesFollowTheTableOfTheStandard) {
  EXPECT_EQ(decoded("&#65;&#x41;&#x41 &#65x"), "AAA Ax");
  EXPECT_EQ(decoded("&#0;&#xD800;&#x110000;&#99999999999999999999;"),
            "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(decoded("&#x80;&#x81;"), "\xE2\x82\xAC\xC2\x81");
}

TEST(CharacterReference, OldFormsInAttributesEndBeforeLettersAndEquals) {
  EXPECT_EQ(decoded("?a&copy=1&copyx&copy;&copy", true), "?a&copy=1&copyx\xC2\xA9\xC2\xA9");
  EXPECT_EQ(decoded("&copy=1"), "\xC2\xA9=1");
}

TEST(CharacterReference, LineEndsAndNulAreNormalised) {
  EXPECT_EQ(decoded("a\r\nb\rc\n"), "a\nb\nc\n");
  EXPECT_EQ(decoded(std::string_view("a\0b", 3), true),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(decoded(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

}  // namespace
}  // namespace gossamer::html
