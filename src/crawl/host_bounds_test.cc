// Domains that answer under every name below them: hosts without end.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "crawl/memory_frontier.h"

namespace gossamer::crawl {
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

// Each page leads to hosts that nobody has met, of ever new domains.
TEST(HostMemory, EndsTheCrawlWhenThereIsNoMore) {
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
  EXPECT_EQ(stopped + crawled.records.size(), 151u) << "each is accounted for";
}

TEST(HostMemory, IsNotTakenByTheHostsOfRoots) {
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

// 500 KB of rules from each host would be more than all the rest.
TEST(HostMemory, CountsRules) {
  TestWeb web;
  list_hosts(web);
  for (int i = 0; i < kHostsListed; ++i) {
    web.at(fmt::format("http://single{}.org/robots.txt", i),
           Reply{.type = "text/plain", .body = std::string(300'000, '#')});
  }
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.host_bytes_max = 1'000'000;
  EXPECT_EQ(web.crawl(std::move(options)).end, EndReason::memory_limit);
}

// Remembers what it was told to keep.
class NotingBacklog final : public Backlog {
 public:
  void recall(Recall) override {}
  Kept add(std::string_view origin, std::optional<std::uint64_t>, const Target&, std::uint32_t,
           std::span<const KeptCount>) override {
    origins.emplace_back(origin);
    return {.ticket = origins.size()};
  }
  More more(std::string_view) override { return {}; }
  std::uint64_t send(std::optional<std::uint64_t>, const Target&) override { return 0; }
  void end(std::uint64_t) override {}
  void note_host(std::string_view, const PaceMemory&) override {}
  void note_rules(std::string_view, const KeptRules&) override {}
  void commit() override {}

  std::vector<std::string> origins;
};

// In a job nothing is lost: what is found while the crawl ends is on disk alone.
TEST(HostMemory, IsNotTakenByHostsThatAreFoundAtTheEnd) {
  sim::World world(sim::calm_options());
  const async::Loop::Running running(world.loop());
  NotingBacklog backlog;
  MemoryFrontier frontier(world.loop(), {}, nullptr, &backlog);
  frontier.limit_hosts(30'000, [&] { frontier.close(); });
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    const auto url = url::Url::parse(fmt::format("http://h{}.example/", i));
    EXPECT_EQ(frontier.discover(*url, i + 1, {}), Discovery::added);
    EXPECT_EQ(frontier.discover(*url, i + 1, {}), Discovery::seen);
  }
  EXPECT_EQ(backlog.origins.size(), 1'000u);
  EXPECT_EQ(frontier.waiting(), 1'000u);
  EXPECT_GT(frontier.hosts(), 10u);
  EXPECT_LT(frontier.hosts(), 30u);
}

}  // namespace
}  // namespace gossamer::crawl
