// A thousand worlds in which a synthetic site is crawled over a flaky network. What must be fetched
// is known from the graph that the site is made from; what was fetched, and when, the servers know.

#include "crawl/crawl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/seeds.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/random.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "crawl/shards/shards.h"
#include "http/client.h"
#include "sim/world.h"
#include "site/site.h"
#include "site/site_server.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// One world: the servers, and the crawl of them.
class Universe final : public crawler::PageSink {
 public:
  Universe(const Plan& plan, std::uint64_t seed)
      : plan_(plan),
        site_(plan.site),
        fate_({.seed = seed, .random = base::Random(seed).fork("universe")}) {
    fate_.outages = draw_outages(plan, OutageLength::minutes, fate_.random);
  }

  // BORROWS: the universe.
  async::Task<Outcome> run() {
    outcome_.log = co_await live_beside(plan_, site_, fate_,
                                        [this](crawler::World& world) { return crawl(world); });
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    co_return std::move(outcome_);
  }

  async::Task<Result<void>> put(crawler::Page page) override {
    outcome_.records.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // BORROWS: the world.
  async::Task<void> crawl(crawler::World& world) {
    const crawler::FrontierOptions options =
        crawler::frontier_options(crawl_options(plan_, site_), world);
    crawler::Shards shards(plan_.shards, options);
    async::Scope engines(async::OnFailure::keep_going);
    for (std::size_t i = 0; i < plan_.shards; ++i) {
      engines.spawn(crawl_shard(world, shards, i, options));
    }
    static_cast<void>(co_await engines.join());
    if (!shards.share()->work.is_done()) problem("something is open");
    world.client.close_idle();
    if (world.client.pool().open() > 0) problem("a connection is still open");
  }

  // BORROWS: world and shards.
  async::Task<void> crawl_shard(crawler::World& world, crawler::Shards& shards, std::size_t index,
                                crawler::FrontierOptions options) {
    crawler::Frontier frontier(async::Loop::current(), std::move(options), shards.share());
    wire::CookieJar cookies;
    crawler::Engine engine(world, crawl_options(plan_, site_), frontier, *this, cookies,
                           &shards[index]);
    shards[index].join_in(async::Loop::current(), engine);
    const auto end = co_await engine.run();
    if (!end || *end != crawler::EndReason::finished) problem("the crawl did not finish");
    if (!co_await shards[index].leave()) problem("cancelled");
  }

  void problem(std::string text) { outcome_.problems.push_back(std::move(text)); }

  const Plan& plan_;
  const site::Site site_;
  Fate fate_;
  Outcome outcome_;
};

struct Lived {
  Outcome outcome;
  std::uint64_t trace = 0;
};

Lived run_universe(const Plan& plan, std::uint64_t seed) {
  World world(plan.world);
  Universe universe(plan, seed);
  Outcome outcome = world.run(universe.run());
  EXPECT_EQ(world.loop().live_tasks(), 0u);
  EXPECT_EQ(world.loop().timers().size(), 0u);
  EXPECT_EQ(world.driver().operations_in_flight(), 0u);
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
