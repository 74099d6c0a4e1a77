#include "async/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <memory>
#include <semaphore>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/message.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LoopTest : public DriverTest {};
ON_EVERY_DRIVER(LoopTest);

TEST_P(LoopTest, RunsATaskAndGivesItsResult) {
  EXPECT_EQ(run([]() -> Task<int> { co_return 1; }()), 1);
  EXPECT_EQ(run([]() -> Task<int> { co_return 2; }()), 2);
}

TEST_P(LoopTest, IsTheCurrentOneWhileItRuns) {
  run([](Loop& expected) -> Task<void> {
    EXPECT_EQ(&Loop::current(), &expected);
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_EQ(&Loop::current(), &expected);
  }(loop()));
}

TEST_P(LoopTest, KnowsHowLongItWaited) {
  const Duration before = loop().driver().waited();
  // A part of a sleep is over before the driver waits, on a busy machine all of it.
  while (loop().driver().waited() - before < 10ms) {
    run([]() -> Task<void> { EXPECT_TRUE((co_await sleep(20ms)).has_value()); }());
  }
  if (is_simulated()) EXPECT_FALSE(loop().is_busy(1ms));
}

TEST_P(LoopTest, CallbacksRunInTheOrderTheyWereQueued) {
  std::vector<int> calls;
  loop().call_soon([&] {
    calls.push_back(1);
    loop().call_soon([&] { calls.push_back(3); });
  });
  loop().call_soon([&] { calls.push_back(2); });
  EXPECT_TRUE(calls.empty());
  run([]() -> Task<void> {
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE((co_await yield_now()).has_value());
  }());
  EXPECT_THAT(calls, ElementsAre(1, 2, 3));
}

TEST_P(LoopTest, LaterCallbacksRunInTheOrderOfTheirTimes) {
  run([](Loop& owner) -> Task<void> {
    std::vector<int> calls;
    Event done;
    const Instant now = owner.now();
    const TimerHandle third = owner.call_at(now + 3ms, [&] {
      calls.push_back(3);
      done.set();
    });
    const TimerHandle first = owner.call_later(Duration::zero(), [&] { calls.push_back(1); });
    const TimerHandle second = owner.call_at(now + 2ms, [&] { calls.push_back(2); });
    EXPECT_TRUE(second.pending());
    EXPECT_TRUE((co_await done.wait()).has_value());
    EXPECT_FALSE(second.pending());
    EXPECT_THAT(calls, ElementsAre(1, 2, 3));
  }(loop()));
}

TEST_P(LoopTest, ACancelledTimerDoesNotCall) {
  run([](Loop& owner) -> Task<void> {
    std::vector<int> calls;
    Event done;
    TimerHandle cancelled = owner.call_later(Duration(1), [&] { calls.push_back(1); });
    {
      const TimerHandle dropped = owner.call_later(Duration(1), [&] { calls.push_back(2); });
    }
    TimerHandle replaced = owner.call_later(Duration(1), [&] { calls.push_back(3); });
    replaced = TimerHandle();
    cancelled.cancel();
    cancelled.cancel();
    EXPECT_FALSE(cancelled.pending());
    const TimerHandle last = owner.call_later(Duration(2), [&] { done.set(); });
    EXPECT_TRUE((co_await done.wait()).has_value());
    EXPECT_TRUE(calls.empty());
  }(loop()));
}

TEST_P(LoopTest, ATimerIsTakenBackEvenInTheTurnInWhichItIsDue) {
  run([](Loop& owner) -> Task<void> {
    std::vector<int> calls;
    Event done;
    TimerHandle second;
    const Instant now = owner.now();
    // Both are due in the same turn of the loop; the first cancels the second.
    const TimerHandle first = owner.call_at(now, [&] {
      calls.push_back(1);
      second.cancel();
    });
    second = owner.call_at(now, [&] { calls.push_back(2); });
    const TimerHandle last = owner.call_at(now, [&] { done.set(); });
    EXPECT_TRUE((co_await done.wait()).has_value());
    EXPECT_THAT(calls, ElementsAre(1));
  }(loop()));
}

TEST_P(LoopTest, ATimersCallbackMayDropItsOwnHandle) {
  run([](Loop& owner) -> Task<void> {
    Event done;
    TimerHandle timer;
    const auto kept = std::make_shared<int>(1);
    timer = owner.call_later(Duration::zero(), [&timer, &done, kept] {
      timer = TimerHandle();
      EXPECT_EQ(*kept, 1) << "what it captured is still there";
      done.set();
    });
    EXPECT_TRUE((co_await done.wait()).has_value());
    EXPECT_EQ(kept.use_count(), 1);
  }(loop()));
}

TEST_P(LoopTest, RunsQueuedItemsWhenItIsDestroyed) {
  std::vector<int> calls;
  loop().call_soon([&] {
    calls.push_back(1);
    Loop::current().call_soon([&] { calls.push_back(2); });
  });
  loop().post([&] { calls.push_back(3); });
  drop_loop();
  EXPECT_THAT(calls, testing::UnorderedElementsAre(1, 2, 3));
}

TEST_P(LoopTest, DumpShowsEveryTaskWithItsChainOfAwaits) {
  run([](Loop& owner) -> Task<void> {
    Event never;
    Scope scope;
    scope.spawn([](Event& event) -> Task<void> {
      co_await [](Event& inner) -> Task<void> {
        EXPECT_FALSE((co_await inner.wait()).has_value());
      }(event);
    }(never));
    scope.spawn([]() -> Task<void> { EXPECT_FALSE((co_await sleep(1h)).has_value()); }());
    auto late = scope.spawn([]() -> Task<void> { co_return; }());
    EXPECT_EQ(owner.live_tasks(), 4u);
    EXPECT_THAT(owner.dump(), HasSubstr("(has not waited yet)"));
    while (!late.done()) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_EQ(owner.live_tasks(), 3u);
    const std::string dump = owner.dump();
    EXPECT_THAT(dump, HasSubstr("3 tasks on " + std::string(owner.driver().name())));
    EXPECT_THAT(dump, HasSubstr("1 timers"));
    EXPECT_THAT(dump, ContainsRegex("  #0 ground/async/loop_test.cc:[0-9]+ in .*\n"
                                    "  #1 ground/async/loop_test.cc:[0-9]+ in .*\n"
                                    "  spawned at ground/async/loop_test.cc:[0-9]+ in "));
    EXPECT_THAT(dump, Not(HasSubstr("(cancelled)")));
    scope.cancel();
    EXPECT_THAT(owner.dump(), HasSubstr("(cancelled)"));
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(loop()));
  EXPECT_THAT(loop().dump(), HasSubstr("0 tasks"));
}

constexpr int kThreads = 4;
constexpr int kPosts = kSanitized ? 500 : 5'000;
constexpr int kRounds = kSanitized ? 300 : 3'000;

class PostTest : public DriverTest {};
ON_REAL_DRIVERS(PostTest);

TEST_P(PostTest, WakesALoopThatSleeps) {
  run([](Loop& owner) -> Task<void> {
    Event posted;
    std::thread other([&] { owner.post([&] { posted.set(); }); });
    EXPECT_TRUE((co_await posted.wait()).has_value());
    other.join();
  }(loop()));
}

TEST_P(PostTest, EveryPostArrivesFromEveryThreadInItsOrder) {
  run([](Loop& owner) -> Task<void> {
    std::vector<std::vector<int>> received(kThreads);
    int left = kThreads * kPosts;
    Event all;
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kPosts; ++i) {
          owner.post([&, thread, i] {
            received[thread].push_back(i);
            if (--left == 0) all.set();
          });
        }
      });
    }
    EXPECT_TRUE((co_await all.wait()).has_value());
    for (std::thread& thread : threads) thread.join();
    for (const auto& numbers : received) {
      EXPECT_EQ(numbers.size(), static_cast<std::size_t>(kPosts));
      EXPECT_TRUE(std::ranges::is_sorted(numbers));
    }
  }(loop()));
}

// Each reply is posted only after the message before it has arrived, so the loop falls asleep every
// time: a lost wake-up would hang here.
TEST_P(PostTest, PingPongBetweenTwoLoopsLosesNoWakeUp) {
  run([](Loop& owner) -> Task<void> {
    Event ready;
    Event done;
    Loop* other_loop = nullptr;
    int pings = 0;
    std::binary_semaphore last_post_returned(0);  // a loop outlives the posts to it
    std::thread other([&] {
      auto driver = make_tested_driver(GetParam());
      Loop partner(std::move(*driver));
      partner.run([](Loop& mine, Loop& theirs, Loop*& announced, Event& announce, Event& finished,
                     int& count) -> Task<void> {
        announced = &mine;
        Event answered;
        theirs.post([&] { announce.set(); });
        for (int i = 0; i < kRounds; ++i) {
          theirs.post([&] {
            ++count;
            announced->post([&] { answered.set(); });
          });
          EXPECT_TRUE((co_await answered.wait()).has_value());
          answered.clear();
        }
        theirs.post([&] { finished.set(); });
      }(partner, owner, other_loop, ready, done, pings));
      last_post_returned.acquire();
    });
    EXPECT_TRUE((co_await done.wait()).has_value());
    last_post_returned.release();
    other.join();
    EXPECT_EQ(pings, kRounds);
  }(loop()));
}

TEST(LoopSimTest, ASlowStepIsReportedWithItsStack) {
  sim::World world(sim::calm_options(), nullptr, {.slow_step = 100ms});
  std::vector<std::string> reports;
  world.loop().on_slow_step([&](std::string_view text) { reports.emplace_back(text); });
  world.run([](sim::SimDriver& time) -> Task<void> {
    EXPECT_TRUE((co_await sleep(1s)).has_value());
    time.advance(99ms);
    EXPECT_TRUE((co_await yield_now()).has_value());
    time.advance(250ms);
    EXPECT_TRUE((co_await sleep(1s)).has_value());
  }(world.driver()));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_THAT(reports[0], AllOf(HasSubstr("held the loop for 250 ms"),
                                ContainsRegex("#0 ground/async/loop_test.cc:[0-9]+ in "),
                                ContainsRegex("spawned at ground/async/loop_test.cc:[0-9]+ in ")));
}

TEST(LoopSimTest, ASlowFirstStepIsReportedWithThePlaceOfItsSpawning) {
  sim::World world(sim::calm_options(), nullptr, {.slow_step = 100ms});
  std::vector<std::string> reports;
  world.loop().on_slow_step([&](std::string_view text) { reports.emplace_back(text); });
  world.run([](sim::SimDriver& time) -> Task<void> {
    time.advance(100ms);
    co_return;
  }(world.driver()));
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_THAT(reports[0], ContainsRegex("spawned at ground/async/loop_test.cc:[0-9]+ in "));
}

TEST(LoopSimTest, ASlowCallbackIsReportedToo) {
  sim::World world(sim::calm_options(), nullptr, {.slow_step = 100ms});
  std::vector<std::string> reports;
  world.loop().on_slow_step([&](std::string_view text) { reports.emplace_back(text); });
  world.loop().call_soon([&] { world.driver().advance(5s); });
  world.run([]() -> Task<void> { static_cast<void>(co_await yield_now()); }());
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_THAT(reports[0], AllOf(HasSubstr("5 s"), HasSubstr("a callback")));
}

TEST(LoopSimTest, MeasuresNothingByDefault) {
  sim::World world = sim::World::calm();
  bool reported = false;
  world.loop().on_slow_step([&](std::string_view) { reported = true; });
  world.run([](sim::SimDriver& time) -> Task<void> {
    time.advance(1h);
    co_return;
  }(world.driver()));
  EXPECT_FALSE(reported);
}

TEST(LoopSimTest, IsBusyWhileItHardlyWaits) {
  struct Row {
    Duration worked;
    Duration waited;
    bool is_busy;
  };
  sim::World world = sim::World::calm();
  world.run([](Loop& loop, sim::SimDriver& time) -> Task<void> {
    EXPECT_FALSE(loop.is_busy(1ms)) << "nobody knows yet";
    for (const Row& row : {Row{20ms, 1ms, true}, Row{2ms, 1ms, false}, Row{10ms, 100us, true},
                           Row{0ms, 5ms, false}}) {
      for (int i = 0; i < 2; ++i) {
        time.advance(row.worked);
        EXPECT_TRUE((co_await sleep(row.waited)).has_value());
      }
      EXPECT_EQ(loop.is_busy(1ms), row.is_busy) << base::to_string(row.worked);
    }
  }(world.loop(), world.driver()));
}

// Half of the time there is nothing to do, and then much at the same time.
TEST(LoopSimTest, ABurstDoesNotMakeItBusyForLong) {
  sim::World world = sim::World::calm();
  world.run([](Loop& loop, sim::SimDriver& time) -> Task<void> {
    for (int burst = 0; burst < 100; ++burst) {
      for (int i = 0; i < 50; ++i) {
        time.advance(2ms);
        EXPECT_TRUE((co_await sleep(1us)).has_value());
      }
      EXPECT_TRUE(loop.is_busy(1ms));
      EXPECT_TRUE(loop.is_busy(16ms));
      EXPECT_EQ(loop.is_busy(1s), burst == 0) << "at first only less is known";
      if (burst > 25) EXPECT_FALSE(loop.is_busy(1h)) << "as of the longest time that is kept";
      EXPECT_TRUE((co_await sleep(100ms)).has_value());
    }
    for (int i = 0; i < 10'000; ++i) {
      time.advance(2ms);
      EXPECT_TRUE((co_await sleep(1us)).has_value());
    }
    for (const Duration lately : {Duration(1ms), Duration(1s), Duration(1h)}) {
      EXPECT_TRUE(loop.is_busy(lately)) << base::to_string(lately);
    }
  }(world.loop(), world.driver()));
}

TEST(LoopSimTest, StepsByHand) {
  sim::World world = sim::World::calm();
  const Loop::Running running(world.loop());
  EXPECT_FALSE(world.loop().step()) << "nothing will ever happen";
  Scope scope;
  auto task = scope.spawn([]() -> Task<void> { EXPECT_TRUE((co_await sleep(1s)).has_value()); }());
  while (!task.done()) ASSERT_TRUE(world.loop().step());
  EXPECT_FALSE(world.loop().step());
}

TEST(LoopDeathTest, ADeadlockIsReportedWithAllStacks) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Event never;
    EXPECT_TRUE((co_await never.wait()).has_value());
  }()),
               "deadlock: every task waits for another(.|\n)*1 tasks on "
               "sim(.|\n)*ground/async/loop_test.cc:");
}

TEST(LoopDeathTest, WaitingForeverBesideASleepWithoutEndIsADeadlockToo) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    EXPECT_TRUE((co_await sleep(Duration::max())).has_value());
  }()),
               "deadlock: every task waits for another");
}

TEST(LoopDeathTest, ALoopInsideALoopIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    sim::World::calm().run([]() -> Task<void> { co_return; }());
    co_return;
  }()),
               "a loop is run inside another");
}

TEST(LoopDeathTest, ThereIsNoCurrentLoopOutside) {
  EXPECT_DEATH(static_cast<void>(Loop::current()), "no loop runs on this thread");
}

}  // namespace
}  // namespace gossamer::async
