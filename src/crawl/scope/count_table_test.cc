#include "scope/count_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <unordered_map>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

TEST(CountTable, CountsEachKeySeparately) {
  base::Random random(2);
  CountTable table;
  std::unordered_map<std::uint64_t, std::uint32_t> expected;
  for (int i = 0; i < 50'000; ++i) {
    std::uint64_t state = random.below(10'000);
    const std::uint64_t key = base::splitmix64(state);
    ASSERT_EQ(++table[key], ++expected[key]);
  }
  EXPECT_EQ(table.size(), expected.size());
  for (const auto& [key, count] : expected) ASSERT_EQ(table.count(key), count);
  EXPECT_EQ(table.count(12345), 0U);
}

TEST(CountTable, IsEmptyAtFirst) {
  const CountTable table;
  EXPECT_EQ(table.count(0), 0U);
  EXPECT_EQ(table.count(~std::uint64_t{0}), 0U);
  EXPECT_EQ(table.memory_bytes(), 0U);
}

TEST(CountTable, AcceptsEveryKey) {
  CountTable table;
  table[0] = 3;
  table[~std::uint64_t{0}] = 4;
  EXPECT_EQ(table.count(0), 3U);
  EXPECT_EQ(table.count(~std::uint64_t{0}), 4U);
}

TEST(CountTable, ForgetsSmallCounts) {
  CountTable table;
  for (std::uint64_t i = 1; i <= 100; ++i) table[i << 56] = static_cast<std::uint32_t>(i);
  table.forget_below(91);
  EXPECT_EQ(table.size(), 10U);
  EXPECT_EQ(table.count(std::uint64_t{90} << 56), 0U);
  EXPECT_EQ(table.count(std::uint64_t{91} << 56), 91U);
  EXPECT_EQ(table.count(std::uint64_t{100} << 56), 100U);
}

}  // namespace
}  // namespace gossamer::crawler
