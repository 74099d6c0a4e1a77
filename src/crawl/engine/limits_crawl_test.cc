// Tests exact limits of a crawl in a simulated world: tries, workers, reasons to end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "base/log.h"
#include "net/resolver.h"

namespace gossamer::crawler {
namespace {

constexpr std::string_view kBad = "http://a.example/bad";

// A host with a good root and one page that is always bad.
TestWeb web_with(Reply bad) {
  TestWeb web;
  web.page(kRoot, {"/bad"}).at(kBad, std::move(bad));
  return web;
}

TEST(LimitsCrawl, APageIsFetchedAsOftenAsItHasTries) {
  for (const std::uint32_t tries : {1U, 2U, 4U}) {
    for (const Reply& bad : {Reply{.body = "x", .is_cut = true}, Reply{.status = 502}}) {
      TestWeb web = web_with(bad);
      Options options = from_root();
      options.tries_max = tries;
      options.obeys_robots = false;
      const Crawled crawled = web.crawl(std::move(options));
      EXPECT_EQ(crawled.times_asked(kBad), tries);
      EXPECT_EQ(crawled.find(kBad)->tries, tries);
      EXPECT_EQ(crawled.end, EndReason::finished);
    }
  }
}

// Its robots.txt shows that the host is up, so the page itself is bad.
TEST(LimitsCrawl, TheLastTryIsRepeatedOnceTheHostIsKnownToBeUp) {
  for (const std::uint32_t tries : {1U, 2U, 4U}) {
    TestWeb web = web_with(Reply{.status = 502});
    Options options = from_root();
    options.tries_max = tries;
    const Crawled crawled = web.crawl(std::move(options));
    const bool is_repeated = tries > 1;  // one failure alone does not make a host look down
    EXPECT_EQ(crawled.times_asked(kBad), tries + (is_repeated ? 1 : 0)) << tries;
    EXPECT_EQ(crawled.times_asked("http://a.example/robots.txt"), is_repeated ? 2u : 1u) << tries;
    EXPECT_EQ(crawled.find(kBad)->tries, tries);
  }
}

// A page that is whole has all its links.
TEST(LimitsCrawl, BodiesWithoutMemoryWaitForEachOther) {
  TestWeb web;
  std::vector<std::string> pages;
  std::string links;
  for (int i = 0; i < 8; ++i) {
    pages.push_back("http://a.example/" + std::to_string(i));
    const std::string last = "<a href=/last/" + std::to_string(i) + ">";
    web.at(pages.back(), Reply{.body = "<p>" + std::string(300'000, 'x') + last});
    web.page("http://a.example/last/" + std::to_string(i), {});
    links += "<a href=" + pages.back() + ">";
  }
  web.at(kRoot, Reply{.body = links});
  Options options = from_root();
  options.body_memory_max = 200'000;
  options.keeps_text = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.urls().size(), 17U);
  for (const std::string& page : pages) {
    EXPECT_EQ(crawled.find(page)->bytes, 300'003U + std::string("<a href=/last/0>").size());
    EXPECT_TRUE(crawled.find(page)->is_extract_truncated);
    EXPECT_FALSE(crawled.find(page)->is_truncated);
  }
}

// Four bodies of 240 s have memory one after the other, but a request may take 300 s.
TEST(LimitsCrawl, ServersThatWaitForOurMemoryAreNotSlow) {
  TestWeb web;
  std::vector<std::string> pages;
  std::string links;
  for (int i = 0; i < 4; ++i) {
    pages.push_back("http://a.example/" + std::to_string(i));
    web.at(pages.back(), Reply{.body = "<p>" + std::string(120'000, 'x'), .byte_gap = 2ms});
    links += "<a href=" + pages.back() + ">";
  }
  web.at(kRoot, Reply{.body = links});
  Options options = from_root();
  options.body_memory_max = 1'000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_GT(crawled.took, 500s);
  for (const std::string& page : pages) {
    EXPECT_EQ(crawled.times_asked(page), 1U) << page;
    EXPECT_EQ(crawled.find(page)->error, "") << page;
    EXPECT_FALSE(crawled.find(page)->is_truncated) << page;
    EXPECT_LT(crawled.find(page)->facts.total, 300s) << page;
  }
}

TEST(LimitsCrawl, RulesOfManyHostsWaitForMemory) {
  TestWeb web;
  Options options = from_root();
  options.roots.clear();
  options.body_memory_max = 100'000;
  for (int i = 0; i < 8; ++i) {
    const std::string host = "http://" + std::to_string(i) + ".example";
    options.roots.push_back(host + "/");
    web.at(host + "/robots.txt",
           Reply{.body = std::string(300'000, '#') + "\nUser-agent: *\nDisallow: /x"});
    web.at(host + "/", links_to({"/x", "/y"})).page(host + "/y", {});
  }
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.urls().size(), 16U);
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::robots)], 8U);
}

TEST(LimitsCrawl, APageHasTheLinksThatFitIntoMemory) {
  TestWeb web;
  const std::string far(1000, 'x');
  web.page(kRoot, {"/1" + far, "/2" + far, "/3" + far, "/4" + far});
  Options options = from_root();
  options.body_memory_max = 3'000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.urls().size(), 3U);
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::links_per_page)], 1U);
}

TEST(LimitsCrawl, ARefusalWithATimeHasTenTriesWhateverTheLimit) {
  for (const std::uint32_t tries : {1U, 20U}) {
    TestWeb web = web_with(Reply{.status = 503, .fields = "Retry-After: 1\r\n"});
    Options options = from_root();
    options.tries_max = tries;
    const Crawled crawled = web.crawl(std::move(options));
    EXPECT_EQ(crawled.times_asked(kBad), 10u);
    EXPECT_EQ(crawled.find(kBad)->status, 503);
    EXPECT_EQ(crawled.find(kBad)->tries, 10u);
  }
}

TEST(LimitsCrawl, ARefusalWithoutATimeHasTheUsualTries) {
  TestWeb web = web_with(Reply{.status = 503});
  Options options = from_root();
  options.tries_max = 3;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kBad), 3u);
}

TEST(LimitsCrawl, TheFirstReasonToEndStays) {
  TestWeb web;
  web.at(kRoot, page_of_links(20)).otherwise("a.example", Reply{.body = "leaf", .delay = 1s});
  web.on_page = [](Engine& engine) {
    engine.stop(EndReason::interrupted);
    engine.stop(EndReason::quota);
    engine.stop_here(EndReason::time_limit);
  };
  EXPECT_EQ(web.crawl(from_root()).end, EndReason::interrupted);
}

TEST(LimitsCrawl, AnAbortReplacesAnyOtherReason) {
  TestWeb web;
  web.at(kRoot, page_of_links(20)).otherwise("a.example", Reply{.body = "leaf", .delay = 1s});
  web.on_page = [](Engine& engine) {
    engine.stop(EndReason::interrupted);
    engine.abort();
    engine.stop(EndReason::quota);
  };
  EXPECT_EQ(web.crawl(from_root()).end, EndReason::aborted);
}

TEST(LimitsCrawl, RobotsTxtMayBeRedirectedWithAnyStatusForIt) {
  for (const int status : {301, 302, 303, 307, 308}) {
    TestWeb web;
    web.page(kRoot, {"/bad", "/good"}).page("http://a.example/good", {});
    web.at("http://a.example/robots.txt", redirect_to("/rules", status));
    web.at("http://a.example/rules",
           Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /bad\n"});
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.times_asked(kBad), 0u) << status;
    EXPECT_EQ(crawled.times_asked("http://a.example/good"), 1u) << status;
    EXPECT_EQ(crawled.skipped.at(std::string(kBad)), SkipReason::robots) << status;
  }
}

TEST(LimitsCrawl, ARootMayLookLikeALogout) {
  TestWeb web;
  web.page("http://a.example/logout", {"/x", "/sign_out"});
  web.page("http://a.example/x", {});
  Options options = from_root("http://a.example/logout");
  options.avoids_logout = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/logout"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/x"), 1u);
  EXPECT_EQ(crawled.skipped.at("http://a.example/sign_out"), SkipReason::logout);
}

// Has no free descriptor for one lookup, the first by default.
class StarvedOnce final : public net::Resolver {
 public:
  explicit StarvedOnce(int at = 1) : at_(at) {}
  async::Task<Result<net::Addresses>> look_up(std::string /*host*/) override {
    if (++asked_ == at_) co_return fail(Errc::no_resources, "too many open files");
    net::Addresses found;
    found.v4.push_back(async::Endpoint::v4(10, 0, 0, 1, 0));
    co_return found;
  }

 private:
  const int at_;
  int asked_ = 0;
};

TEST(LimitsCrawl, ClosesIdleConnectionsForLackOfDescriptors) {
  for (const int starved_at : {2, 9}) {  // the latter never happens
    TestWeb web;
    StarvedOnce names(starved_at);
    web.names = &names;
    web.address("a.example", "10.0.0.1").address("b.example", "10.0.0.1");
    web.page(kRoot, {"http://b.example/", "/1"});
    web.page("http://a.example/1", {}).page("http://b.example/", {});
    Options options = from_root();
    options.scope.kind = ScopeKind::any;
    options.obeys_robots = false;
    options.concurrency = 1;
    const Crawled crawled = web.crawl(std::move(options));
    EXPECT_EQ(crawled.records.size(), 3u);
    EXPECT_EQ(crawled.connections.at("10.0.0.1"), starved_at == 2 ? 3u : 2u);
  }
}

TEST(LimitsCrawl, WorkersLeaveForLackOfDescriptorsAndReturnOneByOne) {
  TestWeb web;
  StarvedOnce names;
  web.names = &names;
  web.address("a.example", "10.0.0.1");
  web.at(kRoot, page_of_links(150)).otherwise("a.example", Reply{.body = "leaf", .delay = 1s});
  Options options = from_root();
  options.concurrency = 3;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 151u);
  EXPECT_EQ(crawled.in_flight_max, 3u);
  const auto asked_by = [&](Duration time) {
    return std::ranges::count_if(crawled.heard, [&](const Heard& heard) {
      return heard.at - crawled.heard.front().at < time;
    });
  };
  // One page per second, then two from the 32nd visit on, then three.
  EXPECT_NEAR(static_cast<double>(asked_by(20s)), 22, 2);
  EXPECT_NEAR(static_cast<double>(asked_by(40s)), 33 + 2 * 10, 4);
  EXPECT_NEAR(static_cast<double>(crawled.took / 1s), 30 + 16 + 86 / 3, 4);
}

TEST(LimitsCrawl, ACrawlDelayAtTheLimitIsKept) {
  TestWeb web;
  web.page(kRoot, {"/1"}).page("http://a.example/1", {});
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nCrawl-delay: 300\n"});
  const Crawled crawled = web.crawl(std::string(kRoot));
  EXPECT_EQ(crawled.records.size(), 2u);
  EXPECT_GE(crawled.shortest_gap(), 300s);
}

TEST(LimitsCrawl, SaysWhyTheRulesOfAHostAreUnknown) {
  TestWeb web;
  web.page(kRoot, {}).at("http://a.example/robots.txt", Reply{.status = 500});
  web.page("http://b.example/", {});
  web.at("http://b.example/robots.txt", Reply{.body = "never complete", .is_cut = true});
  Options options = from_root();
  options.roots.push_back("http://b.example/");
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.skipped.at(std::string(kRoot)), SkipReason::robots_unreachable);
  EXPECT_EQ(crawled.skip_details.at(std::string(kRoot)), "robots.txt: status 500");
  const FetchRecord* const failed = crawled.find("http://b.example/");
  ASSERT_NE(failed, nullptr) << "without a response it is a failure";
  EXPECT_EQ(failed->error, "peer_closed");
  EXPECT_THAT(failed->error_detail, testing::HasSubstr("while fetching robots.txt"));
}

// Collects the log.
class LimitsLog final : private base::LogSink {
 public:
  LimitsLog() { base::set_log_sink(this); }
  ~LimitsLog() override { base::set_log_sink(nullptr); }

  std::vector<std::string> lines;

 private:
  void write(base::LogLevel, std::string_view line) noexcept override { lines.emplace_back(line); }
};

TEST(LimitsCrawl, SaysThatItContinuesWithFewerFetches) {
  for (const std::uint32_t concurrency : {1, 3}) {
    TestWeb web;
    StarvedOnce names;
    web.names = &names;
    web.address("a.example", "10.0.0.1").page(kRoot, {});
    Options options = from_root();
    options.concurrency = concurrency;
    const LimitsLog log;
    EXPECT_EQ(web.crawl(std::move(options)).records.size(), 1u);
    if (concurrency == 1) {
      EXPECT_THAT(log.lines, testing::IsEmpty()) << "there cannot be fewer";
    } else {
      EXPECT_THAT(log.lines,
                  testing::ElementsAre("warn: no free file descriptors: continuing with 1 "
                                       "concurrent fetches\n"));
    }
  }
}

}  // namespace
}  // namespace gossamer::crawler
