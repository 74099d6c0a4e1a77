// Crawls a synthetic site over a flaky network in a thousand worlds. The graph of the site gives
// the expected pages; the servers know what was fetched, and when.

#include "run/crawl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/support/browser_model.h>
#include <tests/support/crawl_worlds.h>
#include <tests/support/seeds.h>
#include <tests/support/simulated_machine.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "render/browser_pipe.h"
#include "settings/crawl_settings.h"
#include "site/site.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"
#include "tests/site_server/site_server.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// The browsers of all loops of a world. BORROWS: the model.
class SharedBrowsers final : public render::BrowserLauncher {
 public:
  explicit SharedBrowsers(support::BrowserModel& model) : model_(model) {}

  Result<void> check() override { return model_.check(); }
  async::Task<Result<std::unique_ptr<render::BrowserPipe>>> launch(
      render::LaunchOptions options) override {
    return model_.launch(std::move(options));
  }

 private:
  support::BrowserModel& model_;
};

// A machine with browsers.
class BrowsingMachine final : public support::SimulatedMachine {
 public:
  using SimulatedMachine::SimulatedMachine;

  std::unique_ptr<render::BrowserLauncher> make_browsers() override {
    if (browsers == nullptr) return SimulatedMachine::make_browsers();
    return std::make_unique<SharedBrowsers>(*browsers);
  }

  support::BrowserModel* browsers = nullptr;
};

// One world: the servers, and the crawl of them.
class Universe final : public run::CrawlListener, public crawler::PageSink {
 public:
  // Without browsers, no page is rendered. BORROWS: the plan and the browsers.
  Universe(const Plan& plan, std::uint64_t seed, std::shared_ptr<Disk> disk,
           support::BrowserModel* browsers)
      : plan_(plan),
        browsers_(browsers),
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
    BrowsingMachine machine(storage_, names, fate_.seed, fate_.wall_start);
    machine.browsers = browsers_;
    run::CrawlSettings settings = crawl_settings(plan_, site_);
    if (browsers_ != nullptr) settings.renders = crawler::RenderMode::always;
    settings.threads = static_cast<std::uint32_t>(plan_.shards);
    EXPECT_TRUE(run::complete(settings));
    run::Crawl crawl(std::move(settings), nullptr, machine);
    const auto end = co_await crawl.run(*this);
    const bool has_finished = end && end->reason == crawler::EndReason::finished && !end->failure;
    if (!has_finished) outcome_.problems.emplace_back("the crawl did not finish");
  }

  const Plan& plan_;
  support::BrowserModel* const browsers_;
  const site::Site site_;
  Fate fate_;
  support::SimulatedStorage storage_;
  Outcome outcome_;
};

struct Lived {
  Outcome outcome;
  std::uint64_t trace = 0;
};

Lived run_universe(const Plan& plan, std::uint64_t seed,
                   support::BrowserModel* browsers = nullptr) {
  World world(plan.world);
  Universe universe(plan, seed, world.driver().disk(), browsers);
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

constexpr std::string_view kLure = "/lure.js";

// Browsers that answer late, crash, fall silent, lie and say nonsense.
support::BrowserHabits draw_habits(base::Random& random) {
  const double trouble = random.chance(0.3) ? 0 : random.unit() * 0.02;
  return {.delay_max = std::chrono::milliseconds(random.below(2000)),
          .dies = random.unit() * trouble,
          .falls_silent = random.unit() * trouble,
          .says_nonsense = random.unit() * trouble,
          .forgets = random.unit() * trouble,
          .repeats = random.unit() * trouble,
          .lies = random.unit() * trouble};
}

// What pages must not get, and what they may.
std::vector<std::string> lures_of(const std::string& page, const site::Truth& truth) {
  const std::string origin = page.substr(0, page.find('/', sizeof("http://")));
  std::vector<std::string> lures = {origin + std::string(kLure)};
  for (const site::TruthEntry& entry : truth.entries) {
    if (lures.size() == 6) break;
    if (!entry.is_allowed && entry.url.starts_with(origin + "/")) lures.push_back(entry.url);
  }
  return lures;
}

// The parts of pages have no records and no pauses, so the judge must not see them. Those that
// robots.txt forbids must not be there.
std::size_t take_lures(Outcome& outcome) {
  return std::erase_if(outcome.log,
                       [](const site::LogEntry& entry) { return entry.target == kLure; });
}

TEST(CrawlWorlds, RenderedCrawlsKeepEveryPromiseWhateverBrowsersDo) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t rendered = 0;
  std::size_t failed = 0;
  std::size_t parts = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_plan(seed);
    base::Random random = base::Random(seed).fork("browsers");
    support::BrowserModel browsers(seed, draw_habits(random));
    const site::Truth truth = site::Site(plan.site).truth(plan.truth);
    browsers.lures = [&truth](const std::string& page) { return lures_of(page, truth); };
    Lived run = run_universe(plan, seed, &browsers);
    parts += take_lures(run.outcome);
    const std::vector<std::string> problems = Judge(plan, run.outcome).problems();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
    ASSERT_EQ(browsers.running, 0U) << "again: GOSSAMER_SEED=" << seed;
    ASSERT_EQ(browsers.tabs, 0U) << "again: GOSSAMER_SEED=" << seed;
    for (const crawler::FetchRecord& record : run.outcome.records) {
      if (!record.rendering) continue;
      ++(record.rendering->error.empty() ? rendered : failed);
    }
  }
  fmt::print("{} worlds: {} pages rendered, {} not, {} parts\n", count, rendered, failed, parts);
  if (count < kSeeds) return;
  EXPECT_GT(rendered, 10 * count) << "these sites are too small to show anything";
  EXPECT_GT(failed, rendered / 100) << "these browsers are too good to show anything";
  EXPECT_GT(parts, rendered / 2) << "these pages request too little to show anything";
}

TEST(CrawlWorlds, OneSeedIsOneRun) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Plan plan = draw_plan(seed);
    EXPECT_EQ(run_universe(plan, seed).trace, run_universe(plan, seed).trace) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gossamer::sim
