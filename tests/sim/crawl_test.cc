// Crawls a synthetic site over a flaky network in a thousand worlds. The graph of the site gives
// the expected pages; the servers know what was fetched, and when.

#include "run/crawl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/seeds.h>
#include <tests/support/simulated_machine.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "settings/crawl_settings.h"
#include "site/site.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"
#include "tests/site_server/site_server.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// One world: the servers, and the crawl of them.
class Universe final : public run::CrawlListener, public crawler::PageSink {
 public:
  // BORROWS: the plan.
  Universe(const Plan& plan, std::uint64_t seed, std::shared_ptr<Disk> disk)
      : plan_(plan),
        site_(plan.site),
        fate_({.seed = seed, .random = base::Random(seed).fork("universe")}),
        storage_(std::move(disk)) {
    fate_.outages = draw_outages(plan, OutageLength::minutes, fate_.random);
  }

  // BORROWS: the universe.
  async::Task<Outcome> run() {
    outcome_.log = co_await live_beside(plan_, site_, fate_,
                                        [this](net::Resolver& names) { return crawl(names); });
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    co_return std::move(outcome_);
  }

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return this; }
  async::Task<Result<void>> put(crawler::Page page) override {
    outcome_.records.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // BORROWS: the names.
  async::Task<void> crawl(net::Resolver& names) {
    support::SimulatedMachine machine(storage_, names, fate_.seed, fate_.wall_start);
    run::CrawlSettings settings = crawl_settings(plan_, site_);
    settings.threads = static_cast<std::uint32_t>(plan_.shards);
    EXPECT_TRUE(run::complete(settings));
    run::Crawl crawl(std::move(settings), nullptr, machine);
    const auto end = co_await crawl.run(*this);
    const bool has_finished = end && end->reason == crawler::EndReason::finished && !end->failure;
    if (!has_finished) outcome_.problems.emplace_back("the crawl did not finish");
  }

  const Plan& plan_;
  const site::Site site_;
  Fate fate_;
  support::SimulatedStorage storage_;
  Outcome outcome_;
};

struct Lived {
  Outcome outcome;
  std::uint64_t trace = 0;
};

Lived run_universe(const Plan& plan, std::uint64_t seed) {
  World world(plan.world);
  Universe universe(plan, seed, world.driver().disk());
  Outcome outcome = world.run(universe.run());
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  EXPECT_EQ(world.loop().timers().size(), 0u);
  EXPECT_EQ(world.driver().operations_in_flight(), 0u);
  EXPECT_EQ(world.driver().sockets_open(), 0u);
  return {std::move(outcome), world.driver().trace_hash()};
}

TEST(CrawlWorlds, ExactlyWhatMustBeFetchedIsFetchedAndPolitely) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t pages = 0;
  std::size_t requests = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_plan(seed);
    const Lived run = run_universe(plan, seed);
    const std::vector<std::string> problems = Judge(plan, run.outcome).problems();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
    pages += run.outcome.records.size();
    requests += run.outcome.log.size();
  }
  fmt::print("{} worlds: {} pages, {} requests\n", count, pages, requests);
  if (count < kSeeds) return;
  EXPECT_GT(pages, 20 * count) << "these sites are too small to show anything";
  EXPECT_GT(requests, pages + pages / 20) << "these worlds are too calm to show anything";
}

TEST(CrawlWorlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Plan plan = draw_plan(seed);
    EXPECT_EQ(run_universe(plan, seed).trace, run_universe(plan, seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim
