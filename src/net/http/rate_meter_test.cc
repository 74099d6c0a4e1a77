#include "http/rate_meter.h"

#include <gtest/gtest.h>

#include <string>

#include "async/task.h"
#include "base/errc.h"
#include "base/error.h"
#include "tests/simulated/world.h"

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

// A body of hundreds of megabytes that takes too long was received nevertheless.
async::Task<std::string> explained(Instant deadline) {
  Deadlines limits;
  limits.whole = 3s;
  co_return explain_failure(Error(Errc::timed_out), "reading the body", 5s, deadline, limits)
      .to_string();
}

TEST(ExplainFailure, SaysWhichLimitPassed) {
  auto world = sim::World::calm();
  const Instant now = {};
  EXPECT_EQ(world.run(explained(now)),
            "timed_out: reading the body: not complete after 3 s, the limit for the whole request");
  EXPECT_EQ(world.run(explained(now + 1h)),
            "timed_out: reading the body: nothing received for 5 s");
}

}  // namespace
}  // namespace gossamer::http
