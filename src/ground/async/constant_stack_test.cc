// A coroutine program must not use up the machine stack, however long its loops and however deep
// its awaits, also in unoptimised and sanitized builds.

#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <cstdint>
#include <stdexcept>

#include "async/generator.h"
#include "async/queue.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "async/timeout.h"

namespace gossamer::async {
namespace {

constexpr int kInARow = 1'000'000;
constexpr int kDeep = 100'000;

Task<int> one() { co_return 1; }

// The distance between the deepest and the highest stack address seen so far.
class StackGauge {
 public:
  [[gnu::noinline]] void look() {
    // Not the address of a local, because AddressSanitizer moves those elsewhere.
    const auto at = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (lowest_ == 0 || at < lowest_) lowest_ = at;
    if (at > highest_) highest_ = at;
  }
  std::uintptr_t spread() const { return highest_ - lowest_; }

 private:
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

class ConstantStackTest : public DriverTest {};
INSTANTIATE_TEST_SUITE_P(On, ConstantStackTest, testing::Values(TestedDriver::sim),
                         tested_driver_name);

TEST_P(ConstantStackTest, AMillionTasksThatEndImmediatelyAreAwaitedInARow) {
  EXPECT_EQ(run([]() -> Task<int> {
              int sum = 0;
              for (int i = 0; i < kInARow; ++i) sum += co_await one();
              co_return sum;
            }()),
            kInARow);
}

TEST_P(ConstantStackTest, AMillionThatAreReadyImmediatelyAreAwaitedInARow) {
  EXPECT_EQ(run([]() -> Task<int> {
              Queue<int> queue(1);
              int sum = 0;
              for (int i = 0; i < kInARow; ++i) {
                EXPECT_TRUE((co_await queue.push(1)).has_value());
                sum += **(co_await queue.pop());
              }
              co_return sum;
            }()),
            kInARow);
}

AsyncGenerator<int> numbers(int count) {
  for (int i = 0; i < count; ++i) co_yield i;
}

TEST_P(ConstantStackTest, AMillionValuesAreGenerated) {
  EXPECT_EQ(run([]() -> Task<int> {
              auto generator = numbers(kInARow);
              int count = 0;
              while (co_await generator.next()) ++count;
              co_return count;
            }()),
            kInARow);
}

enum class Bottom : std::uint8_t { returns, waits, throws };

Task<int> descend(int left, Bottom bottom, StackGauge& gauge) {
  gauge.look();
  if (left == 0) {
    if (bottom == Bottom::waits) EXPECT_TRUE((co_await sleep(1s)).has_value());
    if (bottom == Bottom::throws) throw std::runtime_error("from the bottom");
    co_return 0;
  }
  const int below = co_await descend(left - 1, bottom, gauge);
  gauge.look();
  co_return below + 1;
}

TEST_P(ConstantStackTest, AwaitsAHundredThousandDeepReturn) {
  StackGauge gauge;
  EXPECT_EQ(run(descend(kDeep, Bottom::returns, gauge)), kDeep);
  EXPECT_LT(gauge.spread(), 4096u);
}

TEST_P(ConstantStackTest, AwaitsAHundredThousandDeepWaitAtTheBottom) {
  StackGauge gauge;
  EXPECT_EQ(run(descend(kDeep, Bottom::waits, gauge)), kDeep);
  EXPECT_LT(gauge.spread(), 4096u);
}

TEST_P(ConstantStackTest, AnExceptionRisesThroughAHundredThousandFrames) {
  // A throw costs microseconds per frame, more in a sanitized build.
  constexpr int kFrames = kSanitized ? kDeep / 10 : kDeep;
  StackGauge gauge;
  EXPECT_THROW(run(descend(kFrames, Bottom::throws, gauge)), std::runtime_error);
  EXPECT_LT(gauge.spread(), 4096u);
}

Task<Result<void>> descend_and_sleep(int left) {
  if (left == 0) co_return co_await sleep(1h);
  co_return co_await descend_and_sleep(left - 1);
}

TEST_P(ConstantStackTest, ATimeoutReachesTheBottomOfAHundredThousandFrames) {
  const Result<void> result = run([]() -> Task<Result<void>> {
    co_return co_await with_timeout(1s, descend_and_sleep(kDeep));
  }());
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error(), Errc::timed_out);
}

TEST_P(ConstantStackTest, AMillionTasksSleepConcurrently) {
  constexpr int kTasks = kSanitized ? 100'000 : 1'000'000;
  const int woken = run([]() -> Task<int> {
    int count = 0;
    Scope scope;
    for (int i = 0; i < kTasks; ++i) {
      scope.spawn([](int number, int& awake) -> Task<void> {
        if (co_await sleep(Duration(number % 1000))) ++awake;
      }(i, count));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return count;
  }());
  EXPECT_EQ(woken, kTasks);
}

TEST_P(ConstantStackTest, AMillionSleepingTasksAreCancelledTogether) {
  constexpr int kTasks = kSanitized ? 100'000 : 1'000'000;
  const int cancelled = run([]() -> Task<int> {
    int count = 0;
    Scope scope;
    for (int i = 0; i < kTasks; ++i) {
      scope.spawn([](int& stopped) -> Task<void> {
        if (!co_await sleep(1h)) ++stopped;
      }(count));
    }
    EXPECT_TRUE((co_await sleep(1s)).has_value());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
    co_return count;
  }());
  EXPECT_EQ(cancelled, kTasks);
}

}  // namespace
}  // namespace gossamer::async
