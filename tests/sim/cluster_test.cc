// Shared crawls in simulated worlds: nodes that run the whole crawl, a model of Redis Cluster that
// runs our functions, a site, and faults of all of them. Nothing is lost, no host has two nodes at
// a time or is requested too early, and the end is detected once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/cluster_world.h>
#include <tests/sim/seeds.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/log.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 32;

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

TEST(ClusterWorlds, WhateverFailsNothingIsLost) {
  base::set_log_level(base::LogLevel::error);
  const auto [first, count] = seeds_to_run(kSeeds);
  ClusterTally tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::vector<std::string> problems = ClusterWorld(seed, tally).live();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
  }
  fmt::print("{} worlds: {}\n", count, tally.to_string());
  if (count < kSeeds) return;
  EXPECT_GT(tally.deaths, count / 8) << "few nodes died";
  EXPECT_GT(tally.failovers, count / 4) << "few masters were replaced";
  EXPECT_GT(tally.moves, count / 8) << "few slots were moved";
  EXPECT_GT(tally.repeats, count / 20) << "nothing was fetched again";
}

}  // namespace
}  // namespace gossamer::sim
