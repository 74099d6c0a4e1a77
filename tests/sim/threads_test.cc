// Crawls synthetic sites with several loops, one thread each, over flaky networks. With any number
// of loops, they fetch the pages of the site's graph, each once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/support/crawl_worlds.h>
#include <tests/support/seeds.h>
#include <tests/support/simulated_fleet.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "base/random.h"
#include "net/resolver.h"
#include "run/crawl.h"
#include "settings/crawl_settings.h"
#include "site/site.h"
#include "tests/simulated/world.h"
#include "tests/site_server/site_server.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 32;
constexpr std::size_t kHosts = 12;

// As draw_plan(), on more hosts, so that every loop gets some.
Plan draw_wide_plan(std::uint64_t seed) {
  Plan plan = draw_plan(seed);
  base::Random random = base::Random(seed).fork("threads");
  for (std::size_t i = plan.site.hosts.size(); i < kHosts; ++i) {
    plan.site.hosts.push_back(fmt::format("site{}.example", i));
  }
  plan.site.pages = 1 + random.below(20);
  plan.truth.roots = {0};
  plan.truth.crosses_hosts = random.chance(0.5);
  if (plan.truth.crosses_hosts) {
    plan.truth.uses_sitemaps = false;  // the truth lacks sitemaps of hosts that are not roots
  } else {
    for (std::uint32_t host = 1; host < kHosts; ++host) plan.truth.roots.push_back(host);
  }
  return plan;
}

run::CrawlSettings wide_settings(const Plan& plan, const site::Site& site) {
  run::CrawlSettings settings = crawl_settings(plan, site);
  if (plan.truth.crosses_hosts) {
    settings.scope.kind = crawler::ScopeKind::any;
    settings.scope.exclude = {"^https?://[a-z.]*elsewhere[.]example/"};
  }
  return settings;
}

// A crawl by several loops, each in a world with all servers. The first of them takes all records.
class Crew final : public run::CrawlListener, public crawler::PageSink {
 public:
  // BORROWS: the plan.
  Crew(const Plan& plan, std::uint32_t loops, Duration slack)
      : plan_(plan),
        site_(plan.site),
        loops_(loops),
        fleet_(plan.world, loops, slack,
               [this](async::Loop& loop, std::size_t world, support::SimulatedFleet::Work work) {
                 return live(loop, world, std::move(work));
               }) {}

  Outcome run() {
    const std::size_t left = fleet_.live([this](async::Loop& loop) { return crawl(loop); });
    if (left > 0) outcome_.problems.emplace_back("a task is left over");
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    return std::move(outcome_);
  }
  std::size_t loops_with_pages() const { return loops_with_pages_; }

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return this; }
  async::Task<Result<void>> put(crawler::Page page) override {
    outcome_.records.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // BORROWS: the loop.
  async::Task<void> live(async::Loop& loop, std::size_t world, support::SimulatedFleet::Work work) {
    const std::uint64_t seed = plan_.world.seed + world;
    Fate fate = {.seed = seed, .random = base::Random(seed).fork("universe")};
    const auto asked = co_await live_beside(plan_, site_, fate, [&](net::Resolver& names) {
      fleet_.tell_names(names);
      return work(loop);
    });
    const std::scoped_lock lock(mutex_);
    outcome_.log.insert(outcome_.log.end(), asked.begin(), asked.end());
    if (!asked.empty()) ++loops_with_pages_;
  }

  // BORROWS: the loop.
  async::Task<void> crawl(async::Loop& loop) {
    support::SimulatedStorage storage(static_cast<SimDriver&>(loop.driver()).disk());
    support::FleetMachine machine(fleet_, storage);
    run::CrawlSettings settings = wide_settings(plan_, site_);
    settings.threads = loops_;
    EXPECT_TRUE(run::complete(settings));
    run::Crawl crawl(std::move(settings), nullptr, machine);
    const auto end = co_await crawl.run(*this);
    const bool has_finished = end && end->reason == crawler::EndReason::finished && !end->failure;
    const std::scoped_lock lock(mutex_);
    if (!has_finished) outcome_.problems.emplace_back("the crawl did not finish");
  }

  const Plan& plan_;
  const site::Site site_;
  const std::uint32_t loops_;
  support::SimulatedFleet fleet_;
  std::mutex mutex_;  // guards what follows while other worlds live; records are the first's
  Outcome outcome_;
  std::size_t loops_with_pages_ = 0;
};

TEST(ThreadWorlds, AnyNumberOfLoopsFetchesExactlyWhatMustBeFetched) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t pages = 0;
  std::size_t loops_with_pages = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_wide_plan(seed);
    for (const std::uint32_t loops : {1, 2, 3, 8}) {
      Crew crew(plan, loops, seed % 3 == 0 ? Duration::zero() : seed % 3 * 20ms);
      const Outcome outcome = crew.run();
      const std::vector<std::string> problems = Judge(plan, outcome).problems();
      ASSERT_TRUE(problems.empty())
          << fmt::format("{}", fmt::join(problems, "\n")) << "\n(" << problems.size()
          << " problems) with " << loops << " loops again: GOSSAMER_SEED=" << seed;
      pages += outcome.records.size();
      loops_with_pages += crew.loops_with_pages();
    }
  }
  fmt::print("{} sites, each by 1, 2, 3 and 8 loops: {} pages\n", count, pages);
  if (count == 1) return;
  EXPECT_GT(pages, 4 * 20 * count) << "these sites are too small to show anything";
  EXPECT_GT(loops_with_pages, count * (1 + 2 + 3 + 5)) << "some loops had nothing to do";
}

}  // namespace
}  // namespace gossamer::sim
