#include "report/phrases.h"

#include <gtest/gtest.h>

namespace gossamer::report {
namespace {

TEST(PhrasesTest, NameAndDescribeEveryEnd) {
  for (int i = 0; i <= static_cast<int>(crawler::EndReason::cluster_failed); ++i) {
    EXPECT_FALSE(name(static_cast<crawler::EndReason>(i)).empty()) << i;
    EXPECT_FALSE(describe(static_cast<crawler::EndReason>(i)).empty()) << i;
    EXPECT_EQ(end_named(name(static_cast<crawler::EndReason>(i))), crawler::EndReason(i));
  }
  EXPECT_EQ(end_named("eaten"), crawler::EndReason::interrupted);
}

}  // namespace
}  // namespace gossamer::report
