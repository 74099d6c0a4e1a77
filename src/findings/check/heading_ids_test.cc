#include "check/heading_ids.h"

#include <gtest/gtest.h>

namespace gossamer::check {
namespace {

TEST(HeadingIds, AreThoseThatGitHubGives) {
  HeadingIds ids;
  EXPECT_EQ(ids.next("Quick start"), "quick-start");
  EXPECT_EQ(ids.next("What's new in 2.0?"), "whats-new-in-20");
  EXPECT_EQ(ids.next("C++ & Rust"), "c--rust");
  EXPECT_EQ(ids.next("snake_case - and more"), "snake_case---and-more");
  EXPECT_EQ(ids.next("\xC3\x9C"
                     "ber uns"),
            "\xC3\xBC"
            "ber-uns");
  EXPECT_EQ(ids.next("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E"),
            "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E");
}

TEST(HeadingIds, AreNumberedWhereTheyAreTheSame) {
  HeadingIds ids;
  EXPECT_EQ(ids.next("Example"), "example");
  EXPECT_EQ(ids.next("Example"), "example-1");
  EXPECT_EQ(ids.next("Example 1"), "example-1-1") << "that one is taken";
  EXPECT_EQ(ids.next("Example"), "example-2");
}

}  // namespace
}  // namespace gossamer::check
