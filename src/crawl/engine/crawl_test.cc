#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/mutex.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "frontier/frontier.h"
#include "frontier/frontier_options.h"
#include "tests/simulated/cancellation_points.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// Receives one page after the other.
class SlowSink final : public PageSink {
 public:
  explicit SlowSink(Duration pause) : pause_(pause) {}

  async::Task<Result<void>> put(Page page) override {
    const auto turn = co_await turn_.lock();
    if (!turn) co_return fail(turn.error().copy());
    pages.push_back(std::move(page));
    taken_at.push_back(async::Loop::current().now());
    co_return co_await async::sleep(pause_);
  }

  std::vector<Page> pages;
  std::vector<Instant> taken_at;

 private:
  const Duration pause_;
  async::Mutex turn_;
};

// Crawls until the end, or until it is stopped after a while. BORROWS: both.
async::Task<void> crawl_into(World& world, Options options, PageSink& sink,
                             Duration stop_after = Duration::max()) {
  Frontier frontier(async::Loop::current(), frontier_options(options, world));
  wire::CookieJar cookies;
  Engine engine(world, std::move(options), frontier, sink, cookies);
  const auto stop = [&engine] { engine.stop(EndReason::interrupted); };
  const auto timer = async::Loop::current().call_later(stop_after, stop);
  EXPECT_TRUE(co_await engine.run());
}

TEST(Crawl, GivesEveryPageOnce) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"}).page("http://a.example/1", {"/", "/2", "/3"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/1",
                                          "http://a.example/2", "http://a.example/3"));
  EXPECT_THAT(crawled.problems, IsEmpty());
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.statistics.pages, 4u);
  EXPECT_EQ(crawled.statistics.by_status.at(404), 2u);
}

TEST(Crawl, ASlowSinkSlowsItWithoutLoss) {
  constexpr std::uint32_t kConcurrency = 8;
  TestWeb web;
  web.at(kRoot, page_of_links(200)).otherwise("a.example", Reply{.body = "leaf"});
  Options options = from_root();
  options.concurrency = kConcurrency;
  SlowSink sink(1s);
  const Crawled crawled =
      web.visit([&](World& world) { return crawl_into(world, std::move(options), sink); });
  ASSERT_EQ(sink.pages.size(), 201u);
  EXPECT_GE(crawled.took, 200s);
  for (std::size_t i = 0; i < sink.pages.size(); ++i) {
    const auto heard = static_cast<std::size_t>(std::ranges::count_if(
        crawled.heard, [&](const Heard& each) { return each.at <= sink.taken_at[i]; }));
    EXPECT_LE(heard, i + 1 + kConcurrency + 1) << "robots.txt is one more";
  }
}

TEST(Crawl, ASlowSinkDoesNotMakeTheServerLookSlow) {
  TestWeb web;
  web.address("a.example", kStrangerAddress);
  web.at(kRoot, page_of_links(40)).otherwise("a.example", Reply{.body = "leaf"});
  SlowSink sink(2s);
  const Crawled crawled =
      web.visit([&](World& world) { return crawl_into(world, from_root(), sink); });
  EXPECT_EQ(sink.pages.size(), 41u);
  EXPECT_LT(crawled.took, 150s) << "3 s for each: the sink, and the pause";
}

TEST(Crawl, StopsSoonWhileItsHostsSleep) {
  TestWeb web;
  web.page(kRoot, {"/later"});
  web.at("http://a.example/later",
         Reply{.status = 503, .body = "", .fields = "Retry-After: 3000\r\n"});
  SlowSink sink(Duration::zero());
  const Crawled crawled =
      web.visit([&](World& world) { return crawl_into(world, from_root(), sink, 2s); });
  EXPECT_LT(crawled.took, 10s);
}

TEST(Crawl, StopsWithinItsGraceIfAResponseIsLate) {
  TestWeb web;
  web.page(kRoot, {"/late"});
  web.at("http://a.example/late", Reply{.body = "", .delay = 25s});
  SlowSink sink(Duration::zero());
  const Crawled crawled =
      web.visit([&](World& world) { return crawl_into(world, from_root(), sink, 2s); });
  EXPECT_EQ(crawled.times_asked("http://a.example/late"), 1u);
  EXPECT_LT(crawled.took, 8s);
}

TEST(Crawl, PassesBodiesToTheSinkIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<p>hello"});
  for (const bool keeps : {true, false}) {
    Options options = from_root();
    options.keeps_bodies = keeps;
    SlowSink sink(Duration::zero());
    web.visit([&](World& world) { return crawl_into(world, std::move(options), sink); });
    ASSERT_EQ(sink.pages.size(), 1u);
    EXPECT_EQ(sink.pages[0].body, keeps ? "<p>hello" : "");
    EXPECT_EQ(sink.pages[0].record.bytes, 8u);
  }
}

TEST(Crawl, CallsTheFilterForEveryUrl) {
  TestWeb web;
  web.page(kRoot, {"/yes", "/no", "/no"}).page("http://a.example/yes", {"/no"});
  Options options = from_root();
  std::vector<std::string> asked;
  options.hooks.wants_url = [&asked](const url::Url& url) {
    asked.emplace_back(url.href());
    return !url.href().ends_with("/no");
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/yes"));
  EXPECT_THAT(asked, testing::IsSupersetOf({std::string(kRoot), std::string(kRoot) + "yes",
                                            std::string(kRoot) + "no"}));
  const auto filtered = static_cast<std::size_t>(SkipReason::filtered);
  EXPECT_EQ(crawled.statistics.skipped[filtered], 1u) << "each URL is counted once";
}

// Coroutines, because these hooks wait. BORROWS: the list.
async::Task<Result<std::vector<bool>>> decide(std::vector<std::string>& asked,
                                              std::vector<std::string> urls) {
  if (auto slept = co_await async::sleep(1s); !slept) co_return fail(std::move(slept).error());
  std::vector<bool> wanted;
  for (const std::string& url : urls) wanted.push_back(!url.contains("/no"));
  std::ranges::copy(urls, std::back_inserter(asked));
  co_return wanted;
}

TEST(Crawl, AHookThatWaitsDecidesAboutEveryNewUrlOnce) {
  TestWeb web;
  web.page(kRoot, {"/yes", "/no", "/no#x", "http://u@a.example/no/u", "http://b.example/"})
      .page("http://a.example/yes", {"/no", "/", "/from"});
  web.at("http://a.example/from", redirect_to("/no/more"));
  Options options = from_root();
  std::vector<std::string> asked;
  options.hooks.wants_urls = [&asked](std::vector<std::string> urls) {
    return decide(asked, std::move(urls));
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), UnorderedElementsAre("http://a.example/", "http://a.example/yes",
                                                   "http://a.example/from"));
  EXPECT_THAT(asked,
              ElementsAre("http://a.example/yes", "http://a.example/no", "http://a.example/no/u",
                          "http://a.example/from", "http://a.example/no/more"));
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::filtered)], 3u);
  EXPECT_EQ(crawled.find(kRoot)->links_new, 1u);
}

async::Task<Result<std::vector<bool>>> never_decide(std::vector<std::string> /*urls*/) {
  auto slept = co_await async::sleep(24h);
  co_return fail(std::move(slept).error());
}

// Otherwise the next run would fetch them without a decision.
TEST(Crawl, AddsNoLinkIfItEndsBeforeTheHookDecides) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"});
  Options options = from_root();
  options.time_max = 5s;
  options.hooks.wants_urls = never_decide;
  std::size_t added = 0;
  options.hooks.see_link = [&added](const FoundLink&) { ++added; };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::time_limit);
  EXPECT_EQ(added, 0u);
}

// BORROWS: the request.
async::Task<Result<void>> sign(http::Request& request) {
  if (auto slept = co_await async::sleep(1s); !slept) co_return slept;
  request.fields.push_back({"X-Path", std::string(request.url.pathname())});
  co_return {};
}

TEST(Crawl, AHookThatWaitsMayChangeRequests) {
  TestWeb web;
  web.page(kRoot, {"/1"}).page("http://a.example/1", {});
  Options options = from_root();
  options.hooks.prepare_request = sign;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.urls().size(), 2u);
  EXPECT_THAT(crawled.heard.back().head, HasSubstr("X-Path: /1"));
}

TEST(Crawl, CallsTheHookForEveryLinkOfAPage) {
  TestWeb web;
  web.page(kRoot, {"/1", "/1", "http://b.example/", "/1#x"}).page("http://a.example/1", {"/"});
  Options options = from_root();
  std::vector<std::string> seen;
  options.hooks.see_link = [&seen](const FoundLink& link) {
    seen.push_back(fmt::format("{} -> {}{}", link.page.pathname(), link.url.without_fragment(),
                               link.is_followed ? "" : ", not followed"));
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(seen, ElementsAre("/ -> http://a.example/1", "/ -> http://b.example/, not followed",
                                "/1 -> http://a.example/"));
}

TEST(Crawl, LetsTheHookChangeTheRequestsOfPages) {
  TestWeb web;
  web.page(kRoot, {"/1"});
  Options options = from_root();
  options.hooks.edit_request = [](http::Request& request) {
    request.fields.push_back({"X-Asked-For", std::string(request.url.pathname())});
  };
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.heard.size(), 3u);
  EXPECT_THAT(crawled.heard[0].head, Not(HasSubstr("X-Asked-For"))) << "robots.txt is our own";
  EXPECT_THAT(crawled.heard[1].head, HasSubstr("X-Asked-For: /\r\n"));
  EXPECT_THAT(crawled.heard[2].head, HasSubstr("X-Asked-For: /1\r\n"));
}

TEST(Crawl, CallsTheHookForEveryResponse) {
  TestWeb web;
  web.page(kRoot, {"/1", "/moved"}).at("http://a.example/moved", redirect_to("/1"));
  Options options = from_root();
  std::vector<std::string> seen;
  options.hooks.see_response = [&seen](const url::Url& url, const http::Response& response) {
    seen.push_back(fmt::format("{} {}", response.status(), url.pathname()));
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(seen, UnorderedElementsAre("200 /", "404 /1", "302 /moved"));
}

TEST(Crawl, SaysHowItEnded) {
  TestWeb web;
  web.at(kRoot, page_of_links(50));
  Options options = from_root();
  options.pages_max = 5;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 5u);
  EXPECT_EQ(crawled.end, EndReason::page_limit);
}

TEST(Crawl, NeedsNoResolver) {
  TestWeb web;
  web.page(kRoot, {"/1"});
  SlowSink sink(Duration::zero());
  const Crawled crawled = web.visit([&](World& world) {
    world.resolver = nullptr;
    return crawl_into(world, from_root(), sink);
  });
  EXPECT_EQ(sink.pages.size(), 2u);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Crawl, DerivesTheOptionsOfTheFrontier) {
  Options options = from_root();
  EXPECT_TRUE(frontier_options(options, true).needs_address);
  EXPECT_FALSE(frontier_options(options, false).needs_address);
  EXPECT_TRUE(frontier_options(options, true).needs_robots);
  EXPECT_FALSE(frontier_options(options, true).is_level_by_level);
  options.obeys_robots = false;
  EXPECT_FALSE(frontier_options(options, true).needs_robots);
  options.reads_sitemaps = true;
  EXPECT_TRUE(frontier_options(options, true).needs_robots);
  options.scope.depth_max = 3;
  EXPECT_TRUE(frontier_options(options, true).is_level_by_level);
  options.order = CrawlOrder::depth_first;
  EXPECT_FALSE(frontier_options(options, true).is_level_by_level);
}

// --- cancelled at every step

TestWeb small_web() {
  TestWeb web;
  web.page(kRoot, {"/1", "/moved", "http://b.example/"});
  web.at("http://a.example/moved", redirect_to("http://b.example/"));
  web.at("http://b.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /no\n"});
  web.page("http://b.example/", {"/no"});
  return web;
}

Options small_options() {
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  options.tries_max = 2;
  options.extract = {"title=title"};
  options.keeps_markdown = true;
  options.keeps_metadata = true;
  return options;
}

// BORROWS: the web.
async::Task<Result<void>> crawl_once(TestWeb& web) {
  const Crawled crawled = co_await web.run(small_options());
  for (const std::string& problem : crawled.problems) {
    EXPECT_TRUE(async::cancel_requested()) << problem;
  }
  co_return {};
}

TEST(Crawl, CleansUpWhereverItIsCancelled) {
  TestWeb web = small_web();
  const auto steps = sim::for_every_cancellation_point([&web] { return crawl_once(web); });
  EXPECT_GT(steps, 50u);
}

TEST(Crawl, CleansUpWhicheverOperationFails) {
  TestWeb web = small_web();
  for (const int error : {EMFILE, ECONNRESET, ETIMEDOUT, EIO}) {
    const auto operations =
        sim::for_every_failing_operation([&web] { return crawl_once(web); }, error);
    EXPECT_GT(operations, 20u);
  }
}

}  // namespace
}  // namespace gossamer::crawler
