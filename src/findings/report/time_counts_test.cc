#include "report/time_counts.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace gossamer::report {
namespace {

TEST(TakenTimesTest, CountsBetweenRoundNumbers) {
  TakenTimes times;
  for (const Duration taken : {Duration(3ms), Duration(5ms), Duration(6ms), Duration(2min)}) {
    times.add(taken);
  }
  const auto buckets = times.buckets();
  ASSERT_GE(buckets.size(), 3u);
  EXPECT_EQ(buckets.front().from, 2ms);
  EXPECT_EQ(buckets.front().to, 5ms);
  EXPECT_EQ(buckets.front().count, 1u);
  EXPECT_EQ(buckets[1].count, 2u) << "5 ms is no longer below 5 ms";
  EXPECT_EQ(buckets.back().from, 50s);
  EXPECT_EQ(buckets.back().to, Duration::max());
  EXPECT_EQ(buckets.back().count, 1u);
  EXPECT_EQ(times.longest(), 2min);
}

TEST(TakenTimesTest, KnowsQuantilesWithinSevenPercent) {
  TakenTimes times;
  for (std::int64_t i = 1; i <= 10'000; ++i) times.add(i * 100us);
  for (const double part : {0.01, 0.25, 0.5, 0.9, 0.99, 1.0}) {
    const double expected = part * 1e9;  // of a second
    const auto found = static_cast<double>(times.quantile(part).count());
    EXPECT_GE(found, expected * 0.999) << part;
    EXPECT_LE(found, expected * 1.07) << part;
  }
  EXPECT_EQ(times.quantile(1), 1s);
  EXPECT_NEAR(static_cast<double>(times.mean().count()), 0.5e9, 1e6);
}

TEST(TakenTimesTest, TakesWhatCannotBe) {
  TakenTimes times;
  EXPECT_EQ(times.quantile(0.5), Duration::zero());
  EXPECT_EQ(times.mean(), Duration::zero());
  EXPECT_TRUE(times.buckets().empty());
  times.add(Duration::zero());
  times.add(std::chrono::hours(24 * 365));
  EXPECT_EQ(times.count(), 2u);
  EXPECT_EQ(times.quantile(0.99), std::chrono::hours(24 * 365));
}

TEST(OverTimeTest, HasNeverManySteps) {
  OverTime over_time;
  constexpr std::uint64_t kEvents = 10'000;
  for (std::uint64_t i = 0; i < kEvents; ++i) {
    over_time.add(static_cast<std::int64_t>(i) * 1s, i % 10 == 0);
  }
  EXPECT_LE(over_time.steps().size(), OverTime::kStepsMax);
  EXPECT_GE(over_time.steps().size(), OverTime::kStepsMax / 2);
  std::uint64_t all = 0;
  std::uint64_t bad = 0;
  for (const OverTime::Step& step : over_time.steps()) {
    all += step.all;
    bad += step.bad;
  }
  EXPECT_EQ(all, kEvents);
  EXPECT_EQ(bad, kEvents / 10);
  // All except the last one are equally full.
  for (std::size_t i = 0; i + 1 < over_time.steps().size(); ++i) {
    EXPECT_NEAR(static_cast<double>(over_time.steps()[i].all),
                std::chrono::duration<double>(over_time.width()).count(), 1.0);
  }
}

TEST(OverTimeTest, CountsWhatCameBeforeTheBeginningAsItsBeginning) {
  OverTime over_time;
  over_time.add(-5s, false);
  over_time.add(0s, true);
  ASSERT_EQ(over_time.steps().size(), 1u);
  EXPECT_EQ(over_time.steps()[0].all, 2u);
}

}  // namespace
}  // namespace gossamer::report
