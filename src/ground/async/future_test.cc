#include "async/future.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

using testing::ElementsAre;

class FutureTest : public DriverTest {};
ON_EVERY_DRIVER(FutureTest);

template <class T>
Task<Result<T>> await(Future<T> future) {
  co_return co_await future;
}

template <class T>
Task<Result<T>> await_shared(SharedFuture<T> future) {
  co_return co_await future;
}

TEST_P(FutureTest, GivesTheValueThatWasPromised) {
  run([]() -> Task<void> {
    Promise<std::string> promise;
    Scope scope;
    auto waiter = scope.spawn(await(promise.future()));
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(waiter.done());
    promise.resolve("kept");
    auto result = co_await waiter;
    EXPECT_EQ(*result, "kept");
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(FutureTest, IsGivenImmediatelyIfItIsResolved) {
  run([]() -> Task<void> {
    Promise<std::unique_ptr<int>> promise;
    auto future = promise.future();
    EXPECT_FALSE(future.resolved());
    promise.resolve(std::make_unique<int>(4));
    EXPECT_TRUE(future.resolved());
    auto result = co_await future;
    EXPECT_EQ(**result, 4);
  }());
}

TEST_P(FutureTest, CanBeVoid) {
  run([]() -> Task<void> {
    Promise<void> promise;
    Scope scope;
    auto waiter = scope.spawn(await(promise.future()));
    EXPECT_TRUE((co_await yield_now()).has_value());
    promise.resolve();
    EXPECT_TRUE((co_await waiter).has_value());
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(FutureTest, ARejectedPromiseGivesTheError) {
  run([]() -> Task<void> {
    Promise<int> promise;
    promise.reject(Error(Errc::dns_failed, "example.test"));
    auto result = co_await promise.future();
    EXPECT_EQ(result.error(), Errc::dns_failed);
    EXPECT_EQ(result.error().detail(), "example.test");
  }());
}

TEST_P(FutureTest, AnExceptionIsThrownAtTheAwait) {
  const bool thrown = run([]() -> Task<bool> {
    Promise<int> promise;
    promise.reject(std::make_exception_ptr(std::runtime_error("broken")));
    try {
      static_cast<void>(co_await promise.future());
    } catch (const std::runtime_error&) {
      co_return true;
    }
    co_return false;
  }());
  EXPECT_TRUE(thrown);
}

TEST_P(FutureTest, APromiseThatDiesUnkeptClosesItsFuture) {
  run([]() -> Task<void> {
    Scope scope;
    JoinHandle<Result<int>> waiter;
    {
      Promise<int> promise;
      waiter = scope.spawn(await(promise.future()));
      EXPECT_TRUE((co_await yield_now()).has_value());
    }
    EXPECT_EQ((co_await waiter).error(), Errc::closed);
    EXPECT_FALSE((co_await scope.join()).has_value());
  }());
}

TEST_P(FutureTest, AnOverwrittenPromiseClosesItsFuture) {
  run([]() -> Task<void> {
    Promise<int> promise;
    auto first = promise.future();
    promise = Promise<int>();
    auto second = promise.future();
    promise.resolve(2);
    EXPECT_EQ((co_await first).error(), Errc::closed);
    EXPECT_EQ(*co_await second, 2);
  }());
}

TEST_P(FutureTest, AMovedPromiseKeepsItsWord) {
  run([]() -> Task<void> {
    Promise<int> first;
    auto future = first.future();
    Promise<int> second = std::move(first);
    EXPECT_FALSE(future.resolved());
    second.resolve(5);
    EXPECT_EQ(*co_await future, 5);
  }());
}

TEST_P(FutureTest, ASharedOneGivesEveryWaiterACopyInTheOrderTheyCame) {
  run([]() -> Task<void> {
    Promise<std::string> promise;
    Scope scope;
    std::vector<JoinHandle<Result<std::string>>> waiters;
    for (int i = 0; i < 3; ++i)
      waiters.push_back(scope.spawn(await_shared(promise.shared_future())));
    EXPECT_TRUE((co_await yield_now()).has_value());
    promise.resolve(std::string("robots.txt"));
    EXPECT_TRUE((co_await scope.join()).has_value());
    for (auto& waiter : waiters) EXPECT_EQ(*waiter.take(), "robots.txt");
    auto late = promise.shared_future();
    EXPECT_EQ(*co_await late, "robots.txt");
    EXPECT_EQ(*co_await late, "robots.txt") << "as often as one likes";
  }());
}

TEST_P(FutureTest, ASharedErrorIsCopiedWithItsText) {
  run([]() -> Task<void> {
    Promise<int> promise;
    promise.reject(Error(Errc::refused, "no"));
    const auto shared = promise.shared_future();
    for (int i = 0; i < 2; ++i) {
      auto result = co_await shared;
      EXPECT_EQ(result.error(), Errc::refused);
      EXPECT_EQ(result.error().detail(), "no");
    }
  }());
}

TEST_P(FutureTest, CallbacksRunOnTheLoopWhenItIsResolved) {
  run([]() -> Task<void> {
    std::vector<int> calls;
    Promise<int> promise;
    auto future = promise.future();
    future.on_done([&] { calls.push_back(1); });
    future.on_done([&] { calls.push_back(2); });
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_TRUE(calls.empty());
    promise.resolve(0);
    EXPECT_TRUE(calls.empty()) << "not inside resolve()";
    EXPECT_TRUE((co_await yield_now()).has_value());
    future.on_done([&] { calls.push_back(3); });
    EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_THAT(calls, ElementsAre(1, 2, 3));
  }());
}

TEST_P(FutureTest, ACancelledWaiterLeavesTheOthersWaiting) {
  run([]() -> Task<void> {
    Promise<int> promise;
    Scope scope;
    auto first = scope.spawn(await_shared(promise.shared_future()));
    auto second = scope.spawn(await_shared(promise.shared_future()));
    EXPECT_TRUE((co_await yield_now()).has_value());
    first.cancel();
    EXPECT_EQ((co_await first).error(), Errc::cancelled);
    promise.resolve(8);
    EXPECT_EQ(*co_await second, 8);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(FutureTest, AWaiterMayOutliveThePromise) {
  run([]() -> Task<void> {
    auto promise = std::make_unique<Promise<int>>();
    Scope scope;
    auto waiter = scope.spawn(await(promise->future()));
    EXPECT_TRUE((co_await yield_now()).has_value());
    promise->resolve(1);
    promise.reset();
    EXPECT_EQ(*co_await waiter, 1);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

Task<void> one_promises_and_three_wait() {
  Scope scope(OnFailure::keep_going);
  {
    Promise<std::string> promise;
    for (int i = 0; i < 3; ++i) scope.spawn(await_shared(promise.shared_future()));
    if (co_await sleep(1s)) promise.resolve(std::string("in time"));
  }
  static_cast<void>(co_await scope.join());
}

TEST(FutureCutTest, WaitersEndWhereverTheyAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(one_promises_and_three_wait), 5u);
}

TEST(FutureDeathTest, APromiseKeptTwiceIsABug) {
  EXPECT_DEATH(
      {
        Promise<int> promise;
        promise.resolve(1);
        promise.resolve(2);
      },
      "a promise is kept twice");
}

TEST(FutureDeathTest, APromiseHasOneFuture) {
  EXPECT_DEATH(
      {
        Promise<int> promise;
        auto first = promise.future();
        auto second = promise.future();
      },
      "a promise has one future");
}

}  // namespace
}  // namespace gossamer::async
