#include "serve/live.h"

#include <gtest/gtest.h>

namespace gossamer::serve {
namespace {

TEST(History, IsThinnedWhenItIsLong) {
  History history;
  for (int i = 0; i < 100'000; ++i) {
    history.add({.seconds = static_cast<double>(i), .done = static_cast<std::uint64_t>(i)});
    ASSERT_LT(history.points().size(), History::kPointsMax);
  }
  EXPECT_GE(history.points().size(), History::kPointsMax / 2);
  EXPECT_EQ(history.points().front().done, 0);
  EXPECT_GT(history.points().back().done, 99'000);
}

TEST(History, KnowsTheRateOfTheLastPoints) {
  History history;
  EXPECT_EQ(history.rate(), 0);
  for (int i = 0; i < 100; ++i) {
    history.add({.seconds = 2.0 * i, .done = static_cast<std::uint64_t>(i < 50 ? 0 : 10 * i)});
  }
  EXPECT_EQ(history.rate(), 5);
}

}  // namespace
}  // namespace gossamer::serve
