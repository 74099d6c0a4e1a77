#include "async/queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class QueueTest : public DriverTest {};
ON_EVERY_DRIVER(QueueTest);

Task<Result<int>> pop_one(Queue<int>& queue) {
  auto claim = co_await queue.pop();
  if (!claim) co_return fail(std::move(claim).error());
  co_return **claim;
}

Task<Result<void>> push_one(Queue<int>& queue, int item) { co_return co_await queue.push(item); }

TEST_P(QueueTest, ItemsLeaveInTheOrderTheyCame) {
  run([]() -> Task<void> {
    Queue<int> queue(10);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE((co_await queue.push(i)).has_value());
    EXPECT_EQ(queue.size(), 5u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(*co_await pop_one(queue), i);
    EXPECT_TRUE(queue.empty());
  }());
}

TEST_P(QueueTest, CarriesWhatCanOnlyBeMoved) {
  run([]() -> Task<void> {
    Queue<std::unique_ptr<int>> queue(1);
    EXPECT_TRUE((co_await queue.push(std::make_unique<int>(3))).has_value());
    auto claim = co_await queue.pop();
    EXPECT_EQ(***claim, 3);
    EXPECT_EQ(*claim->operator->()->get(), 3);
  }());
}

TEST_P(QueueTest, APopWaitsForAPush) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    Scope scope;
    auto popper = scope.spawn(pop_one(queue));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(popper.done());
    EXPECT_TRUE((co_await queue.push(7)).has_value());
    EXPECT_EQ(queue.size(), 0u) << "it passed directly to who waited";
    EXPECT_EQ(queue.unfinished(), 1u);
    EXPECT_EQ(*co_await popper, 7);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, APushWaitsWhileTheQueueIsFull) {
  run([]() -> Task<void> {
    Queue<int> queue(2);
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    EXPECT_TRUE((co_await queue.push(2)).has_value());
    Scope scope;
    auto third = scope.spawn(push_one(queue, 3));
    auto fourth = scope.spawn(push_one(queue, 4));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(third.done());
    EXPECT_EQ(queue.unfinished(), 2u) << "what waits outside is not counted";
    EXPECT_EQ(*co_await pop_one(queue), 1);
    EXPECT_EQ(queue.size(), 2u) << "the first in line was pushed immediately";
    EXPECT_TRUE((co_await third).has_value());
    EXPECT_FALSE(fourth.done());
    for (const int expected : {2, 3, 4}) EXPECT_EQ(*co_await pop_one(queue), expected);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, WaitersAreServedInTheOrderTheyCame) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    Scope scope;
    std::vector<JoinHandle<Result<int>>> poppers;
    for (int i = 0; i < 4; ++i) poppers.push_back(scope.spawn(pop_one(queue)));
    EXPECT_TRUE((co_await yield_now()).has_value());
    for (int i = 0; i < 4; ++i) EXPECT_TRUE((co_await queue.push(i)).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
    for (int i = 0; i < 4; ++i) EXPECT_EQ(*poppers[static_cast<std::size_t>(i)].take(), i);
  }());
}

TEST_P(QueueTest, NobodyOvertakesWhoWasPromisedAnItem) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    Scope scope;
    auto first = scope.spawn(pop_one(queue));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    EXPECT_FALSE(queue.try_pop().has_value());
    EXPECT_EQ(*co_await first, 1);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, TryingNeverWaits) {
  run([]() -> Task<void> {
    Queue<std::string> queue(1);
    EXPECT_FALSE(queue.try_pop().has_value());
    EXPECT_TRUE(queue.try_push("first"));
    std::string second = "second";
    EXPECT_FALSE(queue.try_push(std::move(second)));
    EXPECT_EQ(second, "second") << "untouched";
    EXPECT_EQ(**queue.try_pop(), "first");
    queue.close();
    EXPECT_FALSE(queue.try_push(std::move(second)));
    EXPECT_EQ(second, "second");
    co_return;
  }());
}

TEST_P(QueueTest, JoinWaitsUntilEveryClaimIsGone) {
  run([]() -> Task<void> {
    Queue<int> queue(5);
    EXPECT_TRUE((co_await queue.join()).has_value()) << "nothing was pushed";
    for (int i = 0; i < 3; ++i) EXPECT_TRUE((co_await queue.push(i)).has_value());
    Scope scope;
    auto joiner = scope.spawn(
        [](Queue<int>& joined) -> Task<Result<void>> { co_return co_await joined.join(); }(queue));
    {
      auto first = co_await queue.pop();
      auto second = co_await queue.pop();
      auto third = co_await queue.pop();
      EXPECT_TRUE(queue.empty());
      EXPECT_EQ(queue.unfinished(), 3u);
      EXPECT_TRUE((co_await yield_now()).has_value());
      EXPECT_FALSE(joiner.done()) << "the work is not done";
      auto moved = std::move(*third);
      EXPECT_EQ(*moved, 2);
      EXPECT_EQ(queue.unfinished(), 3u) << "a moved claim is one claim";
    }
    EXPECT_EQ(queue.unfinished(), 0u);
    EXPECT_TRUE((co_await joiner).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, WorkThatBringsWorkIsWaitedForToo) {
  const int visited = run([]() -> Task<int> {
    Queue<int> queue(Queue<int>::kUnbounded);
    int count = 0;
    Scope scope;
    for (int i = 0; i < 3; ++i) {
      scope.spawn([](Queue<int>& work, int& done) -> Task<void> {
        while (auto item = co_await work.pop()) {
          static_cast<void>(co_await yield_now());
          ++done;
          for (int child = 0; child < **item; ++child) {
            EXPECT_TRUE((co_await work.push(**item - 1)).has_value());
          }
        }
      }(queue, count));
    }
    EXPECT_TRUE((co_await queue.push(4)).has_value());
    EXPECT_TRUE((co_await queue.join()).has_value());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return count;
  }());
  EXPECT_EQ(visited, 1 + 4 + 12 + 24 + 24);
}

TEST_P(QueueTest, AfterClosingWhatIsLeftIsHandedOut) {
  run([]() -> Task<void> {
    Queue<int> queue(2);
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    EXPECT_TRUE((co_await queue.push(2)).has_value());
    queue.close();
    queue.close();
    EXPECT_TRUE(queue.closed());
    EXPECT_EQ((co_await queue.push(3)).error(), Errc::closed);
    EXPECT_EQ(*co_await pop_one(queue), 1);
    EXPECT_EQ(*co_await pop_one(queue), 2);
    EXPECT_EQ((co_await pop_one(queue)).error(), Errc::closed);
  }());
}

TEST_P(QueueTest, ClosingWakesTheWaiters) {
  run([]() -> Task<void> {
    Queue<int> empty(1);
    Queue<int> full(1);
    EXPECT_TRUE((co_await full.push(0)).has_value());
    Scope scope(OnFailure::keep_going);
    auto popper = scope.spawn(pop_one(empty));
    auto pusher = scope.spawn(push_one(full, 1));
    EXPECT_TRUE((co_await yield_now()).has_value());
    empty.close();
    full.close();
    EXPECT_EQ((co_await popper).error(), Errc::closed);
    EXPECT_EQ((co_await pusher).error(), Errc::closed);
    EXPECT_EQ(*co_await pop_one(full), 0);
    EXPECT_EQ((co_await pop_one(full)).error(), Errc::closed) << "what waited outside was dropped";
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, ACancelledPopperLosesNoItem) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    Scope scope;
    auto cancelled = scope.spawn(pop_one(queue));
    auto patient = scope.spawn(pop_one(queue));
    EXPECT_TRUE((co_await yield_now()).has_value());
    cancelled.cancel();
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    EXPECT_EQ((co_await cancelled).error(), Errc::cancelled);
    EXPECT_EQ(*co_await patient, 1);
    EXPECT_EQ(queue.unfinished(), 0u);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, APopperCancelledAfterItWasServedStillGetsItsItem) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    Scope scope;
    auto served = scope.spawn(pop_one(queue));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    served.cancel();
    EXPECT_EQ(*co_await served, 1);
    EXPECT_EQ(queue.unfinished(), 0u);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, ACancelledPusherPushesNothing) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    Scope scope;
    auto cancelled = scope.spawn(push_one(queue, 2));
    auto patient = scope.spawn(push_one(queue, 3));
    EXPECT_TRUE((co_await yield_now()).has_value());
    cancelled.cancel();
    EXPECT_EQ((co_await cancelled).error(), Errc::cancelled);
    EXPECT_EQ(*co_await pop_one(queue), 1);
    EXPECT_EQ(*co_await pop_one(queue), 3);
    EXPECT_TRUE((co_await patient).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, APusherCancelledAfterItWasLetInHasPushed) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    Scope scope;
    auto pusher = scope.spawn(push_one(queue, 2));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_EQ(**queue.try_pop(), 1);
    pusher.cancel();
    EXPECT_TRUE((co_await pusher).has_value());
    EXPECT_EQ(*co_await pop_one(queue), 2);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(QueueTest, ACancelledJoinerLeavesTheWorkAlone) {
  run([]() -> Task<void> {
    Queue<int> queue(1);
    EXPECT_TRUE((co_await queue.push(1)).has_value());
    const Result<void> joined = co_await with_timeout(
        Duration(1),
        [](Queue<int>& work) -> Task<Result<void>> { co_return co_await work.join(); }(queue));
    EXPECT_EQ(joined.error(), Errc::timed_out);
    EXPECT_EQ(queue.unfinished(), 1u);
    EXPECT_EQ(*co_await pop_one(queue), 1);
    EXPECT_TRUE((co_await queue.join()).has_value());
  }());
}

class PriorityQueueTest : public DriverTest {};
ON_EVERY_DRIVER(PriorityQueueTest);

struct Errand {
  int urgency;
  int number;
  friend bool operator<(const Errand& a, const Errand& b) { return a.urgency < b.urgency; }
};

TEST_P(PriorityQueueTest, TheLeastLeavesFirstAndEqualsInTheOrderTheyCame) {
  run([]() -> Task<void> {
    PriorityQueue<Errand> queue(100);
    const int urgencies[] = {5, 1, 5, 3, 1, 5, 3};
    for (int i = 0; i < 7; ++i) {
      EXPECT_TRUE((co_await queue.push({.urgency = urgencies[i], .number = i})).has_value());
    }
    std::vector<int> order;
    while (auto claim = queue.try_pop()) order.push_back((*claim)->number);
    EXPECT_THAT(order, ElementsAre(1, 4, 3, 6, 0, 2, 5));
  }());
}

TEST_P(PriorityQueueTest, SortsAWaitingItemWhenItEnters) {
  run([]() -> Task<void> {
    PriorityQueue<int> queue(1);
    EXPECT_TRUE((co_await queue.push(5)).has_value());
    Scope scope;
    for (const int item : {9, 1}) {
      scope.spawn([](PriorityQueue<int>& full, int pushed) -> Task<Result<void>> {
        co_return co_await full.push(pushed);
      }(queue, item));
    }
    EXPECT_TRUE((co_await yield_now()).has_value());
    std::vector<int> order;
    while (auto claim = queue.try_pop()) order.push_back(**claim);
    EXPECT_THAT(order, ElementsAre(5, 9, 1)) << "one place: no choice";
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(PriorityQueueTest, CanPutTheGreatestFirst) {
  run([]() -> Task<void> {
    PriorityQueue<int, std::greater<int>> queue(10);
    for (const int item : {1, 3, 2}) EXPECT_TRUE((co_await queue.push(item)).has_value());
    std::vector<int> order;
    while (auto claim = queue.try_pop()) order.push_back(**claim);
    EXPECT_THAT(order, ElementsAre(3, 2, 1));
    EXPECT_TRUE((co_await queue.join()).has_value());
  }());
}

TEST(QueueDeathTest, MisuseIsABug) {
  EXPECT_DEATH(Queue<int>(0), "capacity > 0");
  EXPECT_DEATH(
      {
        std::optional<Queue<int>> queue(std::in_place, 1u);
        EXPECT_TRUE(queue->try_push(1));
        auto claim = queue->try_pop();
        queue.reset();
      },
      "a queue dies with 1 claims held");
}

}  // namespace
}  // namespace gossamer::async
