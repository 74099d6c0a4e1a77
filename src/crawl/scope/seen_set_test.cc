#include "scope/seen_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_set>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

TEST(SeenSet, ContainsExactlyWhatWasInserted) {
  SeenSet seen;
  EXPECT_FALSE(seen.contains(7));
  EXPECT_TRUE(seen.insert(7));
  EXPECT_FALSE(seen.insert(7));
  EXPECT_TRUE(seen.contains(7));
  EXPECT_FALSE(seen.contains(8));
  EXPECT_EQ(seen.size(), 1U);
}

TEST(SeenSet, AcceptsEveryFingerprint) {
  for (const std::uint64_t salt : {std::uint64_t{0}, std::uint64_t{0x1234567890abcdef}}) {
    SeenSet seen(salt);
    std::size_t size = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
      const std::uint64_t one = std::uint64_t{1} << bit;
      for (const std::uint64_t value : {one, ~one, one - 1 == 1 ? 77 : one - 1}) {
        if (seen.contains(value)) continue;
        EXPECT_TRUE(seen.insert(value)) << value;
        EXPECT_FALSE(seen.insert(value)) << value;
        EXPECT_TRUE(seen.contains(value)) << value;
        EXPECT_EQ(seen.size(), ++size);
      }
    }
    EXPECT_TRUE(seen.contains(0));
    seen.insert(std::numeric_limits<std::uint64_t>::max());
    EXPECT_TRUE(seen.contains(std::numeric_limits<std::uint64_t>::max()));
  }
}

// The inverse of base::splitmix64, to find the fingerprint whose key no slot can hold.
std::uint64_t inverse_of_splitmix(std::uint64_t z) {
  const auto undo_shift = [](std::uint64_t value, unsigned shift) {
    std::uint64_t result = value;
    for (unsigned done = shift; done < 64; done += shift) result = value ^ (result >> shift);
    return result;
  };
  const auto undo_multiply = [](std::uint64_t value, std::uint64_t factor) {
    std::uint64_t inverse = 1;
    for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;  // Newton, bits double
    return value * inverse;
  };
  z = undo_multiply(undo_shift(z, 31), 0x94d049bb133111eb);
  z = undo_multiply(undo_shift(z, 27), 0xbf58476d1ce4e5b9);
  return undo_shift(z, 30) - 0x9e3779b97f4a7c15;
}

TEST(SeenSet, HoldsTheFingerprintThatMarksAFreeSlot) {
  const std::uint64_t special = inverse_of_splitmix(~std::uint64_t{0});
  std::uint64_t state = special;
  ASSERT_EQ(base::splitmix64(state), ~std::uint64_t{0});

  SeenSet seen;
  for (std::uint64_t i = 0; i < 1000; ++i) seen.insert(i);
  EXPECT_FALSE(seen.contains(special));
  EXPECT_TRUE(seen.insert(special));
  EXPECT_FALSE(seen.insert(special));
  EXPECT_TRUE(seen.contains(special));
  EXPECT_EQ(seen.size(), 1001U);
}

TEST(SeenSet, AgreesWithAnOrdinarySet) {
  base::Random random(1);
  SeenSet seen(random.next());
  std::unordered_set<std::uint64_t> expected;
  for (int i = 0; i < 300'000; ++i) {
    // Small values repeat often and are all adjacent.
    const std::uint64_t value = i % 2 == 0 ? random.next() : random.below(100'000);
    ASSERT_EQ(seen.insert(value), expected.insert(value).second);
  }
  EXPECT_EQ(seen.size(), expected.size());
  for (const std::uint64_t value : expected) ASSERT_TRUE(seen.contains(value));
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t value = random.below(200'000);
    ASSERT_EQ(seen.contains(value), expected.contains(value));
  }
}

TEST(SeenSet, NeedsElevenBytesPerUrlAtAnySizeAndGrowsInSmallSteps) {
  SeenSet seen;
  std::size_t before = seen.memory_bytes();
  double bytes_per_url_max = 0;
  double step_max = 0;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    seen.insert(i);
    const std::size_t memory = i % 64 == 0 ? seen.memory_bytes() : before;
    if (i >= 100'000) {
      const auto size = static_cast<double>(seen.size());
      bytes_per_url_max = std::max(bytes_per_url_max, static_cast<double>(memory) / size);
      step_max =
          std::max(step_max, static_cast<double>(memory - before) / static_cast<double>(memory));
    }
    before = memory;
  }
  EXPECT_LT(bytes_per_url_max, 12.2);
  EXPECT_LT(static_cast<double>(seen.memory_bytes()) / static_cast<double>(seen.size()), 11.5);
  EXPECT_LT(step_max, 0.01) << "of the whole, for 64 URLs";
}

}  // namespace
}  // namespace gossamer::crawler
