#include "async/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace gossamer::async {
namespace {

std::exception_ptr an_exception(const char* what) {
  return std::make_exception_ptr(std::runtime_error(what));
}

TEST(OutcomeTest, AFreshOneIsNotReadyAndHoldsNothing) {
  Outcome<int> outcome;
  EXPECT_FALSE(outcome.ready());
  EXPECT_EQ(outcome.value(), nullptr);
  EXPECT_EQ(outcome.exception(), nullptr);
}

TEST(OutcomeTest, AValueIsMovedOut) {
  Outcome<std::unique_ptr<int>> outcome;
  outcome.set_value(std::make_unique<int>(7));
  ASSERT_TRUE(outcome.ready());
  EXPECT_EQ(**outcome.value(), 7);
  EXPECT_EQ(*outcome.take(), 7);
}

TEST(OutcomeTest, AnExceptionIsThrownAtTheTaking) {
  Outcome<std::string> outcome;
  outcome.set_exception(an_exception("lost"));
  ASSERT_TRUE(outcome.ready());
  EXPECT_EQ(outcome.value(), nullptr);
  EXPECT_NE(outcome.exception(), nullptr);
  EXPECT_THROW(outcome.take(), std::runtime_error);
}

TEST(OutcomeTest, MovingTakesTheValueAlong) {
  Outcome<std::unique_ptr<int>> first;
  first.set_value(std::make_unique<int>(3));
  Outcome<std::unique_ptr<int>> second(std::move(first));
  EXPECT_EQ(*second.take(), 3);
}

TEST(OutcomeTest, MovingTakesTheExceptionAlong) {
  Outcome<int> first;
  first.set_exception(an_exception("moved"));
  Outcome<int> second(std::move(first));
  EXPECT_THROW(second.take(), std::runtime_error);
}

TEST(OutcomeTest, MovingAFreshOneGivesAFreshOne) {
  Outcome<int> first;
  const Outcome<int> second(std::move(first));
  EXPECT_FALSE(second.ready());
}

TEST(OutcomeTest, DestroysItsValueOnce) {
  const auto counted = std::make_shared<int>(1);
  {
    Outcome<std::shared_ptr<int>> outcome;
    outcome.set_value(counted);
    EXPECT_EQ(counted.use_count(), 2);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

TEST(OutcomeTest, IsReadyWhenSetIfVoid) {
  Outcome<void> outcome;
  EXPECT_FALSE(outcome.ready());
  outcome.set_value();
  EXPECT_TRUE(outcome.ready());
  EXPECT_NO_THROW(outcome.take());
}

TEST(OutcomeTest, ThrowsItsExceptionIfVoid) {
  Outcome<void> outcome;
  outcome.set_exception(an_exception("void"));
  EXPECT_TRUE(outcome.ready());
  EXPECT_THROW(outcome.take(), std::runtime_error);
}

TEST(OutcomeDeathTest, TakingTooEarlyIsABug) {
  Outcome<int> number;
  Outcome<void> nothing;
  EXPECT_DEATH(static_cast<void>(number.take()), "no outcome yet");
  EXPECT_DEATH(nothing.take(), "no outcome yet");
}

}  // namespace
}  // namespace gossamer::async
