// A thousand worlds in which a crawl dies again and again, and goes on: nothing is lost, and
// nothing is asked for twice but what was in flight.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/crawl_worlds.h>
#include <tests/sim/seeds.h>
#include <tests/support/simulated_tables.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "base/random.h"
#include "crawl/crawl.h"
#include "crawl/engine.h"
#include "crawl/memory_frontier.h"
#include "crawl/shards.h"
#include "http/client.h"
#include "net/caching_resolver.h"
#include "net/connector.h"
#include "sim/named_hosts.h"
#include "sim/world.h"
#include "site/site.h"
#include "site/site_server.h"
#include "store/kept_work.h"
#include "store/page_row.h"
#include "store/page_table.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;
constexpr std::size_t kLivesMax = 6;  // the last one may live for ever

enum class Death : std::uint8_t { none, killed, power_cut, stopped, failed_sync };

struct Life {
  Death death = Death::none;
  Duration length = Duration::max();
  std::size_t head_max = 4096;  // small: most of what waits is on disk
  std::uint32_t shards = 1;     // engines among which the hosts are dealt
};

class NoSink final : public crawl::PageSink {
 public:
  async::Task<Result<void>> put(crawl::Page /*page*/) override { co_return {}; }
};

std::set<std::string> pages_in(const store::Tables& tables) {
  std::set<std::string> urls;
  static_cast<void>(tables.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
    const auto page = store::unpack_page(row);
    EXPECT_TRUE(page);
    if (page) urls.insert(page->url);
    return true;
  }));
  return urls;
}

// One process in one world, from its start to its death.
class Process {
 public:
  Process(const Plan& plan, const Life& life, store::SimulatedTables& tables, std::uint64_t seed,
          WallTime wall_start)
      : plan_(plan),
        life_(life),
        tables_(tables),
        site_(plan.site),
        random_(base::Random(seed).fork("process")),
        names_(seed, plan.is_calm ? NamedHostsOptions() : NamedHostsOptions::stormy(random_)),
        wall_start_(wall_start) {}

  // BORROWS: the process.
  async::Task<void> run() {
    async::Scope servers(async::OnFailure::keep_going);
    async::Scope background(async::OnFailure::keep_going);
    site::SiteServer server(site_, {.idle_max = 300s});
    for (std::size_t i = 0; i < plan_.site.hosts.size(); ++i) {
      names_.add(plan_.site.hosts[i], plan_.address_of(i));
      servers.spawn(server.run(plan_.address_of(i)));
    }
    {
      net::CachingResolver resolver(names_, background);
      net::Connector connector(resolver, net::AddressGuard({.allow_private = true}));
      http::ClientOptions options;
      options.deadlines.first_byte = 30s;
      http::Client client(connector, nullptr, std::move(options));
      co_await crawl(client, resolver, background);
      client.close_idle();
      background.cancel();
      static_cast<void>(co_await background.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    for (const site::LogEntry& entry : server.log()) {
      if (entry.begun <= died_) log.push_back(entry);
    }
  }

  std::vector<site::LogEntry> log;
  bool has_finished = false;
  Instant begun() const { return begun_; }
  Instant died() const { return died_; }

 private:
  // BORROWS: all.
  async::Task<void> crawl(http::Client& client, net::Resolver& resolver, async::Scope& scope) {
    begun_ = async::Loop::current().now();
    crawl::World world = {.client = client,
                          .resolver = &resolver,
                          .random = random_,
                          .scope = scope,
                          .wall_start = wall_start_,
                          .loop_start = begun_};
    store::Ledger ledger(tables_, store::Durability::group);
    store::KeptWork work(
        ledger, {.wall_start = wall_start_, .loop_start = begun_, .head_max = life_.head_max});
    NoSink nowhere;
    store::PageTable pages(ledger, crawl_options(plan_, site_).identity, nowhere);
    const crawl::FrontierOptions options =
        crawl::frontier_options(crawl_options(plan_, site_), world);
    crawl::Shards shards(life_.shards, options);
    ledger.on_trouble([&] {
      const bool is_full = *ledger.trouble() == Errc::no_space;
      on_all([is_full](crawl::Engine& engine) {
        if (is_full) return engine.pause();
        engine.stop(crawl::EndReason::failed);
      });
    });
    has_finished = true;
    async::Scope watchers(async::OnFailure::keep_going);
    async::Scope engines(async::OnFailure::keep_going);
    for (std::uint32_t i = 0; i < life_.shards; ++i) {
      engines.spawn(crawl_shard({world, shards, i, work, pages}, options));
    }
    watchers.spawn(die());
    watchers.spawn(sync(ledger));
    static_cast<void>(co_await engines.join());
    if (died_ == base::kNever) {
      died_ = async::Loop::current().now();
      static_cast<void>(ledger.try_again());
      ledger.commit();
      has_finished = has_finished && !ledger.trouble();
    }
    watchers.cancel();
    static_cast<void>(co_await watchers.join());
  }

  struct ShardParts {
    crawl::World& world;
    crawl::Shards& shards;
    std::uint32_t index;
    store::KeptWork& work;
    crawl::PageSink& sink;
  };
  // BORROWS: the parts.
  async::Task<void> crawl_shard(ShardParts parts, crawl::FrontierOptions frontier_options) {
    const bool is_alone = life_.shards == 1;
    store::KeptShare share(parts.work, {.index = parts.index, .count = life_.shards});
    crawl::MemoryFrontier frontier(async::Loop::current(), std::move(frontier_options),
                                   is_alone ? nullptr : parts.shards.share(), &share);
    wire::CookieJar cookies;
    crawl::Options options = crawl_options(plan_, site_);
    options.grace = 1s;
    crawl::Engine engine(parts.world, std::move(options), frontier, parts.sink, cookies,
                         is_alone ? nullptr : &parts.shards[parts.index]);
    engines_.push_back(&engine);
    parts.shards[parts.index].join_in(async::Loop::current(), engine);
    const auto end = co_await engine.run();
    has_finished = has_finished && end && *end == crawl::EndReason::finished;
    std::erase(engines_, &engine);
    if (!is_alone) EXPECT_TRUE(co_await parts.shards[parts.index].leave());
  }

  template <class Change>
  void on_all(Change change) {
    for (crawl::Engine* const engine : std::vector(engines_)) change(*engine);
  }

  async::Task<Result<void>> die() {
    if (life_.length == Duration::max()) co_return {};
    if (auto slept = co_await async::sleep(life_.length); !slept) co_return slept;
    if (life_.death == Death::stopped) {
      on_all([](crawl::Engine& engine) { engine.stop(crawl::EndReason::interrupted); });
      co_return {};
    }
    died_ = async::Loop::current().now();
    tables_.freeze();
    on_all([](crawl::Engine& engine) { engine.abort(); });
    co_return {};
  }

  // BORROWS: the ledger.
  async::Task<Result<void>> sync(store::Ledger& ledger) {
    for (;;) {
      if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
      const bool was_full = ledger.trouble() && *ledger.trouble() == Errc::no_space;
      if (was_full && ledger.try_again()) {
        on_all([](crawl::Engine& engine) { engine.resume(); });
      }
      if (auto synced = tables_.sync(); !synced) ledger.fail_with(std::move(synced).error());
    }
  }

  const Plan& plan_;
  const Life life_;
  store::SimulatedTables& tables_;
  const site::Site site_;
  base::Random random_;
  NamedHosts names_;
  const WallTime wall_start_;
  std::vector<crawl::Engine*> engines_;  // that are at work
  Instant begun_ = {};
  Instant died_ = base::kNever;
};

// All lives of one crawl.
class Lives {
 public:
  Lives(const Plan& plan, std::uint64_t seed)
      : plan_(plan), seed_(seed), random_(base::Random(seed).fork("lives")) {}

  Outcome live() {
    for (std::size_t life = 0; life < kLivesMax && !has_finished_; ++life) {
      live_once(life, draw_life(life));
    }
    if (!has_finished_) problem("it never came to its end");
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    EXPECT_TRUE(tables_.scan(store::Table::pages, {}, [&](auto, std::string_view row) {
      outcome_.records.push_back(store::unpack_page(row).value());
      return true;
    }));
    EXPECT_TRUE(tables_.scan(store::Table::waiting, {}, [&](auto, auto) {
      problem("something still waits");
      return true;
    }));
    return std::move(outcome_);
  }

  std::size_t deaths = 0;
  std::size_t repeats = 0;

 private:
  Life draw_life(std::size_t index) {
    Life life;
    if (random_.chance(0.5)) life.head_max = 1 + random_.below(4);
    life.shards = static_cast<std::uint32_t>(1 + random_.below(3));
    if (index + 1 == kLivesMax) return life;
    life.death = static_cast<Death>(1 + random_.below(4));
    life.length = draw({10ms, plan_.is_stranger ? Duration(60s) : Duration(3s)}, random_);
    return life;
  }

  void live_once(std::size_t index, const Life& life) {
    const std::set<std::string> done = pages_in(tables_);
    if (life.death == Death::failed_sync) tables_.fail_sync(1 + random_.below(3));
    if (random_.chance(0.3)) tables_.fail_write(1 + random_.below(40), Errc::no_space);
    SimOptions options = plan_.world;
    options.seed = seed_ * 31 + index;
    World world(options);
    Process process(plan_, life, tables_, options.seed, wall_);
    world.run(process.run());
    EXPECT_EQ(world.loop().live_tasks(), 0u);
    has_finished_ = process.has_finished;
    judge_requests(process, life, done);
    wall_ = wall_ + (process.died() - process.begun());
    if (has_finished_) return;
    ++deaths;
    if (life.death == Death::power_cut || life.death == Death::failed_sync) {
      tables_.cut_power(random_.below(tables_.unsynced() + 1));
    }
    tables_.reopen();
  }

  void judge_requests(const Process& process, const Life& life, const std::set<std::string>& done) {
    const std::set<std::string> now = pages_in(tables_);
    std::set<std::string> in_flight;
    for (site::LogEntry entry : process.log) {
      const std::string url = "http://" + entry.host + entry.target;
      const bool is_page = entry.target != "/robots.txt";
      if (is_page && done.contains(url)) problem("asked for again: " + url);
      if (is_page && !now.contains(url)) in_flight.insert(url);
      entry.begun = Instant(entry.begun - process.begun() + wall_of_start());
      outcome_.log.push_back(std::move(entry));
    }
    repeats += in_flight.size();
    const std::size_t at_once = 64 * plan_.site.hosts.size();
    if (life.death == Death::killed && in_flight.size() > at_once) {
      problem(fmt::format("{} are lost at once", in_flight.size()));
    }
  }

  Duration wall_of_start() const {
    return std::chrono::seconds(wall_.seconds - 1'700'000'000) + Duration(wall_.nanoseconds);
  }

  void problem(std::string text) { outcome_.problems.push_back(std::move(text)); }

  const Plan& plan_;
  const std::uint64_t seed_;
  base::Random random_;
  store::SimulatedTables tables_;
  WallTime wall_ = {.seconds = 1'700'000'000};
  bool has_finished_ = false;
  Outcome outcome_;
};

TEST(JobWorlds, WhateverKillsItTheCrawlGoesOnAndLosesNothing) {
  const auto [first, count] = seeds_to_run(kSeeds);
  std::size_t pages = 0;
  std::size_t deaths = 0;
  std::size_t repeats = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const Plan plan = draw_plan(seed);
    Lives lives(plan, seed);
    const Outcome outcome = lives.live();
    Judge judge(plan, outcome);
    judge.check_records();
    judge.check_pauses();
    const std::vector<std::string> problems = judge.take_problems();
    ASSERT_TRUE(problems.empty()) << fmt::format("{}", fmt::join(problems, "\n")) << "\n("
                                  << problems.size() << " problems) again: GOSSAMER_SEED=" << seed;
    pages += outcome.records.size();
    deaths += lives.deaths;
    repeats += lives.repeats;
  }
  fmt::print("{} worlds: {} pages, {} deaths, {} in flight then\n", count, pages, deaths, repeats);
  if (count < kSeeds) return;
  EXPECT_GT(deaths, count) << "these lives are too long to show anything";
  EXPECT_GT(repeats, count) << "nothing was in flight";
}

}  // namespace
}  // namespace gossamer::sim
