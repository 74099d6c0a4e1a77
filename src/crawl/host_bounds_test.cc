// Domains that answer under every name below them: hosts without end.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <string>
#include <utility>

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

}  // namespace
}  // namespace gossamer::crawl
