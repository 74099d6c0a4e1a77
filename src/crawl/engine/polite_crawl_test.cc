// Tests politeness as the servers see it, in a simulated world.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kRobots = "http://a.example/robots.txt";

Reply robots_txt(std::string body, int status = 200) {
  return {.status = status, .type = "text/plain", .body = std::move(body)};
}

// A public host with this many pages.
TestWeb stranger(int pages) {
  TestWeb web;
  web.address("a.example", kStrangerAddress);
  web.at(kRoot, page_of_links(pages)).otherwise("a.example", Reply{.body = "leaf"});
  return web;
}

TEST(PoliteCrawl, SendsOneRequestPerSecondToAPublicHost) {
  TestWeb web = stranger(10);
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 11u);
  EXPECT_GE(crawled.shortest_gap(), 1s);
  EXPECT_EQ(crawled.in_flight_max, 1u);
  EXPECT_LT(crawled.took, 14s);
}

TEST(PoliteCrawl, PausesTenTimesTheResponseTime) {
  TestWeb web = stranger(4);
  web.otherwise("a.example", Reply{.body = "leaf", .delay = 500ms});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_GT(crawled.took, 17s);
  EXPECT_EQ(crawled.records.size(), 5u);
}

TEST(PoliteCrawl, AHostWithAPublicAddressIsNotLocal) {
  sim::NamedHosts names(1);
  names.add("a.example", "10.0.0.9");
  names.add("a.example", kStrangerAddress);
  TestWeb web = stranger(4);
  web.names = &names;
  web.guard = {};
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 5u);
  EXPECT_GE(crawled.shortest_gap(), 1s);
}

TEST(PoliteCrawl, IsFastOnThisMachine) {
  TestWeb web;
  web.at(kRoot, page_of_links(200)).otherwise("a.example", Reply{.body = "leaf", .delay = 10ms});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 201u);
  EXPECT_LT(crawled.took, 200ms);
}

TEST(PoliteCrawl, KeepsTheDelayOption) {
  TestWeb web = stranger(5);
  Options options = from_root();
  options.politeness.delay = 3s;
  options.politeness.host_concurrency = 4;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_GE(crawled.shortest_gap(), 3s - 5ms) << "connecting takes a part of it";
}

TEST(PoliteCrawl, SparesAnAddressThatManyHostsShare) {
  TestWeb web;
  Options options;
  for (int i = 0; i < 50; ++i) {
    const std::string host = fmt::format("h{}.example", i);
    web.address(host, kStrangerAddress);
    web.page("http://" + host + "/", {"/x"});
    options.roots.push_back(host);
  }
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 100u);
  EXPECT_GE(crawled.shortest_gap(), 500ms - 5ms);
  EXPECT_LT(crawled.took, 80s) << "150 requests, half a second each";
}

TEST(PoliteCrawl, KeepsTheRateOfTheWholeCrawl) {
  TestWeb web;
  Options options;
  for (int i = 0; i < 20; ++i) {
    options.roots.push_back(fmt::format("h{}.example", i));
    web.page("http://" + options.roots.back() + "/", {"/x"});
  }
  options.global_gap = 100ms;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 40u);
  EXPECT_GE(crawled.shortest_gap(), 95ms);
}

TEST(PoliteCrawl, ObeysACrawlDelay) {
  TestWeb web = stranger(3);
  web.at(kRobots, robots_txt("User-agent: *\nCrawl-delay: 10\n"));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 4u);
  EXPECT_GE(crawled.shortest_gap(), 10s);
}

TEST(PoliteCrawl, SkipsAHostWithTooLongACrawlDelay) {
  TestWeb web = stranger(3);
  web.at(kRobots, robots_txt("User-agent: *\nCrawl-delay: 600\n"));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.heard.size(), 1u);
  EXPECT_EQ(crawled.skipped.at(std::string(kRoot)), SkipReason::crawl_delay);
}

TEST(PoliteCrawl, FetchesRobotsOnceAndBeforeAnyPage) {
  TestWeb web;
  web.at(kRobots, Reply{.type = "text/plain", .body = "", .delay = 5s});
  Options options = from_root();
  options.concurrency = 8;
  for (int i = 0; i < 20; ++i) options.roots.push_back(fmt::format("http://a.example/{}", i));
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kRobots), 1u);
  EXPECT_EQ(crawled.heard.front().url, kRobots);
  EXPECT_GE(crawled.heard[1].at - crawled.heard[0].at, 5s);
  EXPECT_EQ(crawled.records.size(), 21u);
}

struct RobotsRow {
  std::string_view what;
  std::vector<Reply> replies;
  bool may_fetch;
};

TEST(PoliteCrawl, ReadsRobotsTxtAsTheRfcSays) {
  const Reply forbidding = robots_txt("User-agent: *\nDisallow: /\n");
  const std::vector<RobotsRow> rows = {
      {"rules", {forbidding}, false},
      {"rules for others", {robots_txt("User-agent: otherbot\nDisallow: /\n")}, true},
      {"404", {robots_txt("User-agent: *\nDisallow: /\n", 404)}, true},
      {"401", {robots_txt("", 401)}, true},
      {"403", {robots_txt("", 403)}, true},
      {"429", {robots_txt("", 429)}, false},
      {"500", {robots_txt("", 500)}, false},
      {"503, then rules that allow", {robots_txt("", 503), robots_txt("")}, true},
      {"a page", {Reply{.body = "<html><p>Welcome"}}, true},
      {"cut", {Reply{.type = "text/plain", .body = std::string(100, 'x'), .is_cut = true}}, false},
  };
  for (const RobotsRow& row : rows) {
    TestWeb web;
    web.page(kRoot, {}).at(kRobots, row.replies);
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.times_asked(kRoot), row.may_fetch ? 1u : 0u) << row.what;
    EXPECT_THAT(crawled.problems, IsEmpty()) << row.what;
  }
}

TEST(PoliteCrawl, FetchesRobotsTxtForSitemapsEvenIfItIsIgnored) {
  TestWeb web;
  web.page(kRoot, {}).at(kRobots, robots_txt("", 500));
  Options options = from_root();
  options.obeys_robots = false;
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kRoot), 1u);
}

TEST(PoliteCrawl, WastesNoTimeOnWhatRobotsTxtForbids) {
  TestWeb web = stranger(500);
  web.at(kRobots, robots_txt("User-agent: *\nDisallow: /\nAllow: /$\n"));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.skipped.size(), 500u);
  EXPECT_LT(crawled.took, 3s);
}

TEST(PoliteCrawl, SaysWhichLineOfRobotsTxtForbids) {
  TestWeb web;
  web.page(kRoot, {"/private/x"});
  web.at(kRobots, robots_txt("User-agent: *\n\nDisallow: /private/\n"));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.skipped.at("http://a.example/private/x"), SkipReason::robots);
  EXPECT_THAT(crawled.skip_details.at("http://a.example/private/x"), HasSubstr("line 3: /private"));
}

TEST(PoliteCrawl, FollowsFiveRedirectsOfRobotsTxtAndNotSix) {
  for (const int hops : {5, 6}) {
    TestWeb web;
    web.page(kRoot, {"/x"});
    for (int i = 0; i < hops; ++i) {
      const std::string from =
          i == 0 ? std::string(kRobots) : fmt::format("http://a.example/r{}", i);
      web.at(from, redirect_to(fmt::format("/r{}", i + 1)));
    }
    web.at(fmt::format("http://a.example/r{}", hops), robots_txt("User-agent: *\nDisallow: /x\n"));
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.times_asked("http://a.example/x"), hops == 5 ? 0u : 1u) << hops;
  }
}

TEST(PoliteCrawl, ReadsTheFirstHalfMegabyteOfRobotsTxt) {
  std::string body = "User-agent: *\n";
  const auto fill = [&body](std::size_t size) {
    while (body.size() < size) body += "# nothing to see here, move along\n";
  };
  fill(499 * 1024);
  body += "Disallow: /early\n";
  fill(599 * 1024);
  body += "Disallow: /late\n";
  TestWeb web;
  web.page(kRoot, {"/early", "/late"}).at(kRobots, robots_txt(body));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/early"), 0u);
  EXPECT_EQ(crawled.times_asked("http://a.example/late"), 1u);
}

TEST(PoliteCrawl, FetchesRobotsAgainAfterADay) {
  TestWeb web = stranger(40);
  web.at(kRobots, {robots_txt(""), robots_txt("User-agent: *\nDisallow: /\n")});
  Options options = from_root();
  options.politeness.delay = 1h;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kRobots), 2u);
  EXPECT_THAT(crawled.records.size(), testing::AllOf(testing::Ge(22u), testing::Le(25u)));
}

TEST(PoliteCrawl, KeepsOldRulesWhileRobotsCannotBeFetched) {
  TestWeb web = stranger(40);
  web.at(kRobots, {robots_txt("User-agent: *\nDisallow: /7\n"), robots_txt("", 500)});
  Options options = from_root();
  options.politeness.delay = 1h;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_GT(crawled.times_asked(kRobots), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/7"), 0u);
  EXPECT_EQ(crawled.records.size(), 40u);
}

TEST(PoliteCrawl, ObeysNofollowUnlessDisabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<a rel=nofollow href=/1>x</a><a href=/2>x</a><a href=/3>x</a>"});
  web.at("http://a.example/2",
         Reply{.body = "<meta name=robots content=nofollow><a href=/4>x</a>"});
  web.at("http://a.example/3",
         Reply{.body = "<a href=/5>x</a>", .fields = "X-Robots-Tag: nofollow\r\n"});
  const Crawled polite = web.crawl(from_root());
  EXPECT_EQ(polite.records.size(), 3u);
  for (const char* const url : {"1", "4", "5"}) {
    EXPECT_EQ(polite.skipped.at(std::string(kRoot) + url), SkipReason::nofollow);
  }
  Options options = from_root();
  options.obeys_nofollow = false;
  EXPECT_EQ(web.crawl(std::move(options)).records.size(), 6u);
}

TEST(PoliteCrawl, FollowsALinkThatThePageAlsoHasWithoutNofollow) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<a rel=nofollow href=/1>x</a><a href=/1>x</a>"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/1"), 1u);
  EXPECT_THAT(crawled.skipped, IsEmpty());
}

struct RetryRow {
  std::string value;
  Duration at_least;
  Duration at_most;
};

TEST(PoliteCrawl, ObeysRetryAfter) {
  // The world's clock begins at 2023-11-14 22:13:20.
  const std::vector<RetryRow> rows = {
      {"120", 120s, 130s},
      {"Tue, 14 Nov 2023 22:23:20 GMT", 590s, 610s},
      {"Tue, 14 Nov 2000 22:23:20 GMT", Duration::zero(), 10s},  // in the past
      {"315360000", 24h, 24h + 10s},                             // ten years: limited to a day
      {"soon", 1s, 10s},                                         // garbage: our own pause
  };
  for (const RetryRow& row : rows) {
    for (const int status : {429, 503}) {
      TestWeb web;
      Reply refusal = {.status = status, .fields = "Retry-After: " + row.value + "\r\n"};
      web.address("a.example", kStrangerAddress);
      web.at(kRoot, {refusal, links_to({})});
      Options options = from_root();
      options.politeness.wait_max = Duration::max();
      const Crawled crawled = web.crawl(std::move(options));
      ASSERT_EQ(crawled.times_asked(kRoot), 2u) << row.value;
      const Duration gap = crawled.heard[2].at - crawled.heard[1].at;
      EXPECT_GE(gap, row.at_least) << row.value;
      EXPECT_LE(gap, row.at_most) << row.value;
      EXPECT_EQ(crawled.find(kRoot)->status, 200);
      EXPECT_EQ(crawled.find(kRoot)->tries, 2u);
    }
  }
}

TEST(PoliteCrawl, PausesOnlyTheHostThatRefuses) {
  TestWeb web;
  Options options;
  for (int i = 0; i < 100; ++i) {
    const std::string host = fmt::format("h{}.example", i);
    web.address(host, fmt::format("93.184.{}.1", i));
    web.at("http://" + host + "/", page_of_links(10)).otherwise(host, Reply{.body = "leaf"});
    options.roots.push_back(host);
  }
  options.concurrency = 100;
  const Crawled calm = [&] {
    Options copy;
    copy.roots.assign(options.roots.begin() + 1, options.roots.end());
    copy.concurrency = 100;
    return web.crawl(std::move(copy));
  }();
  web.otherwise("h0.example", Reply{.status = 429, .fields = "Retry-After: 3600\r\n"});
  const Crawled crawled = web.crawl(std::move(options));
  Instant last_good = {};
  for (const Heard& heard : crawled.heard) {
    if (!heard.url.contains("h0.example")) last_good = heard.at;
  }
  Instant last_calm = {};
  for (const Heard& heard : calm.heard) last_calm = heard.at;
  EXPECT_LE(last_good.time_since_epoch(), last_calm.time_since_epoch() * 105 / 100);
  EXPECT_EQ(crawled.records.size(), 1100u);
}

TEST(PoliteCrawl, ParksAHostThatFailsForTooLong) {
  TestWeb web = stranger(50);
  web.otherwise("a.example", Reply{.body = "x", .is_cut = true});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_LE(crawled.heard.size(), 20u);
  EXPECT_GT(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::host_parked)], 30u);
  EXPECT_GT(crawled.took, 5min);
  EXPECT_LT(crawled.took, 6min);
  EXPECT_EQ(crawled.records.size() + crawled.skipped.size(), 51u) << "nothing is lost";
  EXPECT_EQ(crawled.end, EndReason::incomplete);
  EXPECT_EQ(crawled.statistics.unreached.hosts, 1u);
  EXPECT_EQ(crawled.statistics.unreached.urls_dropped, 50u);
  EXPECT_EQ(crawled.statistics.unreached.urls_queued, 0u);
}

// A server that breaks off every response during an outage.
Crawled crawl_through_outage(TestWeb web, Duration from, Duration outage) {
  std::optional<Instant> begun;
  web.decide = [&](const std::string&, Instant now) -> std::optional<Reply> {
    if (!begun) begun = now;
    const bool is_down = now - *begun >= from && now - *begun < from + outage;
    return is_down ? std::optional(Reply{.body = "x", .is_cut = true}) : std::nullopt;
  };
  return web.crawl(from_root());
}

TEST(PoliteCrawl, FetchesAllOfAHostThatWasDownForAWhile) {
  for (const Duration outage : {Duration(2s), Duration(4min)}) {
    TestWeb local;
    local.at(kRoot, page_of_links(600));
    local.otherwise("a.example", Reply{.body = "leaf", .delay = 1ms});
    const Crawled crawled = crawl_through_outage(std::move(local), 5ms, outage);
    EXPECT_EQ(crawled.end, EndReason::finished);
    EXPECT_EQ(crawled.statistics.by_status.at(200), 601u);
    EXPECT_TRUE(crawled.statistics.by_error.empty());
    EXPECT_LT(crawled.took, outage + 40s);
    const Crawled polite = crawl_through_outage(stranger(20), 5s, outage);
    EXPECT_EQ(polite.statistics.by_status.at(200), 21u);
  }
}

// Broken pages do not mean that the host is down.
TEST(PoliteCrawl, BrokenPagesDoNotParkTheirHost) {
  TestWeb web;
  web.page(kRoot, {"/bad", "/worse", "/good"});
  web.at("http://a.example/bad", Reply{.body = "x", .is_cut = true});
  web.at("http://a.example/worse", Reply{.status = 502});
  web.at("http://a.example/good", page_of_links(100));
  web.otherwise("a.example", Reply{.body = "leaf"});
  Options options = from_root();
  options.concurrency = 1;
  options.politeness.outage_max = 1s;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.records.size(), 104u);
  EXPECT_EQ(crawled.find("http://a.example/bad")->error, "peer_closed");
  EXPECT_EQ(crawled.find("http://a.example/worse")->status, 502);
  EXPECT_EQ(crawled.find("http://a.example/worse")->tries, 4u);
}

// No other page is left to show whether the host is up.
TEST(PoliteCrawl, TheLastPageOfAHostSurvivesAnOutage) {
  for (const Reply& broken : {Reply{.body = "x", .is_cut = true}, Reply{.status = 502}}) {
    TestWeb web = stranger(1);
    std::optional<Instant> begun;
    web.decide = [&](const std::string& url, Instant now) -> std::optional<Reply> {
      if (!begun && url == "http://a.example/0") begun = now;
      return begun && now - *begun < 4min ? std::optional(broken) : std::nullopt;
    };
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.end, EndReason::finished);
    EXPECT_EQ(crawled.statistics.by_status.at(200), 2u);
  }
}

TEST(PoliteCrawl, SkipsAHostWithTooLongARetryAfterAndRecordsTheResponse) {
  TestWeb web = stranger(20);
  web.otherwise("a.example", Reply{.status = 503, .fields = "Retry-After: 3600\r\n"});
  web.at(kRobots, robots_txt(""));
  Options options = from_root();
  options.politeness.wait_max = 30min;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_LT(crawled.took, 1min);
  EXPECT_EQ(crawled.end, EndReason::incomplete);
  EXPECT_EQ(crawled.statistics.by_status.at(503), 1u) << "the response with Retry-After";
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::retry_after)], 19u);
}

TEST(PoliteCrawl, IsCompleteIfAParkedHostHasNoMoreUrls) {
  TestWeb web;
  web.at(kRoot, Reply{.status = 503, .fields = "Retry-After: 86400\r\n"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.find(kRoot)->status, 503);
}

TEST(PoliteCrawl, ParksAHostThatAlwaysRefuses) {
  TestWeb web = stranger(50);
  web.otherwise("a.example", Reply{.status = 429});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_LE(crawled.heard.size(), 20u);
  EXPECT_LT(crawled.took, 4h);
  EXPECT_EQ(crawled.records.size() + crawled.skipped.size(), 51u) << "nothing is lost";
}

TEST(PoliteCrawl, EndsWhenAHostIsParkedWithRequestsInFlight) {
  TestWeb web;
  web.at(kRoot, page_of_links(200));
  web.otherwise("a.example", Reply{.body = "x", .delay = 1s, .is_cut = true});
  Options options = from_root();
  options.concurrency = 50;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size() + crawled.skipped.size(), 201u) << "nothing is lost";
  EXPECT_EQ(crawled.end, EndReason::incomplete);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(PoliteCrawl, EndsInTimeOnAHostThatNeverAnswers) {
  TestWeb web = stranger(0);
  web.at(kRobots, Reply{.delay = 24h});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.find(kRoot)->error, "timed_out");
  EXPECT_LT(crawled.took, 5min);
  EXPECT_EQ(crawled.times_asked(kRoot), 0u);
}

TEST(PoliteCrawl, IdentifiesItself) {
  TestWeb web = stranger(1);
  web.client_options.fields = {{"User-Agent", "gossamer/1 (+https://a.example/bot)"}};
  const Crawled crawled = web.crawl(from_root());
  for (const Heard& heard : crawled.heard) {
    EXPECT_THAT(heard.head, HasSubstr("User-Agent: gossamer/1 (+https://a.example/bot)\r\n"));
  }
}

// A server that allows one request in `gap`, and says 429 to the others, without Retry-After.
TEST(PoliteCrawl, FindsTheRateThatAServerAllows) {
  constexpr Duration kGap = 2500ms;
  TestWeb web = stranger(300);
  std::optional<Instant> last;
  web.decide = [&](const std::string& url, Instant now) -> std::optional<Reply> {
    if (url == kRobots) return std::nullopt;
    const bool is_early = last && now - *last < kGap;
    last = now;
    if (is_early) return Reply{.status = 429};
    return std::nullopt;
  };
  const Crawled crawled = web.crawl(from_root());
  std::size_t refused = crawled.statistics.retries;
  EXPECT_EQ(crawled.records.size(), 301u);
  EXPECT_LT(refused, 301u / 20) << "fewer than 5 %";
  EXPECT_EQ(crawled.statistics.by_status.at(200), 301u);
}

}  // namespace
}  // namespace gossamer::crawler
