#include "http/rate_meter.h"

#include <gtest/gtest.h>

namespace gossamer::http {
namespace {

Deadlines at_least(std::uint64_t bytes_per_second) {
  Deadlines limits;
  limits.bytes_per_second_min = bytes_per_second;
  limits.rate_window = 10s;
  return limits;
}

TEST(RateMeter, FailsBelowTheMinimumAfterTheWindow) {
  RateMeter slow;
  EXPECT_TRUE(slow.add(10s - 1ns, 0, at_least(100)));
  const auto failed = slow.add(1ns, 999, at_least(100));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().to_string(), "timed_out: slower than 100 bytes per second for 10 s");
  RateMeter exact;
  EXPECT_TRUE(exact.add(5s, 500, at_least(100)));
  EXPECT_TRUE(exact.add(5s, 500, at_least(100)));
}

TEST(RateMeter, BeginsAgainAfterEachWindow) {
  RateMeter meter;
  EXPECT_TRUE(meter.add(10s, 1'000'000, at_least(100))) << "a fast start";
  EXPECT_TRUE(meter.add(9s, 0, at_least(100)));
  EXPECT_FALSE(meter.add(1s, 0, at_least(100))) << "does not excuse a slow end";
}

TEST(RateMeter, NeedsNothingWithoutAMinimum) {
  RateMeter meter;
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(meter.add(1h, 0, at_least(0)));
}

}  // namespace
}  // namespace gossamer::http
