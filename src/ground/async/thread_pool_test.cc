#include "async/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <tests/support/driver_test.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::async {
namespace {

// Other threads do not work with a virtual clock: real drivers only.
class ThreadPoolTest : public DriverTest {};
ON_REAL_DRIVERS(ThreadPoolTest);

TEST_P(ThreadPoolTest, DoesTheWorkOnAnotherThread) {
  run([]() -> Task<void> {
    ThreadPool pool(2);
    EXPECT_EQ(pool.threads(), 2u);
    const auto here = std::this_thread::get_id();
    auto there = co_await pool.run([] { return std::this_thread::get_id(); });
    EXPECT_NE(*there, here);
    EXPECT_EQ(std::this_thread::get_id(), here) << "and comes back to the loop's";
  }());
}

TEST_P(ThreadPoolTest, TakesNoSignals) {
  run([]() -> Task<void> {
    ThreadPool pool(1);
    const auto is_blocked = co_await pool.run([] {
      sigset_t blocked;
      pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
      return sigismember(&blocked, SIGINT) == 1 && sigismember(&blocked, SIGTERM) == 1;
    });
    EXPECT_TRUE(*is_blocked);
    sigset_t here;
    pthread_sigmask(SIG_SETMASK, nullptr, &here);
    EXPECT_EQ(sigismember(&here, SIGTERM), 0) << "the loop's thread does";
  }());
}

TEST_P(ThreadPoolTest, GivesEveryKindOfResult) {
  run([]() -> Task<void> {
    ThreadPool pool(1);
    EXPECT_EQ(*co_await pool.run([] { return 3; }), 3);
    EXPECT_EQ(**co_await pool.run([] { return std::make_unique<int>(4); }), 4);
    bool called = false;
    EXPECT_TRUE((co_await pool.run([&] { called = true; })).has_value());
    EXPECT_TRUE(called);
    EXPECT_EQ((co_await pool.run([]() -> Result<int> { return fail(Errc::no_space); })).error(),
              Errc::no_space);
    EXPECT_EQ(*co_await pool.run([]() -> Result<int> { return 5; }), 5);
  }());
}

TEST_P(ThreadPoolTest, AnExceptionCrossesBackToTheCoroutine) {
  const std::string caught = run([]() -> Task<std::string> {
    ThreadPool pool(1);
    try {
      static_cast<void>(co_await pool.run([]() -> int { throw std::runtime_error("there"); }));
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  }());
  EXPECT_EQ(caught, "there");
}

// A function that signals its start and then waits to be released.
struct Gate {
  std::binary_semaphore begun{0};
  std::binary_semaphore may_end{0};
  void pass() {
    begun.release();
    may_end.acquire();
  }
};

Task<Result<int>> pass(ThreadPool& pool, Gate& gate, int number) {
  co_return co_await pool.run([&gate, number] {
    gate.pass();
    return number;
  });
}

Task<Result<void>> note(ThreadPool& pool, std::atomic<bool>& called) {
  co_return co_await pool.run([&called] { called = true; });
}

TEST_P(ThreadPoolTest, WorkThatIsStillQueuedIsWithdrawnWhenCancelled) {
  run([]() -> Task<void> {
    ThreadPool pool(1);
    Gate gate;
    std::atomic<bool> called = false;
    Scope scope;
    auto first = scope.spawn(pass(pool, gate, 1));
    EXPECT_TRUE((co_await yield_now()).has_value());
    gate.begun.acquire();
    auto queued = scope.spawn(note(pool, called));
    EXPECT_TRUE((co_await yield_now()).has_value());
    queued.cancel();
    EXPECT_EQ((co_await queued).error(), Errc::cancelled);
    gate.may_end.release();
    EXPECT_EQ(*co_await first, 1);
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_FALSE(called);
  }());
}

TEST_P(ThreadPoolTest, WorkThatHasBegunIsWaitedForAndItsResultKept) {
  run([]() -> Task<void> {
    ThreadPool pool(1);
    Gate gate;
    Scope scope;
    auto running = scope.spawn(pass(pool, gate, 7));
    EXPECT_TRUE((co_await yield_now()).has_value());
    gate.begun.acquire();
    running.cancel();
    for (int i = 0; i < 10; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    EXPECT_FALSE(running.done());
    gate.may_end.release();
    EXPECT_EQ(*co_await running, 7);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ThreadPoolTest, ACancelledTaskStartsNoWork) {
  run([]() -> Task<void> {
    ThreadPool pool(1);
    std::atomic<bool> called = false;
    Scope scope;
    auto task = scope.spawn(note(pool, called));
    task.cancel();
    EXPECT_EQ((co_await task).error(), Errc::cancelled);
    EXPECT_FALSE(called);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }());
}

TEST_P(ThreadPoolTest, ManyJobsOnFewThreadsAllComeBack) {
  run([]() -> Task<void> {
    constexpr int kJobs = 2000;
    ThreadPool pool(4);
    std::atomic<int> done = 0;
    int back = 0;
    Scope scope;
    for (int i = 0; i < kJobs; ++i) {
      scope.spawn([](ThreadPool& workers, std::atomic<int>& count, int& returned) -> Task<void> {
        EXPECT_TRUE((co_await workers.run([&count] { ++count; })).has_value());
        ++returned;
      }(pool, done, back));
    }
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_EQ(done, kJobs);
    EXPECT_EQ(back, kJobs);
  }());
}

TEST_P(ThreadPoolTest, ManyJobsCancelledAtAnyMomentAllEnd) {
  run([]() -> Task<void> {
    ThreadPool pool(3);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> done = 0;
      int kept = 0;
      Scope scope;
      for (int i = 0; i < 20; ++i) {
        scope.spawn([](ThreadPool& workers, std::atomic<int>& count, int& results) -> Task<void> {
          if (co_await workers.run([&count] { ++count; })) ++results;
        }(pool, done, kept));
      }
      for (int i = 0; i < round % 7; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
      scope.cancel();
      EXPECT_TRUE((co_await scope.join()).has_value());
      EXPECT_EQ(done, kept) << "what ran has a result, what was withdrawn has not run";
    }
  }());
}

class NoThreadsTest : public DriverTest {};
ON_EVERY_DRIVER(NoThreadsTest);

TEST_P(NoThreadsTest, WithoutThreadsTheLoopDoesTheWork) {
  run([]() -> Task<void> {
    ThreadPool pool(0);
    EXPECT_EQ(pool.threads(), 0u);
    EXPECT_EQ(*co_await pool.run([] { return std::this_thread::get_id(); }),
              std::this_thread::get_id());
    bool thrown = false;
    try {
      static_cast<void>(co_await pool.run([] { throw std::runtime_error("here"); }));
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
  }());
}

Task<void> work_between_waits() {
  ThreadPool pool(0);
  Scope scope;
  for (int i = 0; i < 3; ++i) {
    scope.spawn([](ThreadPool& workers) -> Task<void> {
      if (!co_await workers.run([] {})) co_return;
      static_cast<void>(co_await sleep(1s));
      static_cast<void>(co_await workers.run([] { return 1; }));
    }(pool));
  }
  static_cast<void>(co_await scope.join());
}

TEST(ThreadPoolCutTest, WorkOnTheLoopEndsWhereverItIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(work_between_waits), 5u);
}

}  // namespace
}  // namespace gossamer::async
