#include "scope/spilled_keys.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "scope/seen_set.h"

namespace gossamer::crawler {
namespace {

// In memory, and out of order when it is told to be.
class TestStorage final : public RunStorage {
 public:
  Result<void> write(std::size_t place, std::span<const std::uint64_t> keys) override {
    if (is_full) return fail(Errc::no_space);
    EXPECT_TRUE(std::ranges::is_sorted(keys));
    runs[place].assign(keys.begin(), keys.end());
    return {};
  }
  Result<void> read(std::size_t place, std::size_t first,
                    std::span<std::uint64_t> keys) const override {
    ++reads;
    if (is_broken) return fail(Errc::io_failed, "the disk is gone");
    const auto& run = runs.at(place);
    EXPECT_LE(first + keys.size(), run.size());
    std::copy_n(run.begin() + static_cast<std::ptrdiff_t>(first), keys.size(), keys.begin());
    return {};
  }

  std::map<std::size_t, std::vector<std::uint64_t>> runs;
  mutable std::size_t reads = 0;
  bool is_full = false;
  bool is_broken = false;
};

std::vector<std::uint64_t> sorted_keys(std::size_t count, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random.next();
  std::ranges::sort(keys);
  return keys;
}

TEST(SpilledKeys, ContainsExactlyWhatWasAdded) {
  TestStorage storage;
  SpilledKeys spilled(storage, 2, 0, {});
  std::vector<std::uint64_t> all;
  for (const std::size_t count : {1, 511, 512, 513, 3000}) {  // around the ends of blocks
    const std::vector<std::uint64_t> more = sorted_keys(count, count);
    ASSERT_TRUE(spilled.add(1, more));
    all.insert(all.end(), more.begin(), more.end());
    EXPECT_EQ(spilled.size(), all.size());
    for (const std::uint64_t key : all) ASSERT_TRUE(spilled.contains(1, key));
  }
  for (const std::uint64_t key : sorted_keys(3000, 99)) EXPECT_FALSE(spilled.contains(1, key));
  for (const std::uint64_t key : sorted_keys(100, 98)) EXPECT_FALSE(spilled.contains(0, key));
}

TEST(SpilledKeys, RarelyReadsForMissingKeysAndOnceForStoredOnes) {
  TestStorage storage;
  SpilledKeys spilled(storage, 1, 1024 * 1024, {});
  const std::vector<std::uint64_t> keys = sorted_keys(20'000, 1);
  ASSERT_TRUE(spilled.add(0, keys));
  storage.reads = 0;
  for (const std::uint64_t key : sorted_keys(20'000, 2)) EXPECT_FALSE(spilled.contains(0, key));
  EXPECT_LT(storage.reads, 500u) << "of 20,000";
  storage.reads = 0;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(spilled.contains(0, keys[77]));
  EXPECT_EQ(storage.reads, 1u);
  EXPECT_LT(spilled.memory_bytes() - 1024 * 1024, keys.size() * 3 / 2);
}

TEST(SpilledKeys, AReadFailureIsReportedAndCountsAsFound) {
  TestStorage storage;
  int told = 0;
  SpilledKeys spilled(storage, 1, 0, [&](const Error& error) {
    EXPECT_EQ(error, Errc::io_failed);
    ++told;
  });
  const std::vector<std::uint64_t> keys = sorted_keys(1000, 1);
  ASSERT_TRUE(spilled.add(0, keys));
  storage.is_broken = true;
  EXPECT_TRUE(spilled.contains(0, keys[5]));
  EXPECT_EQ(told, 1);
  EXPECT_FALSE(spilled.add(0, sorted_keys(10, 2)));
  EXPECT_EQ(spilled.size(), 1000u);
}

// The whole set, with room for a few percent of what it is given.
TEST(SpilledKeys, ASeenSetThatSpillsAgreesWithAnOrdinarySet) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    base::Random random(seed);
    TestStorage storage;
    SeenSet seen(random.next());
    const std::size_t bytes_max = 500'000 + 100'000 * seed;
    std::unordered_set<std::uint64_t> expected;
    for (int i = 0; i < 200'000; ++i) {
      if (i == 5000) seen.spill_to({.bytes_max = bytes_max, .storage = &storage});
      storage.is_full = i % 50'000 > 45'000;
      const std::uint64_t value = i % 2 == 0 ? random.next() : random.below(60'000);
      const bool is_new = expected.insert(value).second;
      ASSERT_EQ(seen.contains(value), !is_new);
      ASSERT_EQ(seen.insert(value), is_new);
    }
    EXPECT_EQ(seen.size(), expected.size());
    EXPECT_GT(seen.spilled(), expected.size() / 3);
    for (const std::uint64_t value : expected) ASSERT_TRUE(seen.contains(value));
    const double filters = 1.6 * static_cast<double>(seen.spilled());
    EXPECT_LT(static_cast<double>(seen.memory_bytes()),
              static_cast<double>(bytes_max) * 1.3 + filters);
  }
}

}  // namespace
}  // namespace gossamer::crawler
