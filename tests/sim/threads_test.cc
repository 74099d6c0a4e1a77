// Crawls of synthetic sites by several loops, a thread each, over flaky networks: whatever the
// number of loops, they fetch together what the graph of the site says, and each page once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/seeds.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/random.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/frontier/frontier.h"
#include "crawl/shards/shards.h"
#include "crawl/shards/sink_relay.h"
#include "sim/fleet.h"
#include "site/site.h"
#include "site/site_server.h"

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
    plan.truth.uses_sitemaps = false;  // those of hosts that are no roots are nobody's
  } else {
    for (std::uint32_t host = 1; host < kHosts; ++host) plan.truth.roots.push_back(host);
  }
  return plan;
}

crawler::Options wide_options(const Plan& plan, const site::Site& site) {
  crawler::Options options = crawl_options(plan, site);
  if (plan.truth.crosses_hosts) {
    options.scope.kind = crawler::ScopeKind::any;
    options.scope.exclude = {"^https?://[a-z.]*elsewhere[.]example/"};
  }
  return options;
}

// A crawl by several loops. The first of them takes all records.
class Crew final : public crawler::PageSink {
 public:
  Crew(const Plan& plan, std::size_t loops)
      : plan_(plan),
        site_(plan.site),
        frontier_(crawler::frontier_options(wide_options(plan, site_), true)),
        shards_(loops, frontier_),
        relays_(loops) {}

  Outcome run(Duration slack) {
    run_fleet(shards_.count(), plan_.world, slack, [this](World& world, std::size_t index) {
      if (index == 0) make_relays(world.loop());
      world.run(live(index, world.seed()));
      if (world.loop().live_tasks() > 0) problem("a task is left over");
    });
    if (!shards_.share()->work.is_done()) problem("something is open");
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    return std::move(outcome_);
  }

  std::size_t loops_with_pages() const { return loops_with_pages_; }

  async::Task<Result<void>> put(crawler::Page page) override {
    outcome_.records.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // Those of the other loops, before any of these needs one.
  void make_relays(async::Loop& loop) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 1; i < relays_.size(); ++i) {
      relays_[i] = std::make_unique<crawler::SinkRelay>(*this, loop);
    }
    has_relays_.test_and_set();
    has_relays_.notify_all();
  }

  // One world, with all servers and one of the engines. BORROWS: the crew.
  async::Task<void> live(std::size_t index, std::uint64_t seed) {
    Fate fate = {.seed = seed, .random = base::Random(seed).fork("universe")};
    const auto asked = co_await live_beside(
        plan_, site_, fate, [&](crawler::World& world) { return crawl(world, index); });
    const std::scoped_lock lock(mutex_);
    outcome_.log.insert(outcome_.log.end(), asked.begin(), asked.end());
    if (!asked.empty()) ++loops_with_pages_;
  }

  // BORROWS: the crew and the world.
  async::Task<void> crawl(crawler::World& world, std::size_t index) {
    async::Loop& loop = async::Loop::current();
    async::Scope relaying(async::OnFailure::keep_going);
    has_relays_.wait(false);
    if (index == 0) {
      for (std::size_t i = 1; i < relays_.size(); ++i) relaying.spawn(relays_[i]->run());
    } else {
      relays_[index]->connect(loop);
    }
    crawler::Frontier frontier(loop, frontier_, shards_.share());
    wire::CookieJar cookies;
    crawler::PageSink& sink = index == 0 ? static_cast<crawler::PageSink&>(*this) : *relays_[index];
    crawler::Engine engine(world, wide_options(plan_, site_), frontier, sink, cookies,
                           &shards_[index]);
    shards_[index].join_in(loop, engine);
    const auto end = co_await engine.run();
    if (!end || *end != crawler::EndReason::finished) problem("the crawl did not finish");
    if (!co_await shards_[index].leave()) problem("cancelled");
    if (index == 0) {
      for (std::size_t i = 1; i < relays_.size(); ++i) relays_[i]->finish();
    } else {
      relays_[index]->disconnect();
    }
    static_cast<void>(co_await relaying.join());
  }

  void problem(std::string text) {
    const std::scoped_lock lock(mutex_);
    outcome_.problems.push_back(std::move(text));
  }

  const Plan& plan_;
  const site::Site site_;
  const crawler::FrontierOptions frontier_;
  crawler::Shards shards_;
  std::vector<std::unique_ptr<crawler::SinkRelay>> relays_;  // none for the first loop
  std::atomic_flag has_relays_;
  std::mutex mutex_;
  Outcome outcome_;  // its records are the first loop's
  std::size_t loops_with_pages_ = 0;
};

TEST(ThreadWorlds, AnyNumberOfLoopsFetchesExactlyWhatMustBeFetched) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t pages = 0;
  std::size_t loops_with_pages = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_wide_plan(seed);
    for (const std::size_t loops : {1, 2, 3, 8}) {
      Crew crew(plan, loops);
      const Duration slack = seed % 3 == 0 ? Duration::zero() : seed % 3 * 20ms;
      const Outcome outcome = crew.run(slack);
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
