// Crawls synthetic sites with several loops, one thread each, over flaky networks. With any number
// of loops, they fetch the pages of the site's graph, each once.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/seeds.h>
#include <tests/support/simulated_machine.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/sleep.h"
#include "base/random.h"
#include "net/resolver.h"
#include "run/crawl.h"
#include "run/crawl_settings.h"
#include "run/machine.h"
#include "site/site.h"
#include "tests/simulated/convoy.h"
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

// All worlds of one crawl, each with all servers.
class Fleet {
 public:
  // BORROWS: the plan.
  Fleet(const Plan& plan, std::size_t loops, Duration slack)
      : plan_(plan), site_(plan.site), convoy_(loops, slack) {}

  // Lives in one more world, on this thread. `work` is called once, on its loop.
  using Work = std::move_only_function<async::Task<void>(async::Loop& loop)>;
  void live(Work work) {
    SimOptions options = plan_.world;
    options.seed += begun_++;
    World world(options);
    world.driver().join(convoy_);
    world.run(live_in(world.loop(), options.seed, std::move(work)));
    if (world.loop().live_tasks() > 0) problem("a task is left over");
  }

  // Of the world on whose loop this is called.
  net::Resolver& names() {
    const std::scoped_lock lock(mutex_);
    return *names_.at(&async::Loop::current());
  }
  void problem(std::string text) {
    const std::scoped_lock lock(mutex_);
    outcome_.problems.push_back(std::move(text));
  }
  const site::Site& site() const { return site_; }
  std::size_t loops_with_pages() const { return loops_with_pages_; }
  // REQUIRES: all have ended.
  Outcome& outcome() { return outcome_; }

 private:
  // BORROWS: the fleet and the loop.
  async::Task<void> live_in(async::Loop& loop, std::uint64_t seed, Work work) {
    Fate fate = {.seed = seed, .random = base::Random(seed).fork("universe")};
    const auto asked = co_await live_beside(plan_, site_, fate, [&](net::Resolver& names) {
      const std::scoped_lock lock(mutex_);
      names_[&loop] = &names;
      return work(loop);
    });
    const std::scoped_lock lock(mutex_);
    outcome_.log.insert(outcome_.log.end(), asked.begin(), asked.end());
    if (!asked.empty()) ++loops_with_pages_;
  }

  const Plan& plan_;
  const site::Site site_;
  Convoy convoy_;
  std::atomic<std::uint64_t> begun_ = 0;
  std::mutex mutex_;  // guards what follows
  std::map<async::Loop*, net::Resolver*> names_;
  Outcome outcome_;
  std::size_t loops_with_pages_ = 0;
};

// A further world on a thread of its own.
class ShipThread final : public run::LoopThread {
 public:
  ShipThread(Fleet& fleet, Fleet::Work work)
      : thread_([this, &fleet, work = std::move(work)]() mutable {
          fleet.live(std::move(work));
          has_ended_ = true;
        }) {}
  // Time passes meanwhile: the other world may need it to end.
  async::Task<void> join() override {
    while (!has_ended_) static_cast<void>(co_await async::sleep(1ms));
    thread_.join();
  }

 private:
  std::atomic<bool> has_ended_ = false;
  std::thread thread_;
};

class FleetMachine final : public support::SimulatedMachine {
 public:
  // BORROWS: both.
  FleetMachine(Fleet& fleet, support::SimulatedStorage& storage)
      : SimulatedMachine(storage, fleet.names(), 1, {.seconds = 1'700'000'000}), fleet_(fleet) {}

  std::uint64_t draw() override {
    const std::scoped_lock lock(mutex_);
    return SimulatedMachine::draw();
  }
  net::Resolver& names() override { return fleet_.names(); }
  std::unique_ptr<run::LoopThread> start_loop(async::DriverKind /*driver*/, LoopWork work,
                                              LoopFailure /*on_failure*/) override {
    return std::make_unique<ShipThread>(fleet_, std::move(work));
  }

 private:
  Fleet& fleet_;
  std::mutex mutex_;
};

// A crawl by several loops. The first of them takes all records.
class Crew final : public run::CrawlListener, public crawler::PageSink {
 public:
  // BORROWS: the plan.
  Crew(const Plan& plan, std::uint32_t loops, Duration slack)
      : plan_(plan), loops_(loops), fleet_(plan, loops, slack) {}

  Outcome run() {
    fleet_.live([this](async::Loop& loop) { return crawl(loop); });
    std::ranges::sort(fleet_.outcome().log, {}, &site::LogEntry::begun);
    fleet_.outcome().records = std::move(records_);
    return std::move(fleet_.outcome());
  }
  std::size_t loops_with_pages() const { return fleet_.loops_with_pages(); }

  Result<crawler::PageSink*> open_sink(const run::CrawlSettings&) override { return this; }
  async::Task<Result<void>> put(crawler::Page page) override {
    records_.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // BORROWS: the loop.
  async::Task<void> crawl(async::Loop& loop) {
    support::SimulatedStorage storage(static_cast<SimDriver&>(loop.driver()).disk());
    FleetMachine machine(fleet_, storage);
    run::CrawlSettings settings = wide_settings(plan_, fleet_.site());
    settings.threads = loops_;
    EXPECT_TRUE(run::complete(settings));
    run::Crawl crawl(std::move(settings), nullptr, machine);
    const auto end = co_await crawl.run(*this);
    const bool has_finished = end && end->reason == crawler::EndReason::finished && !end->failure;
    if (!has_finished) fleet_.problem("the crawl did not finish");
  }

  const Plan& plan_;
  const std::uint32_t loops_;
  Fleet fleet_;
  std::vector<crawler::FetchRecord> records_;
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
