#include "async/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

using Log = std::vector<std::string>;

class GeneratorTest : public DriverTest {};
ON_EVERY_DRIVER(GeneratorTest);

AsyncGenerator<int> count_to(int last) {
  for (int i = 1; i <= last; ++i) {
    static_cast<void>(co_await yield_now());
    co_yield i;
  }
}

Task<std::vector<int>> collect(AsyncGenerator<int> generator) {
  std::vector<int> values;
  while (auto value = co_await generator.next()) values.push_back(*value);
  co_return values;
}

TEST_P(GeneratorTest, GivesItsValuesAndThenNothing) {
  EXPECT_THAT(run(collect(count_to(4))), ElementsAre(1, 2, 3, 4));
  EXPECT_TRUE(run(collect(count_to(0))).empty());
}

TEST_P(GeneratorTest, AfterTheEndThereIsNothingAgain) {
  run([]() -> Task<void> {
    auto generator = count_to(1);
    EXPECT_EQ(co_await generator.next(), 1);
    EXPECT_EQ(co_await generator.next(), std::nullopt);
    EXPECT_EQ(co_await generator.next(), std::nullopt);
  }());
}

// co_yield returns the sent value: each reply is used for the next value.
AsyncGenerator<int, int> square_and_double(int seed) {
  int value = seed;
  for (;;) {
    const int sent = co_yield value;
    static_cast<void>(co_await yield_now());
    value = 2 * sent * sent;
  }
}

TEST_P(GeneratorTest, YieldReturnsWhatTheConsumerSends) {
  const auto values = run([]() -> Task<std::vector<int>> {
    std::vector<int> received;
    auto generator = square_and_double(2);
    std::optional<int> value = co_await generator.next();
    while (received.size() < 4) {
      received.push_back(*value);
      if (received.size() == 4) break;
      value = co_await generator.send(*value);
    }
    co_return received;
  }());
  EXPECT_THAT(values, ElementsAre(2, 8, 128, 32768));
}

TEST_P(GeneratorTest, NextSendsADefaultMadeValue) {
  run([]() -> Task<void> {
    auto generator = square_and_double(3);
    EXPECT_EQ(co_await generator.next(), 3);
    EXPECT_EQ(co_await generator.next(), 0);
    EXPECT_EQ(co_await generator.send(5), 50);
  }());
}

AsyncGenerator<std::unique_ptr<int>, std::unique_ptr<std::string>> lengths() {
  std::size_t length = 0;
  for (;;) {
    const auto text = co_yield std::make_unique<int>(static_cast<int>(length));
    if (text == nullptr) co_return;
    length = text->size();
  }
}

TEST_P(GeneratorTest, BothWaysMayCarryWhatCanOnlyBeMoved) {
  run([]() -> Task<void> {
    auto generator = lengths();
    EXPECT_EQ(**co_await generator.next(), 0);
    EXPECT_EQ(**co_await generator.send(std::make_unique<std::string>("four")), 4);
    EXPECT_FALSE((co_await generator.next()).has_value());
  }());
}

struct Lock {
  Lock(Log& log, std::string name) : log(log), name(std::move(name)) {
    this->log.push_back("take " + this->name);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { log.push_back("release " + name); }
  Log& log;
  std::string name;
};

AsyncGenerator<int> under_lock(Log& log) {
  const Lock lock(log, "lock");
  for (int i = 0;; ++i) {
    const Lock inner(log, "inner");
    co_yield i;
  }
}

TEST_P(GeneratorTest, OneThatIsDroppedEarlyCleansUp) {
  Log log;
  run([](Log& notes) -> Task<void> {
    auto generator = under_lock(notes);
    EXPECT_EQ(co_await generator.next(), 0);
    notes.emplace_back("enough");
  }(log));
  EXPECT_THAT(log,
              ElementsAre("take lock", "take inner", "enough", "release inner", "release lock"));
}

TEST_P(GeneratorTest, DoesNothingWithoutNext) {
  Log log;
  {
    auto generator = under_lock(log);
    auto moved = std::move(generator);
  }
  EXPECT_TRUE(log.empty());
}

AsyncGenerator<int> breaks_after(int count) {
  for (int i = 0; i < count; ++i) co_yield i;
  static_cast<void>(co_await yield_now());
  throw std::runtime_error("broken");
}

TEST_P(GeneratorTest, ThrowsItsExceptionAtTheNextAndIsOverThen) {
  run([]() -> Task<void> {
    auto generator = breaks_after(1);
    EXPECT_EQ(co_await generator.next(), 0);
    bool thrown = false;
    try {
      static_cast<void>(co_await generator.next());
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    EXPECT_EQ(co_await generator.next(), std::nullopt);
  }());
}

AsyncGenerator<int> doubled(AsyncGenerator<int> source) {
  while (auto value = co_await source.next()) co_yield 2 * *value;
}

TEST_P(GeneratorTest, GeneratorsFormAPipeline) {
  EXPECT_THAT(run(collect(doubled(doubled(count_to(3))))), ElementsAre(4, 8, 12));
}

Task<int> plus_one(int value) {
  static_cast<void>(co_await yield_now());
  co_return value + 1;
}

AsyncGenerator<int> awaits_tasks() {
  for (int i = 0; i < 3; ++i) co_yield co_await plus_one(i);
}

TEST_P(GeneratorTest, MayAwaitTasks) {
  EXPECT_THAT(run(collect(awaits_tasks())), ElementsAre(1, 2, 3));
}

TEST_P(GeneratorTest, RunsOnlyDuringNext) {
  Log log;
  run([](Log& notes) -> Task<void> {
    struct Producer {
      static AsyncGenerator<int> produce(Log& made) {
        for (int i = 0; i < 2; ++i) {
          made.push_back("make " + std::to_string(i));
          co_yield i;
        }
      }
    };
    auto generator = Producer::produce(notes);
    while (auto value = co_await generator.next()) {
      notes.push_back("use " + std::to_string(*value));
      static_cast<void>(co_await yield_now());
    }
  }(log));
  EXPECT_THAT(log, ElementsAre("make 0", "use 0", "make 1", "use 1"));
}

AsyncGenerator<int> ticks(Duration pause) {
  for (int i = 0;; ++i) {
    if (!co_await sleep(pause)) co_return;
    co_yield i;
  }
}

Task<Result<int>> first_of(AsyncGenerator<int>& generator) {
  auto value = co_await generator.next();
  if (!value) co_return fail(Errc::cancelled);
  co_return *value;
}

TEST_P(GeneratorTest, ATimeoutAroundNextReachesTheWaitInside) {
  run([]() -> Task<void> {
    auto generator = ticks(1h);
    auto result = co_await with_timeout(1ms, first_of(generator));
    EXPECT_EQ(result.error(), Errc::timed_out);
  }());
}

TEST_P(GeneratorTest, MayBeContinuedUnderAnotherTimeoutThanItBeganUnder) {
  run([]() -> Task<void> {
    auto generator = ticks(Duration(1));
    EXPECT_EQ(*co_await with_timeout(1h, first_of(generator)), 0);
    EXPECT_EQ(*co_await with_timeout(1h, first_of(generator)), 1);
    EXPECT_EQ(co_await generator.next(), 2);
  }());
}

TEST_P(GeneratorTest, MayMoveFromTaskToTask) {
  run([]() -> Task<void> {
    auto generator = count_to(3);
    EXPECT_EQ(co_await generator.next(), 1);
    Scope scope;
    auto rest = scope.spawn(collect(std::move(generator)));
    EXPECT_THAT(co_await rest, ElementsAre(2, 3));
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

AsyncGenerator<int> slow_numbers(int count) {
  for (int i = 0; i < count; ++i) {
    if (!co_await sleep(1s)) co_return;
    co_yield i;
  }
}

Task<void> pipeline() {
  Scope scope;
  for (int i = 0; i < 2; ++i) {
    scope.spawn([]() -> Task<void> {
      auto generator = doubled(doubled(slow_numbers(3)));
      while (auto value = co_await generator.next()) static_cast<void>(co_await yield_now());
    }());
  }
  static_cast<void>(co_await scope.join());
}

TEST(GeneratorCutTest, APipelineEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(pipeline), 10u);
}

TEST(GeneratorDeathTest, MisuseIsABug) {
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    auto generator = square_and_double(1);
    static_cast<void>(co_await generator.send(1));
  }()),
               "send\\(\\) to a generator that has not yielded yet");
  EXPECT_DEATH(sim::World::calm().run([]() -> Task<void> {
    auto generator = ticks(1s);
    Scope scope;
    scope.spawn(first_of(generator));
    scope.spawn(first_of(generator));
    static_cast<void>(co_await scope.join());
  }()),
               "two consumers await one generator");
}

}  // namespace
}  // namespace gossamer::async
