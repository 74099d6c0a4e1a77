// Tests domains that answer for every subdomain: endless hosts.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_backlog.h>
#include <tests/support/frontier_test_case.h>
#include <tests/support/steered_crawl.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "engine/engine.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "frontier/site_number.h"
#include "wire/cookie_jar.h"

namespace gossamer::crawler {
namespace {

constexpr int kHostsListed = 50;

// A page that links to many hosts of one domain, two pages of each, and to many domains.
void list_hosts(TestWeb& web) {
  std::string links;
  for (int i = 0; i < kHostsListed; ++i) {
    for (const std::string& url :
         {fmt::format("http://h{}.wild.com/", i), fmt::format("http://h{}.wild.com/x", i),
          fmt::format("http://single{}.org/", i)}) {
      links += fmt::format("<a href={}>", url);
      web.page(url, {});
    }
  }
  web.at(kRoot, Reply{.body = links});
}

TEST(HostsOfADomain, AreBounded) {
  TestWeb web;
  list_hosts(web);
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.traps.hosts_per_domain_max = 20;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::domain_hosts)], 60u);
  EXPECT_EQ(crawled.records.size(), 1u + 20u * 2u + 50u);
  EXPECT_EQ(crawled.times_asked("http://h19.wild.com/x"), 1u);
  EXPECT_EQ(crawled.times_asked("http://h20.wild.com/"), 0u);
}

TEST(HostsOfADomain, AreNotBoundedWithoutTheGuard) {
  TestWeb web;
  list_hosts(web);
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.traps.hosts_per_domain_max = 20;
  options.traps.domain_hosts = false;
  EXPECT_EQ(web.crawl(std::move(options)).records.size(), 151u);
}

// Each page links to new hosts of ever new domains.
TEST(HostMemory, EndsTheCrawlWhenItIsFull) {
  TestWeb web;
  list_hosts(web);
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.host_bytes_max = 30'000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::memory_limit);
  EXPECT_THAT(crawled.problems, testing::IsEmpty());
  const std::uint64_t stopped =
      crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::stopped)];
  EXPECT_EQ(stopped + crawled.records.size(), 151u) << "each URL has a result";
}

TEST(HostMemory, DoesNotCountTheHostsOfRoots) {
  TestWeb web;
  Options options = from_root();
  options.host_bytes_max = 30'000;
  web.page(kRoot, {});
  for (int i = 0; i < 100; ++i) {
    options.roots.push_back(fmt::format("http://h{}.example/", i));
    web.page(options.roots.back(), {});
  }
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.records.size(), 101u);
}

// 500 KB of rules per host would exceed everything else.
TEST(HostMemory, CountsRules) {
  TestWeb web;
  list_hosts(web);
  for (int i = 0; i < kHostsListed; ++i) {
    web.at(fmt::format("http://single{}.org/robots.txt", i),
           Reply{.type = "text/plain",
                 .body = "User-agent: *\nDisallow: /" + std::string(300'000, 'x')});
  }
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.host_bytes_max = 1'000'000;
  EXPECT_EQ(web.crawl(std::move(options)).end, EndReason::memory_limit);
}

// Crawls a root with so many links, and nothing else. BORROWS: all.
async::Task<void> crawl_root(World& world, Options options, FakeBacklog& backlog) {
  options.pages_max = 1;
  options.obeys_robots = false;
  Frontier frontier(async::Loop::current(), frontier_options(options, world), nullptr,
                    {.backlog = &backlog});
  wire::CookieJar cookies;
  SteeredSink sink;
  Engine engine(world, std::move(options), frontier, sink, cookies);
  EXPECT_TRUE(co_await engine.run());
}

std::size_t commits_for(int links) {
  TestWeb web;
  std::string page;
  for (int i = 0; i < links; ++i) page += fmt::format("<a href=/{}>", i);
  web.at(kRoot, Reply{.body = page});
  FakeBacklog backlog;
  web.visit([&](World& world) { return crawl_root(world, from_root(), backlog); });
  return backlog.commits;
}

// The backlog has links in memory until they are stored.
TEST(LinksOfALargePage, AreStoredInSteps) { EXPECT_GE(commits_for(20'000), commits_for(20) + 4); }

TEST_F(HostsOfAJob, ThatAreIdleLeave) {
  begin(free_options());
  for (int i = 0; i < 1'000; ++i) {
    add(root_of(i));
    EXPECT_EQ(next_url(), root_of(i));
    EXPECT_LE(backlog.in_memory(), 10u);
  }
  EXPECT_EQ(frontier->hosts(), 1'000u);
  EXPECT_TRUE(is_idle());
  EXPECT_FALSE(is_full);
}

TEST_F(HostsOfAJob, WithoutRoomWaitTheirTurn) {
  begin(free_options());
  std::vector<std::string> wanted;
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(add(root_of(i)), Verdict::added);
    EXPECT_EQ(add(root_of(i)), Verdict::seen);
    wanted.push_back(root_of(i));
  }
  EXPECT_EQ(frontier->waiting(), 1'000u);
  EXPECT_LE(backlog.in_memory(), 10u);
  EXPECT_EQ(frontier->hosts(), 1'000u);
  std::vector<std::string> got;
  while (!is_idle()) {
    got.push_back(next_url());
    EXPECT_LE(backlog.in_memory(), 10u);
  }
  EXPECT_EQ(got, wanted) << "first come, first served";
  EXPECT_FALSE(is_full);
}

TEST_F(HostsOfAJob, AreKnownWhenTheyAreAway) {
  begin(free_options());
  for (int i = 0; i < 100; ++i) {
    add(root_of(i));
    if (i < 50) next_url();
  }
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(frontier->knows_host(fmt::format("h{}.example", i)));
  }
  EXPECT_FALSE(frontier->knows_host("h100.example"));
  frontier->close();
}

TEST_F(HostsOfAJob, KeepTheirPauses) {
  FrontierOptions options = free_options();
  options.politeness.delay = 1h;
  begin(std::move(options));
  add("http://slow.example/1");
  next_url();
  const Instant asked = now();
  for (int i = 0; i < 100; ++i) {
    add(root_of(i));
    next_url();
  }
  EXPECT_FALSE(backlog.is_in_memory("http://slow.example"));
  add("http://slow.example/2");
  EXPECT_EQ(next_url(), "http://slow.example/2");
  EXPECT_GE(now() - asked, 1h);
}

TEST_F(HostsOfAJob, KeepTheirRules) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  for (int i = 0; i < 100; ++i) {
    add(root_of(i));
    Claim claim = next();
    ASSERT_EQ(claim.work, Work::robots);
    frontier->has_rules(std::move(claim), {}, Duration::zero(), "Disallow:");
    next_url();
  }
  add(root_of(0) + "more");
  EXPECT_EQ(next_url(), root_of(0) + "more") << "without robots.txt";
}

TEST_F(HostsOfAJob, LeaveWhenTheirTargetsAreOfALaterLevel) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  begin(std::move(options));
  for (int i = 0; i < 100; ++i) add(root_of(i));
  for (int i = 0; i < 100; ++i) {
    Claim claim = next();
    EXPECT_EQ(claim.target.depth, 0u);
    add(claim.target.url + "next", 1);
    finish(std::move(claim));
    EXPECT_LE(backlog.in_memory(), 11u);
  }
  for (int i = 0; i < 100; ++i) {
    Claim claim = next();
    EXPECT_EQ(claim.target.depth, 1u);
    finish(std::move(claim));
  }
  EXPECT_TRUE(is_idle());
  EXPECT_FALSE(is_full);
}

// A sitemap or an added root has the lowest depth. All other targets wait until it is done.
TEST_F(HostsOfAJob, WithLowerDepthReturnWhileOthersSleep) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  options.politeness.delay = 1h;
  begin(std::move(options));
  for (int i = 0; i < 10; ++i) add(root_of(i));
  for (int i = 0; i < 10; ++i) {
    Claim claim = next();
    add(claim.target.url + "next", 1);
    finish(std::move(claim));
  }
  for (int i = 10; i < 20; ++i) add(root_of(i), 2);
  add("http://near.example/", 0);
  EXPECT_EQ(next_url(), "http://near.example/");
  for (int i = 0; i < 20; ++i) {
    Claim claim = next();
    EXPECT_EQ(claim.target.depth, i < 10 ? 1u : 2u);
    finish(std::move(claim));
  }
  EXPECT_TRUE(is_idle());
}

// It requested a pause from an earlier process that is too long for this one.
TEST_F(HostsOfAJob, ThatArePausedAreNeitherAwayNorInMemory) {
  Target target;
  target.url = "http://slow.example/";
  const auto kept = backlog.add("http://slow.example", {}, target, 0, {});
  backlog.end(kept.ticket);
  backlog.let_go("http://slow.example", {});
  backlog.paces["slow.example"] = {.ready_at = now() + 20h, .refusals = 3};
  FrontierOptions options = free_options();
  options.is_continued = true;
  begin(std::move(options));
  EXPECT_EQ(add("http://slow.example/1"), Verdict::added);
  for (int i = 0; i < 100; ++i) add(root_of(i));
  std::size_t count = 0;
  for (; !is_idle(); ++count) EXPECT_NE(next_url(), "http://slow.example/1");
  EXPECT_EQ(count, 100u);
  EXPECT_EQ(frontier->unreached().urls_queued, 1u);
}

TEST_F(HostsOfAJob, OfAnEarlierProcessReturnOneByOne) {
  begin(free_options());
  for (int i = 0; i < 100; ++i) add(root_of(i));
  next_url();
  frontier->close();
  frontier.reset();
  FrontierOptions options = free_options();
  options.is_continued = true;
  FakeBacklog next_backlog;
  for (int i = 0; i < 100; ++i) {
    Target target;
    target.url = root_of(i);
    next_backlog.put_away(root_of(i).substr(0, root_of(i).size() - 1), {}, target, 0, {});
  }
  options.host_bytes_max = kTenHosts;
  frontier.emplace(world.loop(), std::move(options), nullptr,
                   FrontierSource{.backlog = &next_backlog});
  EXPECT_EQ(frontier->waiting(), 100u);
  EXPECT_EQ(frontier->hosts(), 100u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_LE(next_backlog.in_memory(), 10u);
    EXPECT_EQ(next_url(), root_of(i));
  }
  EXPECT_TRUE(is_idle());
  frontier.reset();
}

// Parked hosts are left to another process and cannot leave memory.
TEST_F(HostsOfAJob, EndTheCrawlWhenNoneCanLeave) {
  begin(free_options());
  int hosts = 0;
  for (; hosts < 100 && !is_full; ++hosts) {
    add(root_of(hosts));
    Claim claim = next();
    const std::string origin(claim.origin());
    finish(std::move(claim));
    frontier->park_host(origin, {.reason = SkipReason::host_parked, .may_pass = true},
                        [](const Target&, const OriginEnd&) {});
  }
  EXPECT_TRUE(is_full);
  EXPECT_GT(hosts, 15);
  EXPECT_LT(hosts, 25);
}

TEST_F(HostsOfAJob, ThatAreBlockedStayBlocked) {
  begin(free_options());
  for (int i = 0; i < 100; ++i) add(root_of(i));
  std::vector<std::string> dropped;
  frontier->block_host("h50.example", {.reason = SkipReason::blocked},
                       [&](const Target& target, const OriginEnd&) {
                         dropped.push_back(target.url);
                         frontier->settle(target);
                       });
  for (int i = 0; i < 99; ++i) EXPECT_NE(next_url(), root_of(50));
  EXPECT_THAT(dropped, testing::ElementsAre(root_of(50)));
  EXPECT_TRUE(is_idle());
}

// URLs that are found while the crawl ends are only on disk.
TEST_F(HostsOfAJob, DoNotReturnWhenTheCrawlEnds) {
  begin(free_options());
  frontier->close();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(add(root_of(i)), Verdict::added);
  EXPECT_EQ(frontier->waiting(), 100u);
  EXPECT_EQ(backlog.in_memory(), 0u);
}

}  // namespace
}  // namespace gossamer::crawler
