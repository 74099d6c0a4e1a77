#include "async/async_stack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <source_location>
#include <string>
#include <utility>

#include "async/generator.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/check.h"
#include "tests/simulated/world.h"

namespace gossamer::async {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kHere = "ground/async/async_stack_test.cc:[0-9]+ in ";

TEST(AsyncStackTest, APlaceIsAFileBelowTheSourceRootALineAndAFunction) {
  const std::string text = describe(std::source_location::current());
  EXPECT_THAT(text, StartsWith("ground/async/async_stack_test.cc:"));
  EXPECT_THAT(text, HasSubstr(" in "));
}

TEST(AsyncStackTest, SaysThatAFrameHasNotWaitedYet) {
  EXPECT_EQ(describe(std::source_location()), "(has not waited yet)");
}

Task<std::string> describe_from_inside(Loop& loop) {
  static_cast<void>(co_await yield_now());
  co_return loop.dump();
}

Task<std::string> through_a_timeout(Loop& loop) {
  std::string text;
  auto result = co_await with_timeout(1h, [](Loop& inner, std::string& out) -> Task<Result<void>> {
    out = co_await describe_from_inside(inner);
    co_return Result<void>();
  }(loop, text));
  EXPECT_TRUE(result.has_value());
  co_return text;
}

TEST(AsyncStackTest, TheChainLeadsThroughTimeoutsToTheSpawn) {
  sim::World world = sim::World::calm();
  const std::string dump = world.run(through_a_timeout(world.loop()));
  EXPECT_THAT(dump, AllOf(ContainsRegex(std::string("#0 ") + kHere + ".*describe_from_inside"),
                          ContainsRegex(std::string("#1 ") + kHere),
                          ContainsRegex(std::string("#2 ") + kHere + ".*through_a_timeout"),
                          ContainsRegex(std::string("spawned at ") + kHere)));
}

Task<StackSnapshot> snapshot_at(int depth) {
  if (depth > 0) co_return co_await snapshot_at(depth - 1);
  static_cast<void>(co_await yield_now());
  co_return StackSnapshot(*running_frame);
}

TEST(AsyncStackTest, ASnapshotOutlivesTheFramesItWasTakenOf) {
  sim::World world = sim::World::calm();
  const std::string text = world.run(snapshot_at(2)).to_string();
  EXPECT_THAT(text, ContainsRegex(std::string("#2 ") + kHere + ".*snapshot_at.*\n  spawned at "));
  EXPECT_THAT(text, Not(HasSubstr("#3")));
}

TEST(AsyncStackTest, ASnapshotOfADeepChainKeepsTheInnermostFrames) {
  sim::World world = sim::World::calm();
  const std::string text = world.run(snapshot_at(1000)).to_string();
  EXPECT_THAT(text, AllOf(HasSubstr("#0 "), HasSubstr("#11 "), Not(HasSubstr("#12 ")),
                          HasSubstr("spawned at ")));
}

TEST(AsyncStackTest, ASnapshotOfNoCoroutineIsACallback) {
  EXPECT_THAT(StackSnapshot().to_string(), HasSubstr("a callback"));
}

AsyncGenerator<std::string> stacks(Loop& loop) {
  static_cast<void>(co_await yield_now());
  co_yield loop.dump();
}

Task<std::string> consume(Loop& loop) {
  auto generator = stacks(loop);
  co_return *co_await generator.next();
}

TEST(AsyncStackTest, AGeneratorIsAboveItsConsumer) {
  sim::World world = sim::World::calm();
  EXPECT_THAT(
      world.run(consume(world.loop())),
      ContainsRegex(std::string("#0 ") + kHere + ".*stacks.*\n  #1 " + kHere + ".*consume"));
}

Task<void> fail_a_check() {
  static_cast<void>(co_await yield_now());
  CHECK(1 + 1 == 3, "arithmetic is broken");
}

Task<void> outer_of_the_check() { co_await fail_a_check(); }

TEST(AsyncStackDeathTest, AFailedCheckInACoroutinePrintsTheChain) {
  EXPECT_DEATH(sim::World::calm().run(outer_of_the_check()),
               "arithmetic is broken(.|\n)*async stack:\n"
               "  #0 ground/async/async_stack_test.cc:[0-9]+ in .*fail_a_check.*\n"
               "  #1 ground/async/async_stack_test.cc:[0-9]+ in .*outer_of_the_check.*\n"
               "  spawned at ground/async/async_stack_test.cc:[0-9]+ in ");
}

TEST(AsyncStackDeathTest, AFailedCheckInAScopedChildNamesWhereItWasSpawned) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Scope scope;
    scope.spawn(outer_of_the_check());
    static_cast<void>(co_await scope.join());
  }()),
               "outer_of_the_check.*\n  spawned at ground/async/async_stack_test.cc:");
}

Task<void> sleeps_inside() { static_cast<void>(co_await sleep(1h)); }

TEST(AsyncStackDeathTest, ATaskDestroyedWhileItWaitsSaysWhere) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    std::optional<Task<void>> holder(sleeps_inside());
    Scope scope;
    scope.spawn(
        [](std::optional<Task<void>>& held) -> Task<void> { co_await *std::move(held); }(holder));
    static_cast<void>(co_await yield_now());
    holder.reset();
    static_cast<void>(co_await scope.join());
  }()),
               "Task was destroyed but it is pending!\n"
               "  #0 ground/async/async_stack_test.cc:[0-9]+ in .*sleeps_inside");
}

TEST(AsyncStackDeathTest, ATaskAwaitedTwiceIsABug) {
  EXPECT_DEATH(
      sim::World::calm().run([]() -> Task<void> {
        Task<void> task = []() -> Task<void> { co_return; }();
        co_await std::move(task);
        co_await std::move(task);
      }()),
      "a Task is awaited twice, or after it was moved away, at ground/async/async_stack_test.cc:");
}

TEST(AsyncStackDeathTest, ATaskAwaitedAfterItWasMovedAwayIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Task<void> task = []() -> Task<void> { co_return; }();
    const Task<void> thief = std::move(task);
    co_await std::move(task);
  }()),
               "a Task is awaited twice, or after it was moved away");
}

TEST(AsyncStackDeathTest, ATaskSpawnedAfterItWasMovedAwayIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Task<void> task = []() -> Task<void> { co_return; }();
    const Task<void> thief = std::move(task);
    Scope scope;
    scope.spawn(std::move(task));
    static_cast<void>(co_await scope.join());
  }()),
               "a task can be started only once");
}

TEST(AsyncStackDeathTest, ATimeoutAroundATaskThatRanAlreadyIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Task<Result<void>> task = []() -> Task<Result<void>> { co_return Result<void>(); }();
    static_cast<void>(co_await std::move(task));
    static_cast<void>(co_await with_timeout(1s, std::move(task)));
  }()),
               "a Task is awaited twice");
}

TEST(AsyncStackDeathTest, AScopeThatDiesWithChildrenShowsOne) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Scope scope;
    scope.spawn(sleeps_inside());
    static_cast<void>(co_await yield_now());
  }()),
               "a scope dies with 1 tasks alive; join it on every path:\n"
               "  #0 ground/async/async_stack_test.cc:[0-9]+ in .*sleeps_inside");
}

TEST(AsyncStackDeathTest, TwoWhoJoinOneScopeAreABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    Scope family;
    family.spawn(sleeps_inside());
    Scope joiners;
    for (int i = 0; i < 2; ++i) {
      joiners.spawn(
          [](Scope& joined) -> Task<void> { static_cast<void>(co_await joined.join()); }(family));
    }
    static_cast<void>(co_await joiners.join());
  }()),
               "a scope is joined by two");
}

TEST(AsyncStackDeathTest, AGeneratorDestroyedInsideItsNextIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    struct Endless {
      static AsyncGenerator<int> wait() {
        static_cast<void>(co_await sleep(1h));
        co_yield 1;
      }
    };
    std::optional<AsyncGenerator<int>> generator(Endless::wait());
    Scope scope;
    scope.spawn([](AsyncGenerator<int>& source) -> Task<void> {
      static_cast<void>(co_await source.next());
    }(*generator));
    static_cast<void>(co_await yield_now());
    generator.reset();
    static_cast<void>(co_await scope.join());
  }()),
               "Task was destroyed but it is pending!");
}

}  // namespace
}  // namespace gossamer::async
