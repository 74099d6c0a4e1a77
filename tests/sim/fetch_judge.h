// Judges what clients fetch from the servers of a simulated world.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/time.h"
#include "http/client.h"
#include "tests/simulated/world.h"
#include "tests/support/seeds.h"

namespace gossamer::sim {

struct FetchTally {
  std::size_t fetches = 0;
  std::size_t whole = 0;
  std::size_t failed = 0;
  std::vector<std::string> problems;
};

class FetchJudge {
 public:
  // A fetch may end this long after its deadline.
  explicit FetchJudge(Duration late_max) : late_max_(late_max) {}

  // Fetches page_at(path) from the URL. BORROWS: the judge and the client.
  async::Task<Result<void>> fetch(http::Client& client, std::string url, std::string path);
  // Call it after the last fetch.
  void check_pool(http::Client& client);

  FetchTally take_tally() { return std::move(tally_); }

 private:
  void problem(std::string text) { tally_.problems.push_back(std::move(text)); }

  const Duration late_max_;
  FetchTally tally_;
};

struct WebRun {
  FetchTally tally;
  std::uint64_t trace = 0;
};

// Runs a world whose Web has a task run() with the tally. Nothing may be left of it.
template <class Web>
WebRun run_web(std::uint64_t seed) {
  World world(seed);
  Web web(seed);
  auto tally = world.run(web.run());
  EXPECT_TRUE(tally);
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  EXPECT_EQ(world.loop().timers().size(), 0u);
  EXPECT_EQ(world.driver().operations_in_flight(), 0u);
  return {std::move(*tally), world.driver().trace_hash()};
}

// Runs `seeds` worlds, or as many as the environment says. A run of fewer shows too little to judge
// their weather.
template <class Web>
void run_webs(std::uint64_t seeds) {
  const auto [first, count] = seeds_to_run(seeds);
  FetchTally all;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const WebRun run = run_web<Web>(seed);
    all.fetches += run.tally.fetches;
    all.whole += run.tally.whole;
    all.failed += run.tally.failed;
    ASSERT_TRUE(run.tally.problems.empty())
        << run.tally.problems.front() << "\nagain: GOSSAMER_SEED=" << seed;
  }
  fmt::print("{} worlds: {} fetches, {} whole, {} failed\n", count, all.fetches, all.whole,
             all.failed);
  if (count < seeds) return;
  EXPECT_GT(all.whole, all.fetches / 4) << "these worlds are too stormy to show anything";
  EXPECT_GT(all.failed, all.fetches / 50) << "these worlds are too calm to show anything";
}

}  // namespace gossamer::sim
