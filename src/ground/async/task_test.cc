#include "async/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/frame_pool.h"
#include "async/sleep.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class TaskTest : public DriverTest {};
ON_EVERY_DRIVER(TaskTest);

Task<int> answer() { co_return 42; }

Task<int> answer_later() {
  EXPECT_TRUE((co_await yield_now()).has_value());
  co_return 42;
}

Task<int> throws(const char* what) {
  EXPECT_TRUE((co_await yield_now()).has_value());
  throw std::runtime_error(what);
}

Task<void> marks(bool& started) {
  started = true;
  co_return;
}

TEST_P(TaskTest, GivesItsValueToWhoAwaitsIt) {
  EXPECT_EQ(run([]() -> Task<int> { co_return co_await answer() + co_await answer_later(); }()),
            84);
}

TEST_P(TaskTest, DoesNothingUntilItIsAwaited) {
  const bool started = run([]() -> Task<bool> {
    bool seen = false;
    Task<void> task = marks(seen);
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(seen);
    co_await std::move(task);
    co_return seen;
  }());
  EXPECT_TRUE(started);
}

TEST_P(TaskTest, OneThatNeverStartedMayBeDropped) {
  bool started = false;
  {
    const Task<void> dropped = marks(started);
    EXPECT_FALSE(dropped.done());
  }
  EXPECT_FALSE(started);
}

TEST_P(TaskTest, AnExceptionIsThrownAtTheAwait) {
  const std::string caught = run([]() -> Task<std::string> {
    try {
      co_return std::to_string(co_await throws("the page is gone"));
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
  }());
  EXPECT_EQ(caught, "the page is gone");
}

TEST_P(TaskTest, AnExceptionOfTheRootIsThrownByRun) {
  EXPECT_THROW(run(throws("out")), std::runtime_error);
}

TEST_P(TaskTest, CarriesWhatCanOnlyBeMoved) {
  auto value = run([]() -> Task<std::unique_ptr<int>> {
    std::unique_ptr<int> inner =
        co_await []() -> Task<std::unique_ptr<int>> { co_return std::make_unique<int>(5); }();
    ++*inner;
    co_return inner;
  }());
  EXPECT_EQ(*value, 6);
}

TEST_P(TaskTest, CarriesAFailureAsAValue) {
  const Result<int> result =
      run([]() -> Task<Result<int>> { co_return fail(Errc::over_limit, "body"); }());
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error(), Errc::over_limit);
}

TEST_P(TaskTest, MovingATaskMovesTheDutyToRunIt) {
  EXPECT_EQ(run([]() -> Task<int> {
              Task<int> first = answer();
              Task<int> second = std::move(first);
              first = answer_later();
              co_return co_await std::move(second) + co_await std::move(first);
            }()),
            84);
}

struct Witness {
  Witness(std::vector<std::string>& log, std::string name) : log(log), name(std::move(name)) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() { log.push_back("~" + name); }
  std::vector<std::string>& log;
  std::string name;
};

TEST_P(TaskTest, LocalsAreDestroyedBeforeTheCallerContinues) {
  std::vector<std::string> log;
  run([](std::vector<std::string>& events) -> Task<void> {
    const Witness outer(events, "outer");
    co_await [](std::vector<std::string>& inner_events) -> Task<void> {
      const Witness first(inner_events, "first");
      const Witness second(inner_events, "second");
      EXPECT_TRUE((co_await yield_now()).has_value());
      inner_events.push_back("returns");
    }(events);
    events.push_back("continues");
  }(log));
  EXPECT_THAT(log, ElementsAre("returns", "~second", "~first", "continues", "~outer"));
}

TEST_P(TaskTest, TemporariesLiveUntilTheAwaitIsOver) {
  std::vector<std::string> log;
  run([](std::vector<std::string>& events) -> Task<void> {
    // BORROWS: the witness, a temporary of the awaiting expression.
    const auto use = [](const Witness& witness) -> Task<void> {
      EXPECT_TRUE((co_await yield_now()).has_value());
      witness.log.push_back("used " + witness.name);
    };
    co_await use(Witness(events, "temporary"));
    events.push_back("after");
  }(log));
  EXPECT_THAT(log, ElementsAre("used temporary", "~temporary", "after"));
}

TEST_P(TaskTest, ConditionsMayAwait) {
  EXPECT_EQ(run([]() -> Task<int> {
              int sum = 0;
              for (int i = 0; i < co_await answer(); ++i) sum += i % 2 == 0 ? co_await answer() : 0;
              if (co_await answer_later() == 42) sum += 1;
              co_return sum;
            }()),
            21 * 42 + 1);
}

TEST_P(TaskTest, EveryFrameIsGoneWhenItsTaskHasEnded) {
  const std::int64_t before = FramePool::live();
  run([]() -> Task<void> {
    const std::int64_t alone = FramePool::live();
    for (int i = 0; i < 10; ++i) static_cast<void>(co_await answer_later());
    EXPECT_EQ(FramePool::live(), alone);
  }());
  EXPECT_EQ(FramePool::live(), before);
}

}  // namespace
}  // namespace gossamer::async
