#include "scope/first_seen.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace gossamer::crawler {
namespace {

TEST(FirstSeen, ReturnsTheFirstOwner) {
  FirstSeen first;
  const base::Hash128 digest = base::hash128("a body");
  EXPECT_EQ(first.put(digest, 5), std::nullopt);
  EXPECT_EQ(first.put(digest, 6), 5U);
  EXPECT_EQ(first.put(digest, 5), 5U);
  EXPECT_EQ(first.put(base::hash128("another body"), 6), std::nullopt);
  EXPECT_EQ(first.size(), 2U);
}

TEST(FirstSeen, ComparesTheWholeDigest) {
  FirstSeen first;
  EXPECT_EQ(first.put({.high = 1, .low = 1}, 1), std::nullopt);
  EXPECT_EQ(first.put({.high = 1, .low = 2}, 2), std::nullopt);
  EXPECT_EQ(first.put({.high = 2, .low = 1}, 3), std::nullopt);
  EXPECT_EQ(first.put({}, 4), std::nullopt);
  EXPECT_EQ(first.put({}, 5), 4U);
  EXPECT_EQ(first.put({.high = 1, .low = 2}, 6), 2U);
}

TEST(FirstSeen, RemembersAllWithinItsCapacity) {
  FirstSeen first(50'000);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    ASSERT_EQ(first.put(base::hash128(std::to_string(i)), i), std::nullopt);
  }
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    ASSERT_EQ(first.put(base::hash128(std::to_string(i)), i + 1), i);
  }
  EXPECT_EQ(first.size(), 50'000U);
  EXPECT_LT(first.memory_bytes(), 50'000U * 50);
}

TEST(FirstSeen, ForgetsWhatComesAfterItIsFull) {
  FirstSeen first(2);
  for (std::uint64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(first.put(base::hash128(std::to_string(i)), i), std::nullopt);
  }
  EXPECT_EQ(first.size(), 2U);
  EXPECT_EQ(first.put(base::hash128("1"), 99), 1U);
  EXPECT_EQ(first.put(base::hash128("2"), 99), std::nullopt);
  EXPECT_EQ(first.put(base::hash128("2"), 99), std::nullopt);
}

TEST(FirstSeen, AShortKeyMayBeZero) {
  FirstSeen32 first;
  EXPECT_EQ(first.find(0), std::nullopt);
  EXPECT_EQ(first.put(0, 7), std::nullopt);
  EXPECT_EQ(first.put(0, 8), 7U);
  EXPECT_EQ(first.find(0), 7U);
  EXPECT_EQ(first.put(5, 9), std::nullopt);
  EXPECT_EQ(first.find(5), 9U);
}

}  // namespace
}  // namespace gossamer::crawler
