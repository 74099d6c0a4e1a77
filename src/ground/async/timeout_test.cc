#include "async/timeout.h"

#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

class TimeoutTest : public DriverTest {};
ON_EVERY_DRIVER(TimeoutTest);

Task<Result<int>> give(int number) { co_return number; }

Task<Result<void>> sleep_for(Duration delay) { co_return co_await sleep(delay); }

Task<Result<int>> sleep_then_give(Duration delay, int number) {
  if (auto slept = co_await sleep(delay); !slept) co_return fail(std::move(slept).error());
  co_return number;
}

TEST_P(TimeoutTest, AResultThatIsQuickerIsKept) {
  run([](Loop& owner) -> Task<void> {
    EXPECT_EQ(*co_await with_timeout(1h, give(1)), 1);
    EXPECT_EQ(*co_await with_timeout(Duration::max(), sleep_then_give(1ms, 2)), 2);
    EXPECT_EQ(*co_await with_timeout(Duration::zero(), give(3)), 3) << "it did not have to wait";
    EXPECT_EQ(*co_await with_deadline(base::kNever, give(4)), 4);
    EXPECT_TRUE(owner.timers().empty());
  }(loop()));
}

TEST_P(TimeoutTest, CancelsATaskThatTakesTooLong) {
  run([](Loop& owner) -> Task<void> {
    EXPECT_EQ((co_await with_timeout(1ms, sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_EQ((co_await with_timeout(Duration::zero(), sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_EQ((co_await with_timeout(-1s, sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_EQ((co_await with_deadline(owner.now(), sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_TRUE(owner.timers().empty());
  }(loop()));
}

TEST_P(TimeoutTest, AFailureOfTheTaskIsHandedOn) {
  run([]() -> Task<void> {
    auto result =
        co_await with_timeout(1h, []() -> Task<Result<int>> { co_return fail(Errc::refused); }());
    EXPECT_EQ(result.error(), Errc::refused);
  }());
}

TEST_P(TimeoutTest, AnExceptionOfTheTaskIsHandedOn) {
  const bool thrown = run([](Loop& owner) -> Task<bool> {
    bool caught = false;
    try {
      static_cast<void>(co_await with_timeout(1h, []() -> Task<Result<int>> {
        static_cast<void>(co_await yield_now());
        throw std::runtime_error("inside");
      }()));
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT_TRUE(owner.timers().empty());
    co_return caught;
  }(loop()));
  EXPECT_TRUE(thrown);
}

// BORROWS: `log`.
Task<void> write_with_grace(Duration length, std::vector<std::string>& log) {
  const Instant begun = Loop::current().now();
  auto slept = co_await with_grace(1s, sleep_for(length));
  log.push_back(slept ? "done" : std::string(base::name(slept.error().code())));
  const Duration took = Loop::current().now() - begun;
  log.push_back(std::to_string(std::chrono::duration_cast<std::chrono::seconds>(took).count()));
}

// BORROWS: `log`.
Task<void> cancel_later(Duration length, Duration after, std::vector<std::string>& log) {
  Scope scope(OnFailure::keep_going);
  auto writing = scope.spawn(write_with_grace(length, log));
  static_cast<void>(co_await sleep(after));
  writing.cancel();
  static_cast<void>(co_await scope.join());
}

TEST(GraceTest, ACancelledTaskHasALittleTime) {
  const struct {
    Duration length;
    Duration after;  // when it is cancelled
    std::vector<std::string> log;
  } kCases[] = {
      {5s, 1h, {"done", "5"}},           // it is not cancelled
      {5s, 4500ms, {"done", "5"}},       // soon enough
      {1h, 4500ms, {"cancelled", "6"}},  // the grace has passed
      {1h, Duration::zero(), {"cancelled", "2"}},
      {Duration::zero(), 1h, {"done", "0"}},
  };
  for (const auto& [length, after, expected] : kCases) {
    auto world = sim::World::calm();
    std::vector<std::string> log;
    world.run(cancel_later(length, after, log));
    EXPECT_EQ(log, expected);
    EXPECT_TRUE(world.loop().timers().empty());
  }
}

TEST_P(TimeoutTest, ATaskThatSucceedsAlthoughItWasCancelledHasSucceeded) {
  run([]() -> Task<void> {
    auto result = co_await with_timeout(1ms, []() -> Task<Result<int>> {
      EXPECT_FALSE((co_await sleep(1h)).has_value());
      co_return 5;
    }());
    EXPECT_EQ(*result, 5);
  }());
}

TEST_P(TimeoutTest, CancellingFromOutsideIsNotATimeout) {
  run([]() -> Task<void> {
    Scope scope;
    auto task = scope.spawn(
        []() -> Task<Result<void>> { co_return co_await with_timeout(1h, sleep_for(2h)); }());
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    EXPECT_EQ((co_await task).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(TimeoutTest, TheInnerOfTwoTimeoutsLeavesTheOuterRunning) {
  run([]() -> Task<void> {
    auto outer = co_await with_timeout(1h, []() -> Task<Result<int>> {
      EXPECT_EQ((co_await with_timeout(1ms, sleep_for(1h))).error(), Errc::timed_out);
      EXPECT_TRUE((co_await yield_now()).has_value()) << "the outer one is not over";
      co_return 1;
    }());
    EXPECT_EQ(*outer, 1);
  }());
}

TEST_P(TimeoutTest, TheOuterOfTwoTimeoutsStopsTheInner) {
  run([]() -> Task<void> {
    auto outer = co_await with_timeout(1ms, []() -> Task<Result<void>> {
      auto inner = co_await with_timeout(1h, sleep_for(2h));
      EXPECT_EQ(inner.error(), Errc::cancelled) << "it was not the inner one's time";
      co_return inner;
    }());
    EXPECT_EQ(outer.error(), Errc::timed_out);
  }());
}

TEST_P(TimeoutTest, ReachesTheChildrenOfAScope) {
  run([]() -> Task<void> {
    auto result = co_await with_timeout(1ms, []() -> Task<Result<void>> {
      Scope scope;
      scope.spawn(sleep_for(1h));
      co_return co_await scope.join();
    }());
    EXPECT_EQ(result.error(), Errc::timed_out);
  }());
}

TEST(TimeoutSimTest, ATimeoutComesExactlyAtItsTime) {
  sim::World world = sim::World::calm();
  world.run([](Loop& clock) -> Task<void> {
    const Instant begin = clock.now();
    EXPECT_EQ((co_await with_timeout(10s, sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_EQ(clock.now(), begin + 10s);
    EXPECT_EQ((co_await with_deadline(begin + 15s, sleep_for(1h))).error(), Errc::timed_out);
    EXPECT_EQ(clock.now(), begin + 15s);
  }(world.loop()));
}

TEST(TimeoutSimTest, AResultAtTheVeryInstantOfTheTimeoutHasToChoose) {
  sim::World world = sim::World::calm();
  world.run([](Loop& clock) -> Task<void> {
    const Instant begin = clock.now();
    // The timeout was set first, so its timer fires first.
    EXPECT_EQ((co_await with_timeout(5s, sleep_then_give(5s, 1))).error(), Errc::timed_out);
    EXPECT_EQ(clock.now(), begin + 5s);
    EXPECT_EQ(*co_await with_timeout(5s, sleep_then_give(5s - 1ns, 1)), 1);
  }(world.loop()));
}

TEST(TimeoutSimTest, TwoTimeoutsAtOneInstantSpeakOnce) {
  sim::World world = sim::World::calm();
  world.run([]() -> Task<void> {
    auto outer = co_await with_timeout(5s, []() -> Task<Result<void>> {
      auto inner = co_await with_timeout(5s, sleep_for(1h));
      EXPECT_EQ(inner.error(), Errc::cancelled) << "the outer one has priority";
      co_return inner;
    }());
    EXPECT_EQ(outer.error(), Errc::timed_out);
  }());
}

Task<Result<int>> timeouts_in_timeouts() {
  co_return co_await with_timeout(10s, []() -> Task<Result<int>> {
    auto short_one = co_await with_timeout(1s, sleep_then_give(2s, 1));
    auto quick_one = co_await with_timeout(2s, sleep_then_give(1s, 1));
    auto long_one = co_await with_timeout(20s, sleep_then_give(30s, 1));
    if (short_one || !quick_one || long_one) co_return 0;
    co_return fail(std::move(long_one).error());
  }());
}

TEST(TimeoutCutTest, TimeoutsInTimeoutsEndWhereverTheyAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(timeouts_in_timeouts), 4u);
}

}  // namespace
}  // namespace gossamer::async
