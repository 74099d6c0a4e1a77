#include "async/mutex.h"

#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

class MutexTest : public DriverTest {};
ON_EVERY_DRIVER(MutexTest);

struct Account {
  Mutex mutex;
  int balance = 0;
};

// Reads, waits, writes: without the mutex most deposits would be lost.
Task<Result<void>> deposit(Account& account) {
  auto lock = co_await account.mutex.lock();
  if (!lock) co_return fail(std::move(lock).error());
  const int before = account.balance;
  EXPECT_TRUE(account.mutex.locked());
  static_cast<void>(co_await yield_now());
  account.balance = before + 1;
  co_return Result<void>();
}

TEST_P(MutexTest, ExcludesOtherTasks) {
  run([]() -> Task<void> {
    Account account;
    Scope scope;
    for (int i = 0; i < 20; ++i) scope.spawn(deposit(account));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(account.balance, 20);
    EXPECT_FALSE(account.mutex.locked());
  }());
}

TEST_P(MutexTest, TryingNeverWaits) {
  run([]() -> Task<void> {
    Mutex mutex;
    {
      auto lock = mutex.try_lock();
      EXPECT_TRUE(lock.has_value());
      EXPECT_FALSE(mutex.try_lock().has_value());
    }
    EXPECT_FALSE(mutex.locked());
    co_return;
  }());
}

TEST_P(MutexTest, ACancelledWaiterNeverGetsTheLock) {
  run([]() -> Task<void> {
    Account account;
    Scope scope;
    auto lock = account.mutex.try_lock();
    auto unlucky = scope.spawn(deposit(account));
    EXPECT_TRUE((co_await yield_now()).has_value());
    unlucky.cancel();
    EXPECT_EQ((co_await unlucky).error(), Errc::cancelled);
    lock.reset();
    EXPECT_FALSE(account.mutex.locked());
    EXPECT_EQ(account.balance, 0);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

Task<void> deposits() {
  Account account;
  Scope scope;
  for (int i = 0; i < 4; ++i) scope.spawn(deposit(account));
  static_cast<void>(co_await scope.join());
  EXPECT_FALSE(account.mutex.locked());
}

TEST(MutexCutTest, IsFreeAgainWhereverItsUsersAreCut) {
  EXPECT_GT(sim::for_every_cancellation_point(deposits), 5u);
}

}  // namespace
}  // namespace gossamer::async
