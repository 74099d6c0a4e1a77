#include "async/cancel_scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

using Log = std::vector<std::string>;

class CancelScopeTest : public DriverTest {};
ON_EVERY_DRIVER(CancelScopeTest);

Task<Result<void>> wait_on(Event& event) { co_return co_await event.wait(); }

const char* word(const Result<void>& result) {
  return result ? "done" : result.error() == Errc::cancelled ? "cancelled" : "failed";
}

TEST_P(CancelScopeTest, TheCurrentWaitOfATaskEndsWithCancelled) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Event never;
    Scope scope;
    auto task = scope.spawn(wait_on(never));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    events.emplace_back(word(co_await task));
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("cancelled"));
}

TEST_P(CancelScopeTest, ATaskCancelledBeforeItStartedStillRunsUntilItsFirstWait) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Scope scope;
    auto task = scope.spawn([](Log& notes) -> Task<void> {
      notes.emplace_back("started");
      notes.emplace_back(word(co_await sleep(1h)));
    }(events));
    task.cancel();
    co_await task;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("started", "cancelled"));
}

TEST_P(CancelScopeTest, EveryLaterWaitEndsImmediatelyToo) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Event never;
    Scope scope;
    auto task = scope.spawn([](Log& notes, Event& event) -> Task<void> {
      notes.emplace_back(word(co_await event.wait()));
      notes.emplace_back(word(co_await sleep(1h)));
      notes.emplace_back(word(co_await yield_now()));
      notes.emplace_back(word(co_await wait_on(event)));
    }(events, never));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    co_await task;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("cancelled", "cancelled", "cancelled", "cancelled"));
}

TEST_P(CancelScopeTest, CancellingTwiceIsCancellingOnce) {
  run([]() -> Task<void> {
    Event never;
    Scope scope;
    auto task = scope.spawn(wait_on(never));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    task.cancel();
    EXPECT_EQ((co_await task).error(), Errc::cancelled);
    task.cancel();  // it has ended, so this has no effect
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(CancelScopeTest, AWaitThatWasGrantedIsNotTakenBack) {
  run([]() -> Task<void> {
    Event event;
    Scope scope;
    auto task = scope.spawn(wait_on(event));
    EXPECT_TRUE((co_await yield_now()).has_value());
    event.set();
    task.cancel();
    EXPECT_TRUE((co_await task).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(CancelScopeTest, ATaskMayCancelItself) {
  run([]() -> Task<void> {
    Scope scope;
    JoinHandle<Result<void>> handle;
    handle = scope.spawn([](JoinHandle<Result<void>>& self) -> Task<Result<void>> {
      self.cancel();
      co_return co_await sleep(1h);
    }(handle));
    EXPECT_EQ((co_await handle).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(CancelScopeTest, ACancelledTimeoutLeavesTheTaskAroundItAlone) {
  run([]() -> Task<void> {
    Event never;
    const Result<void> limited = co_await with_timeout(Duration(1), wait_on(never));
    EXPECT_EQ(limited.error(), Errc::timed_out);
    EXPECT_TRUE((co_await yield_now()).has_value()) << "outside of the timeout all is well";
  }());
}

// A clean-up that waits, and notes whether it could wait.
Task<Result<void>> tidy_up(Event& may_end, Log& notes) {
  auto first = co_await may_end.wait();
  notes.emplace_back(std::string("shielded ") + word(first));
  co_return co_await yield_now();
}

TEST_P(CancelScopeTest, AShieldProtectsTheWaitInsideIt) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Event may_end;
    Scope scope;
    auto task = scope.spawn([](Event& end, Log& notes) -> Task<void> {
      notes.emplace_back(word(co_await shielded(tidy_up(end, notes))));
      notes.emplace_back(word(co_await yield_now()));
    }(may_end, events));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(task.done());
    may_end.set();
    co_await task;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("shielded done", "done", "cancelled"));
}

TEST_P(CancelScopeTest, AShieldEnteredAfterTheCancellationProtectsToo) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Event may_end;
    Scope scope;
    auto task = scope.spawn([](Event& end, Log& notes) -> Task<void> {
      notes.emplace_back(word(co_await sleep(1h)));
      notes.emplace_back(word(co_await shielded(tidy_up(end, notes))));
      notes.emplace_back(word(co_await yield_now()));
    }(may_end, events));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    may_end.set();
    co_await task;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("cancelled", "shielded done", "done", "cancelled"));
}

TEST_P(CancelScopeTest, ATimeoutInsideAShieldStillWorks) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    Scope scope;
    auto task = scope.spawn([](Log& notes) -> Task<void> {
      notes.emplace_back(word(co_await sleep(1h)));
      notes.emplace_back(word(co_await shielded([](Log& inner) -> Task<Result<void>> {
        Event never;
        const Result<void> limited = co_await with_timeout(Duration(1), wait_on(never));
        inner.emplace_back(limited.error() == Errc::timed_out ? "timed out" : "?");
        co_return co_await yield_now();
      }(notes))));
    }(events));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    co_await task;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("cancelled", "timed out", "done"));
}

TEST_P(CancelScopeTest, AShieldInsideATimeoutEndsBeforeTheTimeoutSpeaks) {
  const Log log = run([]() -> Task<Log> {
    Log events;
    const Result<void> result =
        co_await with_timeout(Duration(1), [](Log& notes) -> Task<Result<void>> {
          Event never;
          notes.emplace_back(word(co_await never.wait()));
          notes.emplace_back(word(co_await shielded(
              []() -> Task<Result<void>> { co_return co_await sleep(Duration(1)); }())));
          co_return co_await never.wait();
        }(events));
    events.emplace_back(result.error() == Errc::timed_out ? "timed out" : "?");
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("cancelled", "done", "timed out"));
}

TEST_P(CancelScopeTest, ATaskCanCheckWhetherItWasCancelled) {
  run([]() -> Task<void> {
    Scope scope;
    auto task = scope.spawn([]() -> Task<void> {
      EXPECT_FALSE(cancel_requested());
      EXPECT_FALSE((co_await sleep(1h)).has_value());
      EXPECT_TRUE(cancel_requested());
      co_await shielded([]() -> Task<void> {
        EXPECT_FALSE(cancel_requested());
        co_return;
      }());
    }());
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    co_await task;
    EXPECT_FALSE(cancel_requested());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(CancelScopeTest, CancellationReachesChildrenThroughAllLevels) {
  const int stopped = run([]() -> Task<int> {
    int count = 0;
    Scope scope;
    // BORROWS: the count, which outlives the scope.
    struct Family {
      static Task<void> grow(int generations, int& ended) {
        if (generations == 0) {
          if (!co_await sleep(1h)) ++ended;
          co_return;
        }
        Scope children;
        children.spawn(grow(generations - 1, ended));
        children.spawn(grow(generations - 1, ended));
        EXPECT_EQ((co_await children.join()).error(), Errc::cancelled);
      }
    };
    auto family = scope.spawn(Family::grow(6, count));
    for (int i = 0; i < 20; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    family.cancel();
    co_await family;
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return count;
  }());
  EXPECT_EQ(stopped, 64);
}

Task<void> shields_and_timeouts() {
  const auto patient = []() -> Task<Result<void>> {
    auto first = co_await sleep(3s);
    auto second = co_await shielded([]() -> Task<Result<void>> {
      auto limited =
          co_await with_timeout(1s, []() -> Task<Result<void>> { co_return co_await sleep(2s); }());
      EXPECT_FALSE(limited.has_value());
      co_return co_await sleep(1s);
    }());
    EXPECT_TRUE(second.has_value()) << "nothing reaches into the shield";
    co_return first;
  };
  auto outer = co_await with_timeout(2s, patient());
  EXPECT_FALSE(outer.has_value());
  static_cast<void>(co_await yield_now());
}

TEST(CancelScopeCutTest, ShieldsInTimeoutsEndCleanlyWhereverTheyAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(shields_and_timeouts), 3u);
}

}  // namespace
}  // namespace gossamer::async
