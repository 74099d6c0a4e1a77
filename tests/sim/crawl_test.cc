// A thousand worlds in which a synthetic site is crawled over a flaky network. What must be fetched
// is known from the graph that the site is made from; what was fetched, and when, the servers know.

#include "crawl/crawl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <tests/sim/seeds.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/random.h"
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
#include "url/crawl_identity.h"

namespace gossamer::sim {
namespace {

constexpr std::uint64_t kSeeds = 1000;

// What one world is like.
struct Plan {
  SimOptions world;
  site::SiteOptions site;
  site::TruthOptions truth;
  bool is_calm = false;      // no faults: everything is asked for exactly once
  bool is_stranger = false;  // of the internet, so with pauses
  std::size_t shards = 1;    // engines among which the hosts are dealt
};

Plan draw_plan(std::uint64_t seed) {
  base::Random random = base::Random(seed).fork("crawl");
  Plan plan;
  plan.is_calm = random.chance(0.25);
  plan.is_stranger = random.chance(0.5);
  plan.world = plan.is_calm ? calm_options(seed) : draw_options(seed);
  plan.site = site::SiteOptions::drawn(seed);
  plan.site.hosts = {"site.example", "www.site.example", "other.example"};
  plan.site.hosts.resize(1 + random.below(3));
  if (plan.is_calm) {
    plan.site.set_faults(site::FaultLevel::none);
  } else if (random.chance(0.5)) {
    plan.site.set_faults(random.chance(0.5) ? site::FaultLevel::some : site::FaultLevel::many);
  }
  if (random.chance(0.2)) plan.site.crawl_delay = draw({Duration::zero(), 5s}, random);
  plan.truth.uses_sitemaps = random.chance(0.3);
  plan.truth.with_assets = random.chance(0.3);
  plan.truth.follows_nofollow = random.chance(0.3);
  if (random.chance(0.3)) plan.truth.depth_max = static_cast<std::uint32_t>(random.below(5));
  // The second host differs by its "www." alone, so it is of the crawl, too.
  plan.truth.roots = {0};
  if (plan.site.hosts.size() > 1) plan.truth.roots.push_back(1);
  if (plan.site.hosts.size() > 2 && random.chance(0.7)) plan.truth.roots.push_back(2);
  plan.shards = 1 + random.below(3);
  return plan;
}

crawl::Options crawl_options(const Plan& plan, const site::Site& site) {
  crawl::Options options;
  for (const std::uint32_t host : plan.truth.roots) options.roots.push_back(site.root(host));
  options.reads_sitemaps = plan.truth.uses_sitemaps;
  options.scope.assets = plan.truth.with_assets;
  options.obeys_nofollow = !plan.truth.follows_nofollow;
  options.scope.depth_max = plan.truth.depth_max;
  // So that whatever can be had is had at last.
  options.tries_max = 40;
  options.politeness.failures_max = 60'000;
  options.politeness.refusals_max = 60'000;
  options.politeness.backoff_max = 30s;
  return options;
}

struct Outcome {
  std::vector<crawl::FetchRecord> records;
  std::vector<site::LogEntry> log;
  std::vector<std::string> problems;
};

// One world: the servers, and the crawl of them.
class Universe final : public crawl::PageSink {
 public:
  Universe(const Plan& plan, std::uint64_t seed)
      : plan_(plan),
        site_(plan.site),
        random_(base::Random(seed).fork("universe")),
        names_(seed, plan.is_calm ? NamedHostsOptions() : NamedHostsOptions::stormy(random_)) {}

  // BORROWS: the universe.
  async::Task<Outcome> run() {
    async::Scope servers(async::OnFailure::keep_going);
    async::Scope background(async::OnFailure::keep_going);
    site::SiteServer server(site_, {.idle_max = 300s});
    for (std::size_t i = 0; i < plan_.site.hosts.size(); ++i) {
      const auto last = static_cast<std::uint8_t>(i + 1);
      const auto at = plan_.is_stranger ? async::Endpoint::v4(93, 184, last, 1, 80)
                                        : async::Endpoint::v4(10, 0, 0, last, 80);
      names_.add(plan_.site.hosts[i], at);
      servers.spawn(server.run(at));
    }
    {
      net::CachingResolver resolver(names_, background);
      net::Connector connector(resolver, net::AddressGuard({.allow_private = true}));
      http::ClientOptions options;
      options.deadlines.first_byte = 30s;
      http::Client client(connector, nullptr, std::move(options));
      co_await crawl(client, resolver, background);
      client.close_idle();
      if (client.pool().open() > 0) problem("a connection is still open");
      background.cancel();
      static_cast<void>(co_await background.join());
    }
    servers.cancel();
    static_cast<void>(co_await servers.join());
    outcome_.log = server.log();
    std::ranges::sort(outcome_.log, {}, &site::LogEntry::begun);
    co_return std::move(outcome_);
  }

  async::Task<Result<void>> put(crawl::Page page) override {
    outcome_.records.push_back(std::move(page.record));
    co_return {};
  }

 private:
  // BORROWS: all.
  async::Task<void> crawl(http::Client& client, net::Resolver& resolver, async::Scope& scope) {
    crawl::World world = {.client = client,
                          .resolver = &resolver,
                          .random = random_,
                          .scope = scope,
                          .wall_start = {.seconds = 1'700'000'000},
                          .loop_start = async::Loop::current().now()};
    const crawl::FrontierOptions options =
        crawl::frontier_options(crawl_options(plan_, site_), world);
    crawl::Shards shards(plan_.shards, options);
    async::Scope engines(async::OnFailure::keep_going);
    for (std::size_t i = 0; i < plan_.shards; ++i) {
      engines.spawn(crawl_shard(world, shards, i, options));
    }
    static_cast<void>(co_await engines.join());
    if (!shards.share()->work.is_done()) problem("something is open");
  }

  // BORROWS: world and shards.
  async::Task<void> crawl_shard(crawl::World& world, crawl::Shards& shards, std::size_t index,
                                crawl::FrontierOptions options) {
    crawl::MemoryFrontier frontier(async::Loop::current(), std::move(options), shards.share());
    wire::CookieJar cookies;
    crawl::Engine engine(world, crawl_options(plan_, site_), frontier, *this, cookies,
                         &shards[index]);
    shards[index].join_in(async::Loop::current(), engine);
    const auto end = co_await engine.run();
    if (!end || *end != crawl::EndReason::finished) problem("the crawl did not finish");
    if (!co_await shards[index].leave()) problem("cancelled");
  }

  void problem(std::string text) { outcome_.problems.push_back(std::move(text)); }

  const Plan& plan_;
  const site::Site site_;
  base::Random random_;
  NamedHosts names_;
  Outcome outcome_;
};

// Holds what happened against what must have happened.
class Judge {
 public:
  Judge(const Plan& plan, const Outcome& outcome)
      : plan_(plan), outcome_(outcome), truth_(site::Site(plan.site).truth(plan.truth)) {}

  std::vector<std::string> problems() {
    problems_ = outcome_.problems;
    for (const site::TruthEntry& entry : truth_.entries) {
      if (entry.next_url == entry.url) loops_.insert(entry.url);
    }
    check_records();
    check_requests();
    check_pauses();
    return std::move(problems_);
  }

 private:
  void check_records() {
    std::map<std::string, const site::TruthEntry*> wanted;
    for (const site::TruthEntry& entry : truth_.entries) {
      if (entry.must_fetch) wanted.emplace(entry.url, &entry);
    }
    std::set<std::string> got;
    for (const crawl::FetchRecord& record : outcome_.records) {
      const std::string url = normal(record.url);
      if (!got.insert(url).second && !loops_.contains(url)) problem("two records of " + url);
      if (is_sitemap(url)) continue;
      const auto found = wanted.find(url);
      if (found == wanted.end()) {
        problem("not to be fetched: " + record.url);
        continue;
      }
      if (record.status.value_or(0) != found->second->status) {
        problem(fmt::format("{} has status {}, not {}: {}", record.url, record.status.value_or(0),
                            found->second->status, record.error_detail));
      }
      if (normal(record.next_url) != found->second->next_url)
        problem("elsewhere: " + record.next_url);
      if (plan_.truth.depth_max && record.depth != found->second->depth) {
        problem(fmt::format("{} is at depth {}, not {}, via {}", record.url, record.depth,
                            found->second->depth, record.via));
      }
    }
    for (const auto& [url, entry] : wanted) {
      if (!got.contains(url)) problem("never fetched: " + url);
    }
  }

  void check_requests() {
    std::set<std::string> hosts;
    std::map<std::string, std::size_t> times;
    for (const site::LogEntry& entry : outcome_.log) {
      const std::string url = normal("http://" + entry.host + entry.target);
      const bool is_robots = entry.target == "/robots.txt";
      if (hosts.insert(entry.host).second && !is_robots)
        problem("a page before robots.txt: " + url);
      const bool is_again = ++times[url] > 1 && !loops_.contains(url);
      if (is_again && plan_.is_calm) problem("asked for twice: " + url);
    }
    for (const site::TruthEntry& entry : truth_.entries) {
      if (!entry.is_allowed && times.contains(entry.url)) problem("forbidden: " + entry.url);
    }
  }

  // By the servers' clocks. A request may be late on the way by what the network does.
  void check_pauses() {
    if (!plan_.is_stranger) return;
    const NetworkOptions& network = plan_.world.network;
    const Duration late = network.delay.most + network.jitter;
    const Duration wanted = plan_.site.has_robots ? plan_.site.crawl_delay : Duration::zero();
    const Duration pause = std::max<Duration>(1s, wanted - 10ms);  // it is written in decimals
    std::map<std::string, const site::LogEntry*> last;
    for (const site::LogEntry& entry : outcome_.log) {
      const site::LogEntry* const before = std::exchange(last[entry.host], &entry);
      if (before == nullptr) continue;
      // What a dying connection carried is repeated at once on another one; its answer, even if it
      // was sent, never arrived.
      if (before->target == entry.target) continue;
      const Duration gap = entry.begun - before->begun;
      const bool knows_rules = entry.target != "/robots.txt" && before->target != "/robots.txt";
      if (gap < (knows_rules ? pause : Duration(1s)) - late) {
        problem(fmt::format("{} after {}", entry.target, base::to_string(gap)));
      }
    }
  }

  // As the truth spells it.
  std::string normal(const std::string& text) {
    const auto url = url::Url::parse(text);
    return url ? std::string(identity_.normal_form(*url)) : text;
  }
  static bool is_sitemap(const std::string& url) { return url.contains("sitemap"); }
  void problem(std::string text) { problems_.push_back(std::move(text)); }

  const Plan& plan_;
  const Outcome& outcome_;
  const site::Truth truth_;
  url::CrawlIdentity identity_;
  // What redirects to itself. Found in another spelling, it may only want its own.
  std::set<std::string> loops_;
  std::vector<std::string> problems_;
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
