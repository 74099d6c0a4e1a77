#include "async/scope.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class ScopeTest : public DriverTest {};
ON_EVERY_DRIVER(ScopeTest);

Task<Result<void>> wait_for(Event& event) { co_return co_await event.wait(); }

Task<void> count_up(int& count) {
  EXPECT_TRUE((co_await yield_now()).has_value());
  ++count;
}

Task<Result<int>> fails(Errc code) {
  EXPECT_TRUE((co_await yield_now()).has_value());
  co_return fail(code, "on purpose");
}

Task<void> child_that_throws(const char* what) {
  EXPECT_TRUE((co_await yield_now()).has_value());
  throw std::runtime_error(what);
}

TEST_P(ScopeTest, JoinWaitsForAllChildren) {
  const int ended = run([]() -> Task<int> {
    int count = 0;
    Scope scope;
    for (int i = 0; i < 10; ++i) scope.spawn(count_up(count));
    EXPECT_EQ(scope.size(), 10u);
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(scope.size(), 0u);
    co_return count;
  }());
  EXPECT_EQ(ended, 10);
}

TEST_P(ScopeTest, ChildrenStartInTheOrderTheyWereSpawnedAndNotBefore) {
  const auto order = run([]() -> Task<std::vector<int>> {
    std::vector<int> started;
    Scope scope;
    for (int i = 0; i < 4; ++i) {
      scope.spawn([](std::vector<int>& log, int number) -> Task<void> {
        log.push_back(number);
        co_return;
      }(started, i));
    }
    EXPECT_TRUE(started.empty());
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return started;
  }());
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 3));
}

TEST_P(ScopeTest, JoiningWithoutChildrenEndsImmediately) {
  run([]() -> Task<void> {
    Scope scope;
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ScopeTest, ChildrenMaySpawnMoreWhileTheyAreJoined) {
  const int ended = run([]() -> Task<int> {
    int count = 0;
    Scope scope;
    struct Chain {
      static Task<void> link(Scope& family, int left, int& done) {
        EXPECT_TRUE((co_await yield_now()).has_value());
        ++done;
        if (left > 0) family.spawn(link(family, left - 1, done));
      }
    };
    scope.spawn(Chain::link(scope, 9, count));
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return count;
  }());
  EXPECT_EQ(ended, 10);
}

TEST_P(ScopeTest, MayBeFilledAndJoinedAgain) {
  run([]() -> Task<void> {
    int count = 0;
    Scope scope;
    for (int round = 1; round <= 3; ++round) {
      scope.spawn(count_up(count));
      EXPECT_TRUE((co_await scope.join()).has_value());
      EXPECT_EQ(count, round);
    }
  }());
}

TEST_P(ScopeTest, TheFirstFailureStopsTheSiblingsAndIsReported) {
  run([]() -> Task<void> {
    Event never;
    Scope scope;
    auto sibling = scope.spawn(wait_for(never));
    scope.spawn(fails(Errc::refused));
    const Result<void> joined = co_await scope.join();
    EXPECT_EQ(joined.error(), Errc::refused);
    EXPECT_EQ(joined.error().detail(), "on purpose");
    EXPECT_EQ((co_await sibling).error(), Errc::cancelled);
  }());
}

TEST_P(ScopeTest, ReportsTheFirstOfTwoFailures) {
  run([]() -> Task<void> {
    Scope scope;
    scope.spawn(fails(Errc::refused));
    scope.spawn(fails(Errc::reset));
    EXPECT_EQ((co_await scope.join()).error(), Errc::refused);
  }());
}

TEST_P(ScopeTest, AChildThatWasCancelledHasNotFailed) {
  run([]() -> Task<void> {
    Event never;
    Scope scope;
    auto child = scope.spawn(wait_for(never));
    EXPECT_TRUE((co_await yield_now()).has_value());
    child.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ScopeTest, AnExceptionStopsTheSiblingsAndIsThrownByJoin) {
  const std::string caught = run([]() -> Task<std::string> {
    Event never;
    Scope scope;
    auto sibling = scope.spawn(wait_for(never));
    scope.spawn(child_that_throws("child broke"));
    std::string what;
    try {
      static_cast<void>(co_await scope.join());
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_TRUE(sibling.done());
    co_return what;
  }());
  EXPECT_EQ(caught, "child broke");
}

TEST_P(ScopeTest, AFailureIsReportedOnce) {
  run([]() -> Task<void> {
    Scope scope;
    scope.spawn(fails(Errc::refused));
    EXPECT_FALSE((co_await scope.join()).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ScopeTest, LetsChildrenFailAloneWithKeepGoing) {
  const int ended = run([]() -> Task<int> {
    int count = 0;
    Scope scope(OnFailure::keep_going);
    scope.spawn(fails(Errc::refused));
    auto held = scope.spawn(child_that_throws("alone"));
    scope.spawn(count_up(count));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THROW(held.take(), std::runtime_error);
    co_return count;
  }());
  EXPECT_EQ(ended, 1);
}

TEST_P(ScopeTest, AnExceptionThatNobodyHoldsIsNeverLost) {
  const std::string caught = run([]() -> Task<std::string> {
    int count = 0;
    Scope scope(OnFailure::keep_going);
    scope.spawn(child_that_throws("nobody holds me"));
    scope.spawn(count_up(count));
    std::string what;
    try {
      static_cast<void>(co_await scope.join());
    } catch (const std::runtime_error& error) {
      what = error.what();
    }
    EXPECT_EQ(count, 1) << "the others continued";
    co_return what;
  }());
  EXPECT_EQ(caught, "nobody holds me");
}

TEST_P(ScopeTest, CancelStopsAllAndThoseSpawnedLater) {
  run([]() -> Task<void> {
    Event never;
    Scope scope;
    auto early = scope.spawn(wait_for(never));
    EXPECT_TRUE((co_await yield_now()).has_value());
    scope.cancel();
    auto late = scope.spawn(wait_for(never));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ((co_await early).error(), Errc::cancelled);
    EXPECT_EQ((co_await late).error(), Errc::cancelled);
  }());
}

TEST_P(ScopeTest, CancellingWhoJoinsCancelsTheChildrenAndStillWaitsForThem) {
  const auto log = run([]() -> Task<std::vector<std::string>> {
    std::vector<std::string> events;
    Scope outer;
    auto parent = outer.spawn([](std::vector<std::string>& notes) -> Task<void> {
      Scope inner;
      inner.spawn([](std::vector<std::string>& child_notes) -> Task<void> {
        EXPECT_FALSE((co_await sleep(1h)).has_value());
        child_notes.emplace_back("child stops");
      }(notes));
      EXPECT_EQ((co_await inner.join()).error(), Errc::cancelled);
      notes.emplace_back("parent continues");
    }(events));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE((co_await yield_now()).has_value());
    parent.cancel();
    EXPECT_TRUE((co_await outer.join()).has_value());
    co_return events;
  }());
  EXPECT_THAT(log, ElementsAre("child stops", "parent continues"));
}

TEST_P(ScopeTest, AParentCancelledBeforeItJoinsCancelsItsChildrenThen) {
  run([]() -> Task<void> {
    Scope outer;
    auto parent = outer.spawn([]() -> Task<Result<void>> {
      Event never;
      Scope inner;
      auto child = inner.spawn(wait_for(never));
      static_cast<void>(co_await sleep(1h));
      EXPECT_FALSE(child.done());
      EXPECT_EQ((co_await inner.join()).error(), Errc::cancelled);
      co_return co_await child;
    }());
    EXPECT_TRUE((co_await yield_now()).has_value());
    parent.cancel();
    EXPECT_EQ((co_await parent).error(), Errc::cancelled);
    EXPECT_TRUE((co_await outer.join()).has_value());
  }());
}

class JoinHandleTest : public DriverTest {};
ON_EVERY_DRIVER(JoinHandleTest);

TEST_P(JoinHandleTest, AwaitingItGivesTheResult) {
  run([]() -> Task<void> {
    Scope scope;
    auto handle = scope.spawn([]() -> Task<std::unique_ptr<int>> {
      EXPECT_TRUE((co_await yield_now()).has_value());
      co_return std::make_unique<int>(9);
    }());
    EXPECT_FALSE(handle.done());
    EXPECT_EQ(*co_await handle, 9);
    EXPECT_TRUE(handle.done());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(JoinHandleTest, TheResultWaitsForWhoComesLate) {
  run([]() -> Task<void> {
    Scope scope;
    auto handle = scope.spawn([]() -> Task<int> { co_return 3; }());
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_TRUE(handle.done());
    EXPECT_EQ(co_await handle, 3);
  }());
}

TEST_P(JoinHandleTest, TakesTheResultWithoutWaiting) {
  run([]() -> Task<void> {
    Scope scope;
    auto handle = scope.spawn([]() -> Task<int> { co_return 3; }());
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(handle.take(), 3);
  }());
}

TEST_P(JoinHandleTest, OutlivesItsScope) {
  run([]() -> Task<void> {
    JoinHandle<int> handle;
    {
      Scope scope;
      handle = scope.spawn([]() -> Task<int> { co_return 3; }());
      EXPECT_TRUE((co_await scope.join()).has_value());
    }
    handle.cancel();
    EXPECT_EQ(co_await handle, 3);
  }());
}

TEST_P(JoinHandleTest, DroppingItDoesNotStopTheTask) {
  run([]() -> Task<void> {
    int count = 0;
    Scope scope;
    {
      auto dropped = scope.spawn(count_up(count));
    }
    {
      auto replaced = scope.spawn(count_up(count));
      replaced = scope.spawn(count_up(count));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(count, 3);
  }());
}

TEST_P(JoinHandleTest, AnExceptionIsThrownAtTheAwait) {
  run([]() -> Task<void> {
    Scope scope(OnFailure::keep_going);
    auto handle = scope.spawn(child_that_throws("here"));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THROW(handle.take(), std::runtime_error);
  }());
}

TEST_P(JoinHandleTest, CancellingWhoWaitsCancelsTheTaskAndDeliversItsResult) {
  run([]() -> Task<void> {
    Scope scope;
    auto waiter = scope.spawn([]() -> Task<std::string> {
      Scope inner;
      auto stubborn = inner.spawn([]() -> Task<std::string> {
        EXPECT_FALSE((co_await sleep(1h)).has_value());
        co_return "the result all the same";
      }());
      std::string result = co_await stubborn;
      EXPECT_TRUE((co_await inner.join()).has_value());
      co_return result;
    }());
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE((co_await yield_now()).has_value());
    waiter.cancel();
    EXPECT_EQ(co_await waiter, "the result all the same");
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

Task<Result<void>> family(int generations) {
  if (generations == 0) co_return co_await sleep(1s);
  Scope scope;
  auto awaited = scope.spawn(family(generations - 1));
  scope.spawn(family(generations - 1));
  static_cast<void>(co_await awaited);
  co_return co_await scope.join();
}

TEST(ScopeCutTest, AFamilyOfTasksEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point([] { return family(3); }), 15u);
}

Task<Result<void>> family_with_a_failure() {
  Scope scope;
  scope.spawn(family(2));
  scope.spawn([]() -> Task<Result<void>> {
    static_cast<void>(co_await sleep(500ms));
    co_return fail(Errc::refused);
  }());
  co_return co_await scope.join();
}

TEST(ScopeCutTest, AFailingFamilyEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(family_with_a_failure), 10u);
}

}  // namespace
}  // namespace gossamer::async
