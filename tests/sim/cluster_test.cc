// Shared crawls in simulated worlds: nodes that run the whole crawl, a model of Redis Cluster that
// runs our functions, a site, and faults of all of them. Nothing is lost, no host has two nodes at
// a time or is requested too early, and the end is detected once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/cluster_world.h>
#include <tests/support/seeds.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// With few worlds, chance decides.
void expect_variety(const ClusterTally& tally, std::uint64_t worlds) {
  if (worlds < 100) return;
  EXPECT_GT(tally.deaths, worlds / 10) << "few nodes died";
  EXPECT_GT(tally.failovers, worlds / 5) << "few masters were replaced";
  EXPECT_GT(tally.freezes, worlds / 10) << "few nodes froze";
  EXPECT_GT(tally.outages, worlds / 10) << "few hosts were down";
  EXPECT_GT(tally.outages_in_levels, worlds / 20) << "few hosts were down in crawls with levels";
  EXPECT_GT(tally.levels, worlds / 10) << "few crawls had levels";
  EXPECT_GT(tally.repeats, worlds / 20) << "nothing was fetched again";
}

void live_in_worlds(std::uint64_t first, std::uint64_t end) {
  base::set_log_level(base::LogLevel::error);
  ClusterTally tally;
  for (std::uint64_t seed = first; seed < end; ++seed) {
    const std::vector<std::string> problems = ClusterWorld(seed, tally).live();
    EXPECT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
  }
  fmt::print("{} worlds: {}\n", end - first, tally.to_string());
  expect_variety(tally, end - first);
}

TEST(ClusterWorlds, OneSeedIsOneRun) {
  base::set_log_level(base::LogLevel::error);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    ClusterTally tally;
    ClusterWorld one(seed, tally);
    ClusterWorld other(seed, tally);
    EXPECT_EQ(one.live(), other.live()) << "seed " << seed;
    EXPECT_EQ(one.trace(), other.trace()) << "seed " << seed;
  }
}

// Two halves, which ctest runs at the same time.
TEST(ClusterWorlds, WhateverFailsNothingIsLost) {
  const auto [first, count] = seeds_to_run(kSeeds);
  live_in_worlds(first, first + (count + 1) / 2);
}

TEST(ClusterWorlds, WhateverFailsNothingIsLostInOthers) {
  const auto [first, count] = seeds_to_run(kSeeds);
  live_in_worlds(first + (count + 1) / 2, first + count);
}

}  // namespace
}  // namespace gossamer::sim
