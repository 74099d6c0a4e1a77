#include "async/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class EventTest : public DriverTest {};
ON_EVERY_DRIVER(EventTest);

Task<Result<void>> note_when_set(Event& event, std::vector<int>& notes, int number) {
  auto waited = co_await event.wait();
  if (waited) notes.push_back(number);
  co_return waited;
}

TEST_P(EventTest, LetsAllWhoWaitGoInTheOrderTheyCame) {
  const auto order = run([]() -> Task<std::vector<int>> {
    Event event;
    std::vector<int> notes;
    Scope scope;
    for (int i = 0; i < 3; ++i) scope.spawn(note_when_set(event, notes, i));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE(notes.empty());
    event.set();
    EXPECT_TRUE(notes.empty()) << "waiters run from the loop, not inside set()";
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return notes;
  }());
  EXPECT_THAT(order, ElementsAre(0, 1, 2));
}

TEST_P(EventTest, StaysSetUntilCleared) {
  run([]() -> Task<void> {
    Event event;
    EXPECT_FALSE(event.is_set());
    event.set();
    event.set();
    EXPECT_TRUE(event.is_set());
    EXPECT_TRUE((co_await event.wait()).has_value());
    EXPECT_TRUE((co_await event).has_value()) << "an event may be awaited itself";
    event.clear();
    EXPECT_FALSE(event.is_set());
  }());
}

TEST_P(EventTest, ReleasedWaitersContinueThoughTheEventIsCleared) {
  run([]() -> Task<void> {
    Event event;
    std::vector<int> notes;
    Scope scope;
    scope.spawn(note_when_set(event, notes, 1));
    EXPECT_TRUE((co_await yield_now()).has_value());
    event.set();
    event.clear();
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(notes, ElementsAre(1));
  }());
}

TEST_P(EventTest, ACancelledWaiterLeavesTheLine) {
  run([]() -> Task<void> {
    Event event;
    std::vector<int> notes;
    Scope scope;
    scope.spawn(note_when_set(event, notes, 1));
    auto middle = scope.spawn(note_when_set(event, notes, 2));
    scope.spawn(note_when_set(event, notes, 3));
    EXPECT_TRUE((co_await yield_now()).has_value());
    middle.cancel();
    EXPECT_EQ((co_await middle).error(), Errc::cancelled);
    event.set();
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(notes, ElementsAre(1, 3));
  }());
}

Task<void> one_sets_and_three_wait() {
  Event event;
  std::vector<int> notes;
  Scope scope;
  for (int i = 0; i < 3; ++i) scope.spawn(note_when_set(event, notes, i));
  static_cast<void>(co_await sleep(1s));
  event.set();
  static_cast<void>(co_await scope.join());
}

TEST(EventCutTest, WaitersLeaveWhereverTheyAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(one_sets_and_three_wait), 5u);
}

TEST(EventDeathTest, AnEventThatDiesWithWaitersIsABug) {
  EXPECT_DEATH(
      {
        sim::World world = sim::World::calm();
        world.run([]() -> Task<void> {
          Scope scope;
          auto event = std::make_unique<Event>();
          scope.spawn([](Event& awaited) -> Task<void> {
            static_cast<void>(co_await awaited.wait());
          }(*event));
          static_cast<void>(co_await yield_now());
          event.reset();
        }());
      },
      "an event dies with 1 waiters");
}

}  // namespace
}  // namespace gossamer::async
