#include "async/semaphore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class SemaphoreTest : public DriverTest {};
ON_EVERY_DRIVER(SemaphoreTest);

struct Room {
  Semaphore doors{2};
  int inside = 0;
  int most_inside = 0;
  std::vector<int> entered;
};

Task<Result<void>> visit(Room& room, int number) {
  auto permit = co_await room.doors.acquire();
  if (!permit) co_return fail(std::move(permit).error());
  room.entered.push_back(number);
  room.most_inside = std::max(room.most_inside, ++room.inside);
  static_cast<void>(co_await yield_now());
  static_cast<void>(co_await yield_now());
  --room.inside;
  co_return Result<void>();
}

TEST_P(SemaphoreTest, LetsInNoMoreThanItHasPermitsAndServesInOrder) {
  run([]() -> Task<void> {
    Room room;
    Scope scope;
    for (int i = 0; i < 6; ++i) scope.spawn(visit(room, i));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(room.most_inside, 2);
    EXPECT_THAT(room.entered, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(room.doors.available(), 2u);
  }());
}

TEST_P(SemaphoreTest, APermitThatIsGivenBackGoesToWhoWaitsLongest) {
  run([]() -> Task<void> {
    Semaphore one(1);
    auto held = co_await one.acquire();
    EXPECT_TRUE(held.has_value());
    std::vector<int> order;
    Scope scope;
    for (int i = 0; i < 2; ++i) {
      scope.spawn([](Semaphore& semaphore, std::vector<int>& log, int number) -> Task<void> {
        auto permit = co_await semaphore.acquire();
        log.push_back(number);
      }(one, order, i));
    }
    EXPECT_TRUE((co_await yield_now()).has_value());
    held->release();
    EXPECT_FALSE(one.try_acquire().has_value()) << "it has been promised already";
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(order, ElementsAre(0, 1));
  }());
}

TEST_P(SemaphoreTest, TryingNeverWaits) {
  run([]() -> Task<void> {
    Semaphore semaphore(1);
    auto first = semaphore.try_acquire();
    EXPECT_TRUE(first.has_value());
    EXPECT_FALSE(semaphore.try_acquire().has_value());
    first.reset();
    EXPECT_TRUE(semaphore.try_acquire().has_value());
    co_return;
  }());
}

TEST_P(SemaphoreTest, APermitMovesAndIsGivenBackOnce) {
  run([]() -> Task<void> {
    Semaphore semaphore(2);
    auto first = co_await semaphore.acquire();
    auto second = co_await semaphore.acquire();
    EXPECT_EQ(semaphore.available(), 0u);
    *first = std::move(*second);  // the first is returned
    EXPECT_EQ(semaphore.available(), 1u);
    first->release();
    first->release();
    EXPECT_EQ(semaphore.available(), 2u);
  }());
}

TEST_P(SemaphoreTest, ACancelledWaiterTakesNoPermitWithIt) {
  run([]() -> Task<void> {
    Room room;
    auto first = co_await room.doors.acquire();
    auto second = co_await room.doors.acquire();
    Scope scope;
    auto cancelled = scope.spawn(visit(room, 1));
    scope.spawn(visit(room, 2));
    EXPECT_TRUE((co_await yield_now()).has_value());
    cancelled.cancel();
    first->release();
    EXPECT_EQ((co_await cancelled).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(room.entered, ElementsAre(2));
    second->release();
    EXPECT_EQ(room.doors.available(), 2u);
  }());
}

TEST_P(SemaphoreTest, AWaiterCancelledAfterItWasServedStillOwnsItsPermit) {
  run([]() -> Task<void> {
    Room room;
    auto first = co_await room.doors.acquire();
    auto second = co_await room.doors.acquire();
    Scope scope;
    auto served = scope.spawn(visit(room, 1));
    EXPECT_TRUE((co_await yield_now()).has_value());
    first->release();
    served.cancel();
    EXPECT_TRUE((co_await served).has_value());
    second->release();
    EXPECT_EQ(room.doors.available(), 2u);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

Task<void> a_room_full_of_visitors() {
  Room room;
  Scope scope;
  for (int i = 0; i < 6; ++i) scope.spawn(visit(room, i));
  static_cast<void>(co_await scope.join());
  EXPECT_EQ(room.doors.available(), 2u);
  EXPECT_LE(room.most_inside, 2);
}

TEST(SemaphoreCutTest, EveryPermitComesBackWhereverTheVisitorsAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(a_room_full_of_visitors), 10u);
}

TEST(SemaphoreDeathTest, ASemaphoreThatDiesWithPermitsOutIsABug) {
  EXPECT_DEATH(
      {
        std::optional<Semaphore> semaphore(std::in_place, 3u);
        auto permit = semaphore->try_acquire();
        semaphore.reset();
      },
      "a semaphore dies with 1 of 3 permits out");
}

}  // namespace
}  // namespace gossamer::async
