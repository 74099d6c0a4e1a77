#include "async/gather.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "async/event.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class GatherTest : public DriverTest {};
ON_EVERY_DRIVER(GatherTest);

// Ends after this many turns of the loop.
Task<int> number_after(int turns, int number) {
  for (int i = 0; i < turns; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
  co_return number;
}

Task<Result<int>> succeed_after(int turns, int number) {
  for (int i = 0; i < turns; ++i) {
    if (auto turn = co_await yield_now(); !turn) co_return fail(std::move(turn).error());
  }
  co_return number;
}

Task<Result<int>> fail_after(int turns, Errc code) {
  for (int i = 0; i < turns; ++i) {
    if (auto turn = co_await yield_now(); !turn) co_return fail(std::move(turn).error());
  }
  co_return fail(code, "contender");
}

Task<Result<int>> never_end(int& cancelled) {
  auto slept = co_await sleep(1h);
  if (!slept && slept.error() == Errc::cancelled) ++cancelled;
  co_return fail(std::move(slept).error());
}

template <class T, class... Tasks>
std::vector<Task<T>> list_of(Task<T> first, Tasks... rest) {
  std::vector<Task<T>> tasks;
  tasks.push_back(std::move(first));
  (tasks.push_back(std::move(rest)), ...);
  return tasks;
}

TEST_P(GatherTest, GivesTheResultsInTheOrderOfTheTasks) {
  const auto numbers =
      run(gather(list_of(number_after(5, 1), number_after(0, 2), number_after(2, 3))));
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3));
}

TEST_P(GatherTest, IsEmptyWithoutTasks) {
  EXPECT_TRUE(run(gather(std::vector<Task<int>>())).empty());
  run(gather(std::vector<Task<void>>()));
  EXPECT_TRUE(run(gather_or_fail(std::vector<Task<Result<int>>>()))->empty());
}

TEST_P(GatherTest, RunsTheTasksAtTheSameTime) {
  run([]() -> Task<void> {
    Event first_is_here;
    Event second_is_here;
    const auto meet = [](Event& mine, Event& theirs) -> Task<int> {
      mine.set();
      EXPECT_TRUE((co_await theirs.wait()).has_value());
      co_return 1;
    };
    static_cast<void>(co_await gather(
        list_of(meet(first_is_here, second_is_here), meet(second_is_here, first_is_here))));
  }());
}

TEST_P(GatherTest, FailuresAreAmongTheResults) {
  auto results =
      run(gather(list_of(succeed_after(1, 1), fail_after(0, Errc::refused), succeed_after(3, 3))));
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(*results[0], 1);
  EXPECT_EQ(results[1].error(), Errc::refused);
  EXPECT_EQ(*results[2], 3);
}

TEST_P(GatherTest, AnExceptionIsThrownAfterAllHaveEnded) {
  bool other_ended = false;
  EXPECT_THROW(run(gather(
                   []() -> Task<int> {
                     static_cast<void>(co_await yield_now());
                     throw std::runtime_error("one of two");
                   }(),
                   [](bool& ended) -> Task<void> {
                     for (int i = 0; i < 5; ++i) static_cast<void>(co_await yield_now());
                     ended = true;
                   }(other_ended))),
               std::runtime_error);
  EXPECT_TRUE(other_ended);
}

TEST_P(GatherTest, AnExceptionOfATaskWithoutAResultIsThrown) {
  EXPECT_THROW(run(gather(number_after(1, 7),
                          []() -> Task<void> {
                            static_cast<void>(co_await yield_now());
                            throw std::runtime_error("without a result");
                          }())),
               std::runtime_error);
}

TEST_P(GatherTest, TakesTasksOfDifferentTypes) {
  bool done = false;
  auto [number, nothing, text] = run(gather(
      number_after(2, 7),
      [](bool& ran) -> Task<void> {
        ran = true;
        co_return;
      }(done),
      []() -> Task<std::unique_ptr<std::string>> {
        co_return std::make_unique<std::string>("text");
      }()));
  EXPECT_EQ(number, 7);
  EXPECT_EQ(nothing, std::monostate());
  EXPECT_EQ(*text, "text");
  EXPECT_TRUE(done);
}

TEST_P(GatherTest, WaitsForTasksWithoutResults) {
  int ended = 0;
  std::vector<Task<void>> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.push_back([](int& count, int turns) -> Task<void> {
      static_cast<void>(co_await number_after(turns, 0));
      ++count;
    }(ended, i));
  }
  run(gather(std::move(tasks)));
  EXPECT_EQ(ended, 3);
}

class GatherOrFailTest : public DriverTest {};
ON_EVERY_DRIVER(GatherOrFailTest);

TEST_P(GatherOrFailTest, GivesAllValues) {
  auto values = run(gather_or_fail(list_of(succeed_after(3, 1), succeed_after(0, 2))));
  ASSERT_TRUE(values.has_value());
  EXPECT_THAT(*values, ElementsAre(1, 2));
}

TEST_P(GatherOrFailTest, TheFirstFailureCancelsTheRest) {
  int cancelled = 0;
  auto values = run(gather_or_fail(
      list_of(never_end(cancelled), fail_after(2, Errc::reset), never_end(cancelled))));
  ASSERT_FALSE(values.has_value());
  EXPECT_EQ(values.error(), Errc::reset);
  EXPECT_EQ(cancelled, 2);
}

class FirstResultTest : public DriverTest {};
ON_EVERY_DRIVER(FirstResultTest);

TEST_P(FirstResultTest, TheQuickestWinsAndTheOthersAreCancelled) {
  int cancelled = 0;
  auto winner =
      run(first_result(list_of(never_end(cancelled), succeed_after(2, 42), never_end(cancelled))));
  ASSERT_TRUE(winner.has_value());
  EXPECT_EQ(*winner, 42);
  EXPECT_EQ(cancelled, 2);
}

TEST_P(FirstResultTest, AFailureDoesNotWin) {
  auto winner = run(first_result(list_of(fail_after(0, Errc::refused), succeed_after(3, 1))));
  ASSERT_TRUE(winner.has_value());
  EXPECT_EQ(*winner, 1);
}

TEST_P(FirstResultTest, IsTheFirstOfTwoInOneTurn) {
  auto winner = run(first_result(list_of(succeed_after(1, 1), succeed_after(1, 2))));
  EXPECT_EQ(*winner, 1);
}

TEST_P(FirstResultTest, WhenAllFailTheLastFailureIsGiven) {
  auto winner =
      run(first_result(list_of(fail_after(3, Errc::timed_out), fail_after(0, Errc::refused))));
  ASSERT_FALSE(winner.has_value());
  EXPECT_EQ(winner.error(), Errc::timed_out);
}

TEST_P(FirstResultTest, ALoserThatThrowsDoesNotSpoilTheVictory) {
  const auto throw_when_cancelled = []() -> Task<Result<int>> {
    static_cast<void>(co_await sleep(1h));
    throw std::runtime_error("sore loser");
  };
  auto winner = run(first_result(list_of(throw_when_cancelled(), succeed_after(1, 7))));
  ASSERT_TRUE(winner.has_value());
  EXPECT_EQ(*winner, 7);
}

TEST_P(FirstResultTest, AnExceptionBeforeThereIsAWinnerIsThrown) {
  int cancelled = 0;
  const auto throw_soon = []() -> Task<Result<int>> {
    static_cast<void>(co_await yield_now());
    throw std::runtime_error("early");
  };
  EXPECT_THROW(static_cast<void>(run(first_result(list_of(throw_soon(), never_end(cancelled))))),
               std::runtime_error);
  EXPECT_EQ(cancelled, 1);
}

TEST_P(FirstResultTest, IsAnErrorWithoutTasks) {
  auto winner = run(first_result(std::vector<Task<Result<int>>>()));
  EXPECT_EQ(winner.error(), Errc::invalid_argument);
}

Task<Result<int>> sleep_and_give(Duration delay, Result<int> result) {
  if (auto slept = co_await sleep(delay); !slept) co_return fail(std::move(slept).error());
  co_return result;
}

TEST(GatherCutTest, GatherEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point([] {
              return gather(list_of(sleep_and_give(3s, 1), sleep_and_give(1s, 2),
                                    sleep_and_give(2s, fail(Errc::refused))));
            }),
            5u);
}

TEST(GatherCutTest, GatherOrFailEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point([] {
              return gather_or_fail(list_of(sleep_and_give(3s, 1), sleep_and_give(1s, 2),
                                            sleep_and_give(2s, fail(Errc::refused))));
            }),
            5u);
}

TEST(GatherCutTest, FirstResultEndsWhereverItIsCut) {
  EXPECT_GT(
      sim::for_every_cancellation_point([] {
        return first_result(list_of(sleep_and_give(3s, 1), sleep_and_give(1s, fail(Errc::refused)),
                                    sleep_and_give(2s, 3)));
      }),
      5u);
}

}  // namespace
}  // namespace gossamer::async
