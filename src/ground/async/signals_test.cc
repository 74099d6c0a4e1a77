#include "async/signals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <tests/support/driver_test.h>

#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/scope.h"
#include "async/sleep.h"

namespace gossamer::async {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class SignalsTest : public DriverTest {};
ON_REAL_DRIVERS(SignalsTest);

bool is_blocked(int signal) {
  sigset_t mask = {};
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return sigismember(&mask, signal) == 1;
}

TEST_P(SignalsTest, ASignalIsACallbackOnTheLoop) {
  run([](Loop& owner) -> Task<void> {
    std::vector<int> received;
    Event arrived;
    auto watch = SignalWatch::make(owner, {SIGUSR1, SIGUSR2}, [&](int signal) {
      EXPECT_EQ(&Loop::current(), &owner);
      received.push_back(signal);
      if (received.size() == 2) arrived.set();
    });
    EXPECT_TRUE(watch.has_value());
    EXPECT_EQ(raise(SIGUSR1), 0);
    EXPECT_EQ(raise(SIGUSR2), 0);
    EXPECT_TRUE(received.empty()) << "nothing runs in the middle of anything";
    EXPECT_TRUE((co_await arrived.wait()).has_value());
    EXPECT_THAT(received, UnorderedElementsAre(SIGUSR1, SIGUSR2));
  }(loop()));
}

TEST_P(SignalsTest, TheSignalIsBlockedOnlyWhileItIsWatched) {
  EXPECT_FALSE(is_blocked(SIGUSR1));
  {
    auto watch = SignalWatch::make(loop(), {SIGUSR1}, [](int) {});
    ASSERT_TRUE(watch.has_value());
    EXPECT_TRUE(is_blocked(SIGUSR1));
    auto moved = std::move(*watch);
    EXPECT_TRUE(is_blocked(SIGUSR1));
  }
  EXPECT_FALSE(is_blocked(SIGUSR1));
}

TEST_P(SignalsTest, AWatchLeavesNoDescriptor) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  run([](Loop& owner) -> Task<void> {
    EXPECT_TRUE(SignalWatch::make(owner, {SIGUSR1}, [](int) {}));
    co_return;
  }(loop()));
  const auto before = descriptors();
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(SignalWatch::make(loop(), {SIGUSR1}, [](int) {}));
  EXPECT_EQ(descriptors(), before);
}

TEST_P(SignalsTest, ManySignalsInARowAreHeard) {
  run([](Loop& owner) -> Task<void> {
    int heard = 0;
    Event arrived;
    auto watch = SignalWatch::make(owner, {SIGUSR1}, [&](int) {
      ++heard;
      arrived.set();
    });
    for (int i = 1; i <= 5; ++i) {
      EXPECT_EQ(raise(SIGUSR1), 0);
      EXPECT_TRUE((co_await arrived.wait()).has_value());
      arrived.clear();
      EXPECT_EQ(heard, i);
    }
  }(loop()));
}

// The watch is destroyed in the turn in which the signal was reaped: its callback must not run.
TEST_P(SignalsTest, AWatchThatDiesWithASignalUnderWayStaysSilent) {
  run([](Loop& owner) -> Task<void> {
    int heard = 0;
    for (int turns = 0; turns < 5; ++turns) {
      // A signal that is not read would be delivered when it is unblocked.
      EXPECT_NE(signal(SIGUSR1, SIG_IGN), SIG_ERR);
      std::optional<SignalWatch> watch;
      watch.emplace(*SignalWatch::make(owner, {SIGUSR1}, [&](int) { ++heard; }));
      EXPECT_TRUE((co_await yield_now()).has_value());
      EXPECT_EQ(raise(SIGUSR1), 0);
      for (int i = 0; i < turns; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
      watch.reset();
      const int heard_so_far = heard;
      for (int i = 0; i < 100; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
      EXPECT_EQ(heard, heard_so_far);
      EXPECT_NE(signal(SIGUSR1, SIG_DFL), SIG_ERR);
    }
  }(loop()));
}

TEST_P(SignalsTest, SigquitPrintsTheTasksAndContinues) {
  testing::internal::CaptureStderr();
  run([](Loop& owner) -> Task<void> {
    Event never;
    Scope scope;
    scope.spawn([](Event& event) -> Task<void> {
      EXPECT_FALSE((co_await event.wait()).has_value());
    }(never));
    auto watch = dump_tasks_on_sigquit(owner);
    EXPECT_TRUE(watch.has_value());
    EXPECT_EQ(raise(SIGQUIT), 0);
    // Our own watch on the same signal would steal it: let the loop run a few turns.
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE((co_await yield_now()).has_value());
    scope.cancel();
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(loop()));
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_THAT(printed, AllOf(HasSubstr("tasks on "), HasSubstr("ground/async/signals_test.cc:"),
                             HasSubstr("spawned at ")));
}

}  // namespace
}  // namespace gossamer::async
