#include "async/sleep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "async/scope.h"
#include "base/random.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class SleepTest : public DriverTest {};
ON_EVERY_DRIVER(SleepTest);

TEST_P(SleepTest, WakesUpNotBeforeItsTime) {
  run([](Loop& clock) -> Task<void> {
    const Instant due = clock.now() + 2ms;
    EXPECT_TRUE((co_await sleep(2ms)).has_value());
    EXPECT_GE(clock.now(), due);
    EXPECT_TRUE((co_await sleep_until(due)).has_value()) << "it has passed: no wait";
    EXPECT_TRUE((co_await sleep(Duration::zero())).has_value());
    EXPECT_TRUE((co_await sleep(-1s)).has_value());
  }(loop()));
}

TEST_P(SleepTest, ShorterSleepsEndBeforeLongerOnes) {
  const auto ends = run([]() -> Task<std::vector<Instant>> {
    std::vector<Instant> woken;
    Scope scope;
    for (const int milliseconds : {3, 1, 2}) {
      scope.spawn([](std::vector<Instant>& log, Duration length) -> Task<void> {
        // A real clock may advance by more than these lengths before the next sleep begins.
        const Instant end = Loop::current().now() + length;
        EXPECT_TRUE((co_await sleep(length)).has_value());
        log.push_back(end);
      }(woken, milliseconds * 1ms));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return woken;
  }());
  EXPECT_TRUE(std::ranges::is_sorted(ends));
  if (is_simulated()) EXPECT_EQ(ends.back() - ends.front(), 2ms) << "they began at the same time";
}

TEST_P(SleepTest, EvenTheLongestSleepCanBeCancelled) {
  run([]() -> Task<void> {
    Scope scope;
    auto sleeper =
        scope.spawn([]() -> Task<Result<void>> { co_return co_await sleep(Duration::max()); }());
    EXPECT_TRUE((co_await yield_now()).has_value());
    sleeper.cancel();
    EXPECT_EQ((co_await sleeper).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SleepTest, ACancelledTaskDoesNotFallAsleep) {
  run([]() -> Task<void> {
    Scope scope;
    auto sleeper = scope.spawn([]() -> Task<Result<void>> { co_return co_await sleep(1h); }());
    sleeper.cancel();
    EXPECT_EQ((co_await sleeper).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(SleepTest, YieldingLetsEveryoneElseRunFirst) {
  const auto order = run([]() -> Task<std::vector<int>> {
    std::vector<int> steps;
    Scope scope;
    for (int i = 0; i < 3; ++i) {
      scope.spawn([](std::vector<int>& log, int number) -> Task<void> {
        log.push_back(number);
        EXPECT_TRUE((co_await yield_now()).has_value());
        log.push_back(number + 10);
      }(steps, i));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return steps;
  }());
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 10, 11, 12));
}

TEST_P(SleepTest, TasksThatYieldForeverDoNotKeepTimersWaiting) {
  run([]() -> Task<void> {
    bool stop = false;
    Scope scope;
    scope.spawn([](bool& told) -> Task<void> {
      while (!told) EXPECT_TRUE((co_await yield_now()).has_value());
    }(stop));
    // In the simulated world no time passes while a task can run.
    EXPECT_TRUE((co_await sleep(Duration::zero())).has_value());
    stop = true;
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST(SleepSimTest, VirtualTimeIsExact) {
  sim::World world = sim::World::calm();
  world.run([](Loop& clock) -> Task<void> {
    const Instant begin = clock.now();
    EXPECT_TRUE((co_await sleep(1h)).has_value());
    EXPECT_EQ(clock.now(), begin + 1h);
    EXPECT_TRUE((co_await sleep_until(begin + 2h)).has_value());
    EXPECT_EQ(clock.now(), begin + 2h);
    EXPECT_TRUE((co_await sleep(-1s)).has_value());
    EXPECT_EQ(clock.now(), begin + 2h);
  }(world.loop()));
}

TEST(SleepSimTest, ManyRandomSleepsEndInTheOrderOfTheirTimes) {
  sim::World world = sim::World::calm();
  world.run([](Loop& clock) -> Task<void> {
    base::Random random(3);
    std::vector<Duration> woken_after;
    Scope scope;
    for (int i = 0; i < 5000; ++i) {
      scope.spawn([](Loop& time, Duration delay, std::vector<Duration>& log) -> Task<void> {
        const Instant begin = time.now();
        EXPECT_TRUE((co_await sleep(delay)).has_value());
        EXPECT_EQ(time.now(), begin + delay);
        log.push_back(delay);
      }(clock, Duration(random.below(1'000'000)), woken_after));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(woken_after.size(), 5000u);
    EXPECT_TRUE(std::ranges::is_sorted(woken_after));
  }(world.loop()));
}

Task<Result<void>> sleeps_and_yields() {
  for (int i = 0; i < 3; ++i) {
    if (auto slept = co_await sleep(1s); !slept) co_return slept;
    if (auto yielded = co_await yield_now(); !yielded) co_return yielded;
  }
  co_return Result<void>();
}

TEST(SleepCutTest, EndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(sleeps_and_yields), 5u);
}

}  // namespace
}  // namespace gossamer::async
