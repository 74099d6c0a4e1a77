#include "async/cleanup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

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

using Log = std::vector<std::string>;

class CleanupTest : public DriverTest {};
ON_EVERY_DRIVER(CleanupTest);

Task<void> say_goodbye(Log& log) {
  auto waited = co_await yield_now();
  log.emplace_back(waited ? "goodbye" : "goodbye, but was not let wait");
}

Task<Result<int>> work(Log& log, Result<int> result) {
  log.emplace_back("works");
  static_cast<void>(co_await yield_now());
  co_return result;
}

TEST_P(CleanupTest, ComesAfterABodyThatSucceeds) {
  Log log;
  EXPECT_EQ(*run(with_cleanup(work(log, 1), say_goodbye(log))), 1);
  EXPECT_THAT(log, ElementsAre("works", "goodbye"));
}

TEST_P(CleanupTest, ComesAfterABodyThatFails) {
  Log log;
  EXPECT_EQ(run(with_cleanup(work(log, fail(Errc::reset)), say_goodbye(log))).error(), Errc::reset);
  EXPECT_THAT(log, ElementsAre("works", "goodbye"));
}

TEST_P(CleanupTest, ComesAfterABodyThatThrows) {
  Log log;
  EXPECT_THROW(run(with_cleanup(
                   [](Log& notes) -> Task<void> {
                     notes.emplace_back("throws");
                     static_cast<void>(co_await yield_now());
                     throw std::runtime_error("body");
                   }(log),
                   say_goodbye(log))),
               std::runtime_error);
  EXPECT_THAT(log, ElementsAre("throws", "goodbye"));
}

TEST_P(CleanupTest, ComesAfterABodyThatIsCancelledAndMayStillWait) {
  Log log;
  run([](Log& notes) -> Task<void> {
    Scope scope;
    auto task = scope.spawn(with_cleanup(
        [](Log& body_notes) -> Task<Result<void>> {
          body_notes.emplace_back("waits");
          co_return co_await sleep(1h);
        }(notes),
        say_goodbye(notes)));
    EXPECT_TRUE((co_await yield_now()).has_value());
    task.cancel();
    EXPECT_EQ((co_await task).error(), Errc::cancelled);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(log));
  EXPECT_THAT(log, ElementsAre("waits", "goodbye"));
}

TEST_P(CleanupTest, ComesEvenIfTheTaskWasCancelledBeforeItStarted) {
  Log log;
  run([](Log& notes) -> Task<void> {
    Scope scope;
    auto task = scope.spawn(with_cleanup(work(notes, 1), say_goodbye(notes)));
    task.cancel();
    EXPECT_EQ(*co_await task, 1);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(log));
  EXPECT_THAT(log, ElementsAre("works", "goodbye"));
}

TEST_P(CleanupTest, AnExceptionOfTheCleanUpIsNotLost) {
  Log log;
  const auto breaks = []() -> Task<void> {
    static_cast<void>(co_await yield_now());
    throw std::runtime_error("clean-up");
  };
  EXPECT_THROW(static_cast<void>(run(with_cleanup(work(log, 1), breaks()))), std::runtime_error);
}

TEST_P(CleanupTest, CleanUpsNestFromTheInsideOut) {
  Log log;
  const auto note = [](Log& notes, const char* text) -> Task<void> {
    notes.emplace_back(text);
    co_return;
  };
  EXPECT_EQ(*run(with_cleanup(with_cleanup(work(log, 1), note(log, "inner")), note(log, "outer"))),
            1);
  EXPECT_THAT(log, ElementsAre("works", "inner", "outer"));
}

TEST_P(CleanupTest, SettledHandsOverAnExceptionAsAValue) {
  run([]() -> Task<void> {
    auto outcome = co_await settled([]() -> Task<int> {
      static_cast<void>(co_await yield_now());
      throw std::runtime_error("kept");
    }());
    EXPECT_NE(outcome.exception(), nullptr);
    auto fine = co_await settled([]() -> Task<int> { co_return 3; }());
    EXPECT_EQ(fine.take(), 3);
  }());
}

// Opens something, uses it, and closes it with a wait. It must be closed at the end in every case.
struct Door {
  bool open = false;
};

Task<Result<void>> through_the_door(Door& door) {
  door.open = true;
  if (auto slept = co_await sleep(1s); !slept) co_return slept;
  co_return co_await sleep(1s);
}

Task<void> close_slowly(Door& door) {
  EXPECT_TRUE((co_await sleep(1s)).has_value());
  EXPECT_TRUE((co_await sleep(1s)).has_value());
  door.open = false;
}

Task<void> in_and_out() {
  Door door;
  static_cast<void>(co_await with_cleanup(through_the_door(door), close_slowly(door)));
  EXPECT_FALSE(door.open);
}

TEST(CleanupCutTest, TheDoorIsClosedWhereverTheVisitIsCut) {
  EXPECT_GT(sim::for_every_cancellation_point(in_and_out), 4u);
}

}  // namespace
}  // namespace gossamer::async
