#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace gossamer {
namespace {

static_assert(sizeof(Result<void>) <= 24);
static_assert(std::is_nothrow_move_constructible_v<Result<std::string>>);
static_assert(std::is_nothrow_move_assignable_v<Result<std::string>>);
static_assert(!std::is_constructible_v<Result<bool>, Result<bool>&>);
static_assert(!std::is_constructible_v<Result<bool>, const Result<bool>&>);
static_assert(!std::is_assignable_v<Result<int>&, Result<int>&>);
static_assert(std::is_convertible_v<std::unexpected<Error>, Result<std::unique_ptr<int>>>);
static_assert(std::is_convertible_v<int, Result<long>>);

Result<int> half(int number) {
  if (number % 2 != 0) return fail(Errc::invalid_argument, "odd: " + std::to_string(number));
  return number / 2;
}

Result<std::unique_ptr<int>> quarter_on_the_heap(int number) {
  auto first = half(number);
  if (!first) return fail(std::move(first).error());
  auto second = half(*first);
  if (!second) return fail(std::move(second).error(), "while halving again");
  return std::make_unique<int>(*second);
}

Result<void> stop() { return fail(Errc::cancelled); }

TEST(Result, HoldsAValue) {
  const auto result = quarter_on_the_heap(12);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(**result, 3);
}

TEST(Result, HandsAnErrorOnUnchanged) {
  const auto result = quarter_on_the_heap(7);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().to_string(), "invalid_argument: odd: 7");
}

TEST(Result, HandsAnErrorOnWithContext) {
  const auto result = quarter_on_the_heap(6);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().to_string(), "invalid_argument: odd: 3, while halving again");
}

TEST(Result, CanFailIfVoid) {
  const Result<void> result = stop();
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error(), Errc::cancelled);
}

TEST(Result, IsMadeFromAnErrorByFail) {
  const Result<int> result = fail(Error(Errc::reset, "by peer"));
  EXPECT_EQ(result.error().to_string(), "reset: by peer");
}

TEST(Result, CanBeAssignedAValueOrAFailure) {
  Result<int> result = 1;
  result = fail(Errc::reset);
  EXPECT_FALSE(result.has_value());
  result = 2;
  EXPECT_EQ(result, 2);
  result = half(3);
  EXPECT_EQ(result.error(), Errc::invalid_argument);
}

TEST(Result, ConvertsWithItsValue) {
  const auto widen = [](int number) -> Result<long> { return half(number); };
  EXPECT_EQ(widen(4), 2L);
  EXPECT_EQ(widen(5).error(), Errc::invalid_argument);
}

TEST(Result, DistinguishesFalseFromFailure) {
  Result<bool> no = false;
  const Result<bool> moved = std::move(no);
  ASSERT_TRUE(moved.has_value());
  EXPECT_FALSE(*moved);
}

}  // namespace
}  // namespace gossamer
