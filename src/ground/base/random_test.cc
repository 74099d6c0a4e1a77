#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace gossamer::base {
namespace {

static_assert(std::uniform_random_bit_generator<Random>);

// The outputs of the authors' C programs, as published with many implementations.
TEST(Random, FollowsThePublishedXoshiro256) {
  Xoshiro256 engine = {{1, 2, 3, 4}};
  for (const std::uint64_t expected :
       {std::uint64_t{11520}, std::uint64_t{0}, std::uint64_t{1509978240},
        std::uint64_t{1215971899390074240}, std::uint64_t{1216172134540287360},
        std::uint64_t{607988272756665600}, std::uint64_t{16172922978634559625u},
        std::uint64_t{8476171486693032832}, std::uint64_t{10595114339597558777u},
        std::uint64_t{2904607092377533576}}) {
    EXPECT_EQ(engine.next(), expected);
  }
}

TEST(Random, IsSeededByThePublishedSplitmix64) {
  std::uint64_t state = 1234567;
  for (const std::uint64_t expected :
       {std::uint64_t{6457827717110365317}, std::uint64_t{3203168211198807973},
        std::uint64_t{9817491932198370423u}, std::uint64_t{4593380528125082431},
        std::uint64_t{16408922859458223821u}}) {
    EXPECT_EQ(splitmix64(state), expected);
  }
}

// From a second implementation of both algorithms, in another language.
TEST(Random, GivesTheSameNumbersOnEveryMachine) {
  Random zero(0);
  EXPECT_EQ(zero.next(), 11091344671253066420u);
  EXPECT_EQ(zero.next(), 13793997310169335082u);
  Random random(42);
  EXPECT_EQ(random(), 1546998764402558742u);
  EXPECT_EQ(random(), 6990951692964543102u);

  Random bounded(42);
  for (const std::uint64_t expected : {83u, 378u, 680u, 924u, 991u, 769u, 719u, 850u}) {
    EXPECT_EQ(bounded.below(1000), expected);
  }
}

TEST(Random, ShufflesTheSameWayOnEveryMachine) {
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  Random(42).shuffle(items);
  EXPECT_EQ(items, (std::vector{9, 1, 4, 2, 8, 7, 6, 5, 3, 0}));
}

TEST(Random, ShufflesNothingAndOneThing) {
  std::vector<int> none;
  std::array<int, 1> one = {7};
  Random random(1);
  random.shuffle(none);
  random.shuffle(one);
  EXPECT_EQ(one[0], 7);
}

TEST(Random, StaysBelowItsBound) {
  Random random(7);
  for (const std::uint64_t bound :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1} << 63,
        (std::uint64_t{1} << 63) + 1, std::numeric_limits<std::uint64_t>::max()}) {
    for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(bound), bound);
  }
}

// With 6 faces and 60,000 throws the chi-squared statistic of five degrees of freedom exceeds 20.5
// once in a thousand seeds; the seed is fixed, so this passes always or never.
TEST(Random, ThrowsAFairDie) {
  Random random(2024);
  std::array<double, 6> counts = {};
  for (int i = 0; i < 60'000; ++i) counts[random.below(6)] += 1;
  double chi_squared = 0;
  for (const double count : counts) chi_squared += (count - 10'000) * (count - 10'000) / 10'000;
  EXPECT_LT(chi_squared, 20.5);
}

// A bound of 3 * 2^62: taking the remainder would give the lower third twice as often.
TEST(Random, IsNotBiasedTowardsSmallNumbersByAHugeBound) {
  Random random(5);
  const std::uint64_t bound = std::uint64_t{3} << 62;
  int low = 0;
  for (int i = 0; i < 30'000; ++i) low += random.below(bound) < bound / 3 ? 1 : 0;
  EXPECT_NEAR(low, 10'000, 400);
}

TEST(Random, DrawsBetweenBothEndsIncluded) {
  Random random(3);
  bool saw_first = false;
  bool saw_last = false;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t value = random.between(-2, 2);
    ASSERT_GE(value, -2);
    ASSERT_LE(value, 2);
    saw_first |= value == -2;
    saw_last |= value == 2;
  }
  EXPECT_TRUE(saw_first && saw_last);
  EXPECT_EQ(random.between(9, 9), 9);
}

TEST(Random, DrawsFromTheWidestRange) {
  using Limits = std::numeric_limits<std::int64_t>;
  Random random(3);
  bool saw_negative = false;
  bool saw_positive = false;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t value = random.between(Limits::min(), Limits::max());
    saw_negative |= value < 0;
    saw_positive |= value > 0;
  }
  EXPECT_TRUE(saw_negative && saw_positive);
}

TEST(Random, HasCertainAndImpossibleChances) {
  Random random(11);
  int hits = 0;
  for (int i = 0; i < 10'000; ++i) {
    ASSERT_FALSE(random.chance(0));
    ASSERT_FALSE(random.chance(-1));
    ASSERT_TRUE(random.chance(1));
    hits += random.chance(0.25) ? 1 : 0;
  }
  EXPECT_NEAR(hits, 2500, 200);
}

TEST(Random, DrawsOnceForAChanceWhateverItIs) {
  Random left(8);
  Random right(8);
  (void)left.chance(0);
  (void)right.chance(0.7);
  EXPECT_EQ(left.next(), right.next());
}

TEST(Random, ForksByLabelAndNotByWhatWasDrawn) {
  Random parent(99);
  Random early = parent.fork("network");
  for (int i = 0; i < 10; ++i) (void)parent.next();
  Random late = parent.fork("network");
  EXPECT_EQ(early.next(), late.next());
  EXPECT_NE(parent.fork("network").next(), parent.fork("disk").next());
  EXPECT_NE(Random(99).fork("network").next(), Random(100).fork("network").next());
  EXPECT_NE(Random(99).fork("a").fork("b").next(), Random(99).fork("b").fork("a").next());
}

TEST(RandomDeathTest, HasNoNumberBelowZeroAndNoneInAnEmptyRange) {
  Random random(1);
  EXPECT_DEATH((void)random.below(0), "bound > 0");
  EXPECT_DEATH((void)random.between(2, 1), "first <= last");
}

}  // namespace
}  // namespace gossamer::base
