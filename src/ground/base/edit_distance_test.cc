#include "base/edit_distance.h"

#include <gtest/gtest.h>

namespace gossamer::base {
namespace {

TEST(EditDistanceTest, CountsLettersThatChange) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("same", "same"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("crawl", "crwal"), 1u);
  EXPECT_EQ(edit_distance("http://a.example/x", "http://a.example/xyz"), 2u);
}

TEST(EditDistanceTest, IsTheSameBothWays) {
  EXPECT_EQ(edit_distance("saturday", "sunday"), edit_distance("sunday", "saturday"));
}

}  // namespace
}  // namespace gossamer::base
