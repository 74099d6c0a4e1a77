#include "async/lean.h"

#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <stdexcept>
#include <string>

#include "async/routine.h"
#include "async/sleep.h"

namespace gossamer::async {
namespace {

class LeanTest : public DriverTest {};
ON_EVERY_DRIVER(LeanTest);

Task<int> lean_answer() {
  EXPECT_TRUE((co_await yield_now()).has_value());
  co_return 42;
}

Task<int> lean_failure() {
  EXPECT_TRUE((co_await yield_now()).has_value());
  throw std::runtime_error("no more");
}

Task<const Routine*> its_routine() { co_return &current_routine(); }

TEST_P(LeanTest, GivesTheValueOfTheTask) {
  EXPECT_EQ(run([]() -> Task<int> { co_return co_await Lean(lean_answer()); }()), 42);
}

TEST_P(LeanTest, ThrowsWhatTheTaskThrows) {
  const std::string what = run([]() -> Task<std::string> {
    try {
      co_await Lean(lean_failure());
    } catch (const std::runtime_error& error) {
      co_return error.what();
    }
    co_return "nothing";
  }());
  EXPECT_EQ(what, "no more");
}

TEST_P(LeanTest, TheTaskIsOfTheSameRoutine) {
  const bool is_same = run([]() -> Task<bool> {
    const Routine* const its = co_await Lean(its_routine());
    co_return its == &current_routine();
  }());
  EXPECT_TRUE(is_same);
}

}  // namespace
}  // namespace gossamer::async
