#include "captures/work_limit.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <thread>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::captures {
namespace {

// Works until it is told to end.
int work_until_over(const WorkLimit& limit) {
  int rounds = 1;
  while (!limit.is_over()) {
    rounds = 2;
    std::this_thread::yield();
  }
  return rounds;
}

TEST(WorkLimit, ReturnsTheResultOfTheWork) {
  async::ThreadPool threads(1);
  async::Loop loop;
  const auto result = loop.run(
      run_limited<bool>(threads, 1h, [](const WorkLimit& limit) { return limit.is_over(); }));
  ASSERT_TRUE(result);
  EXPECT_FALSE(*result);
}

TEST(WorkLimit, EndsWorkThatTakesTooLong) {
  async::ThreadPool threads(1);
  async::Loop loop;
  const auto work = [&] { return loop.run(run_limited<int>(threads, 10ms, work_until_over)); };
  auto result = work();
  // On a busy machine the time may be over before the work begins.
  while (!result && result.error() == Errc::timed_out) result = work();
  ASSERT_TRUE(result);
  EXPECT_GE(*result, 1);
}

// BORROWS: the threads.
async::Task<Result<int>> work_for(async::ThreadPool& threads, Duration patience) {
  co_return co_await async::with_timeout(patience, run_limited<int>(threads, 1h, work_until_over));
}

// BORROWS: both.
async::Task<bool> run_behind_other_work(async::ThreadPool& threads, std::atomic<bool>& has_begun) {
  std::atomic<bool> is_busy = false;
  std::atomic<bool> may_end = false;
  async::Scope scope(async::OnFailure::keep_going);
  auto other = scope.spawn(run_limited<bool>(threads, 1h, [&](const WorkLimit&) {
    is_busy = true;
    while (!may_end) std::this_thread::yield();
    return true;
  }));
  while (!is_busy) static_cast<void>(co_await async::yield_now());
  const auto late = co_await run_limited<bool>(threads, 10ms, [&](const WorkLimit&) {
    has_begun = true;
    return true;
  });
  may_end = true;
  static_cast<void>(co_await scope.join());
  co_return !late && late.error() == Errc::timed_out && other.take().has_value();
}

// The time counts from the request.
TEST(WorkLimit, WorkThatWaitsTooLongForAThreadNeverBegins) {
  async::ThreadPool threads(1);
  async::Loop loop;
  std::atomic<bool> has_begun = false;
  EXPECT_TRUE(loop.run(run_behind_other_work(threads, has_begun)));
  EXPECT_FALSE(has_begun);
}

TEST(WorkLimit, EndsWorkThatNobodyWaitsForAnyMore) {
  async::ThreadPool threads(1);
  async::Loop loop;
  const auto result = loop.run(work_for(threads, 10ms));
  EXPECT_FALSE(result && *result == 0);
  EXPECT_FALSE(WorkLimit::none().is_over());
}

// Returns the time that it took. BORROWS: the threads.
async::Task<Duration> throw_in(async::ThreadPool& threads) {
  const Instant begin = async::Loop::current().now();
  try {
    static_cast<void>(co_await run_limited<int>(
        threads, 1h, [](const WorkLimit&) -> int { throw std::bad_alloc(); }));
  } catch (const std::bad_alloc&) {
    co_return async::Loop::current().now() - begin;
  }
  co_return 1h;
}

TEST(WorkLimit, EndsAtOnceWhenTheWorkThrows) {
  auto world = sim::World::calm();
  async::ThreadPool threads(0);
  EXPECT_LT(world.run(throw_in(threads)), 1s);
}

}  // namespace
}  // namespace gossamer::captures
