#include "base/ascii.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(AsciiTest, ComparesLettersInAnyCaseAndNothingElse) {
  EXPECT_TRUE(equals_ignoring_case("Content-Length", "cONTENT-lENGTH"));
  EXPECT_FALSE(equals_ignoring_case("a", "ab"));
  EXPECT_FALSE(equals_ignoring_case("@", "`")) << "they differ by the same bit as letters do";
  EXPECT_FALSE(equals_ignoring_case("\xC4", "\xE4")) << "no letters of ours";
}

TEST(AsciiTest, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \ta b\t ", " \t"), "a b");
  EXPECT_EQ(trimmed(" \t ", " \t"), "");
  EXPECT_EQ(trimmed("", " "), "");
}

}  // namespace
}  // namespace gossamer::base
