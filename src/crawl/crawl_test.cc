#include "crawl/crawl.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "crawl/frontier/frontier.h"
#include "sim/cancellation_points.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// A consumer of a crawl, and what it took.
struct Consumer {
  std::size_t pages_max = std::numeric_limits<std::size_t>::max();
  Duration pause = Duration::zero();  // after each page

  std::vector<Page> pages = {};
  std::vector<Instant> taken_at = {};
  std::shared_ptr<CrawlSummary> summary = std::make_shared<CrawlSummary>();
  bool was_cancelled = false;

  std::vector<std::string> urls() const {
    std::vector<std::string> all;
    for (const Page& page : pages) all.push_back(page.record.url);
    std::ranges::sort(all);
    return all;
  }
};

// BORROWS: both.
async::Task<void> consume(World& world, Options options, Consumer& consumer) {
  auto pages = crawl(world, std::move(options), consumer.summary);
  while (consumer.pages.size() < consumer.pages_max) {
    auto page = co_await pages.next();
    if (!page) break;
    consumer.pages.push_back(std::move(*page));
    consumer.taken_at.push_back(async::Loop::current().now());
    static_cast<void>(co_await async::sleep(consumer.pause));
  }
  consumer.was_cancelled = async::cancel_requested();
}

// And waits for the crawl to leave its scope, of its own accord. BORROWS: both.
async::Task<void> consume_and_join(World& world, Options options, Consumer& consumer) {
  co_await consume(world, std::move(options), consumer);
  static_cast<void>(co_await world.scope.join());
}

Crawled run(TestWeb& web, Options options, Consumer& consumer) {
  return web.visit(
      [&](World& world) { return consume_and_join(world, std::move(options), consumer); });
}

TEST(Crawl, GivesEveryPageOnce) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"}).page("http://a.example/1", {"/", "/2", "/3"});
  Consumer consumer;
  const Crawled crawled = run(web, from_root(), consumer);
  EXPECT_THAT(consumer.urls(), ElementsAre("http://a.example/", "http://a.example/1",
                                           "http://a.example/2", "http://a.example/3"));
  EXPECT_THAT(crawled.problems, IsEmpty());
  EXPECT_EQ(consumer.summary->end, EndReason::finished);
  EXPECT_EQ(consumer.summary->statistics.pages, 4u);
  EXPECT_EQ(consumer.summary->statistics.by_status.at(404), 2u);
  EXPECT_EQ(consumer.summary->failure, std::nullopt);
}

TEST(Crawl, ASlowConsumerSlowsItAndLosesNothing) {
  constexpr std::uint32_t kConcurrency = 8;
  constexpr std::size_t kAhead = 16 + kConcurrency;  // ready, and those whose turn it is
  TestWeb web;
  web.at(kRoot, page_of_links(200)).otherwise("a.example", Reply{.body = "leaf"});
  Options options = from_root();
  options.concurrency = kConcurrency;
  Consumer consumer = {.pause = 1s};
  const Crawled crawled = run(web, std::move(options), consumer);
  ASSERT_EQ(consumer.pages.size(), 201u);
  EXPECT_GE(crawled.took, 200s);
  for (std::size_t i = 0; i < consumer.pages.size(); ++i) {
    const auto heard = static_cast<std::size_t>(std::ranges::count_if(
        crawled.heard, [&](const Heard& each) { return each.at <= consumer.taken_at[i]; }));
    EXPECT_LE(heard, i + 1 + kAhead + 1) << "robots.txt is one more";
  }
}

TEST(Crawl, ASlowConsumerDoesNotMakeTheServerLookSlow) {
  TestWeb web;
  web.address("a.example", "93.184.216.34");
  web.at(kRoot, page_of_links(40)).otherwise("a.example", Reply{.body = "leaf"});
  Consumer consumer = {.pause = 2s};
  const Crawled crawled = run(web, from_root(), consumer);
  EXPECT_EQ(consumer.pages.size(), 41u);
  EXPECT_LT(crawled.took, 100s);
}

TEST(Crawl, DoesNothingBeforeTheFirstPageIsAskedFor) {
  TestWeb web;
  web.page(kRoot, {});
  Consumer consumer = {.pages_max = 0};
  const Crawled crawled = run(web, from_root(), consumer);
  EXPECT_THAT(crawled.heard, IsEmpty());
  EXPECT_THAT(crawled.problems, IsEmpty());
  EXPECT_EQ(consumer.summary->end, std::nullopt);
}

TEST(Crawl, StopsByItselfWhenTheConsumerLeaves) {
  TestWeb web;
  web.at(kRoot, page_of_links(1000)).otherwise("a.example", Reply{.body = "leaf", .delay = 100ms});
  Options options = from_root();
  options.concurrency = 4;
  Consumer consumer = {.pages_max = 3};
  const Crawled crawled = run(web, std::move(options), consumer);
  EXPECT_EQ(consumer.pages.size(), 3u);
  EXPECT_LE(crawled.heard.size(), 40u);
  EXPECT_LT(crawled.took, 10s);
  EXPECT_EQ(consumer.summary->end, EndReason::interrupted);
  EXPECT_EQ(consumer.summary->failure, std::nullopt);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Crawl, StopsSoonWhenTheConsumerLeavesThoughItsHostsSleep) {
  TestWeb web;
  web.page(kRoot, {"/later"});
  web.at("http://a.example/later",
         Reply{.status = 503, .body = "", .fields = "Retry-After: 3000\r\n"});
  Consumer consumer = {.pages_max = 1, .pause = 1s};
  const Crawled crawled = run(web, from_root(), consumer);
  EXPECT_EQ(consumer.pages.size(), 1u);
  EXPECT_LT(crawled.took, 10s);
  EXPECT_EQ(consumer.summary->end, EndReason::interrupted);
}

TEST(Crawl, StopsWithinItsGraceWhenTheConsumerLeavesThoughAnAnswerIsLate) {
  TestWeb web;
  web.page(kRoot, {"/late"});
  web.at("http://a.example/late", Reply{.body = "", .delay = 25s});
  Consumer consumer = {.pages_max = 1, .pause = 1s};
  const Crawled crawled = run(web, from_root(), consumer);
  EXPECT_LT(crawled.took, 8s);
}

// BORROWS: all.
async::Task<void> cut_short(World& world, Options options, Consumer& consumer) {
  async::Scope scope(async::OnFailure::keep_going);
  auto consuming = scope.spawn(consume(world, std::move(options), consumer));
  static_cast<void>(co_await async::sleep(5s));
  consuming.cancel();
  static_cast<void>(co_await scope.join());
  static_cast<void>(co_await world.scope.join());
}

TEST(Crawl, EndsWithItsConsumerWhenThatIsCancelled) {
  TestWeb web;
  web.at(kRoot, page_of_links(1000)).otherwise("a.example", Reply{.body = "leaf", .delay = 1s});
  Options options = from_root();
  options.concurrency = 2;
  Consumer consumer;
  const Crawled crawled =
      web.visit([&](World& world) { return cut_short(world, std::move(options), consumer); });
  EXPECT_TRUE(consumer.was_cancelled);
  EXPECT_GT(consumer.pages.size(), 4u);
  EXPECT_LT(consumer.pages.size(), 12u);
  EXPECT_LT(crawled.took, 12s);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Crawl, HandsOverBodiesWhenAsked) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<p>hello"});
  for (const bool keeps : {true, false}) {
    Options options = from_root();
    options.keeps_bodies = keeps;
    Consumer consumer;
    run(web, std::move(options), consumer);
    ASSERT_EQ(consumer.pages.size(), 1u);
    EXPECT_EQ(consumer.pages[0].body, keeps ? "<p>hello" : "");
    EXPECT_EQ(consumer.pages[0].record.bytes, 8u);
  }
}

TEST(Crawl, AsksTheHookAboutEveryUrl) {
  TestWeb web;
  web.page(kRoot, {"/yes", "/no", "/no"}).page("http://a.example/yes", {"/no"});
  Options options = from_root();
  std::vector<std::string> asked;
  options.hooks.wants_url = [&asked](const url::Url& url) {
    asked.emplace_back(url.href());
    return !url.href().ends_with("/no");
  };
  Consumer consumer;
  run(web, std::move(options), consumer);
  EXPECT_THAT(consumer.urls(), ElementsAre("http://a.example/", "http://a.example/yes"));
  EXPECT_THAT(asked, testing::IsSupersetOf({std::string(kRoot), std::string(kRoot) + "yes",
                                            std::string(kRoot) + "no"}));
  const auto filtered = static_cast<std::size_t>(SkipReason::filtered);
  EXPECT_EQ(consumer.summary->statistics.skipped[filtered], 1u) << "each URL is counted once";
}

TEST(Crawl, ShowsTheHookEveryLinkOfAPage) {
  TestWeb web;
  web.page(kRoot, {"/1", "/1", "http://b.example/", "/1#x"}).page("http://a.example/1", {"/"});
  Options options = from_root();
  std::vector<std::string> seen;
  options.hooks.see_link = [&seen](const FoundLink& link) {
    seen.push_back(fmt::format("{} -> {}{}", link.page.pathname(), link.url.without_fragment(),
                               link.is_followed ? "" : ", not followed"));
  };
  Consumer consumer;
  run(web, std::move(options), consumer);
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
  Consumer consumer;
  const Crawled crawled = run(web, std::move(options), consumer);
  ASSERT_EQ(crawled.heard.size(), 3u);
  EXPECT_THAT(crawled.heard[0].head, Not(HasSubstr("X-Asked-For"))) << "robots.txt is our own";
  EXPECT_THAT(crawled.heard[1].head, HasSubstr("X-Asked-For: /\r\n"));
  EXPECT_THAT(crawled.heard[2].head, HasSubstr("X-Asked-For: /1\r\n"));
}

TEST(Crawl, ShowsTheHookEveryAnswer) {
  TestWeb web;
  web.page(kRoot, {"/1", "/moved"}).at("http://a.example/moved", redirect_to("/1"));
  Options options = from_root();
  std::vector<std::string> seen;
  options.hooks.see_response = [&seen](const url::Url& url, const http::Response& response) {
    seen.push_back(fmt::format("{} {}", response.status(), url.pathname()));
  };
  Consumer consumer;
  run(web, std::move(options), consumer);
  EXPECT_THAT(seen, UnorderedElementsAre("200 /", "404 /1", "302 /moved"));
}

TEST(Crawl, SaysHowItEnded) {
  TestWeb web;
  web.at(kRoot, page_of_links(50));
  Options options = from_root();
  options.pages_max = 5;
  Consumer consumer;
  run(web, std::move(options), consumer);
  EXPECT_EQ(consumer.pages.size(), 5u);
  EXPECT_EQ(consumer.summary->end, EndReason::page_limit);
}

TEST(Crawl, NeedsNoSummaryAndNoResolver) {
  TestWeb web;
  web.page(kRoot, {"/1"});
  Consumer consumer;
  consumer.summary = nullptr;
  const Crawled crawled = web.visit([&](World& world) {
    world.resolver = nullptr;
    return consume_and_join(world, from_root(), consumer);
  });
  EXPECT_EQ(consumer.pages.size(), 2u);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Crawl, TellsTheFrontierWhatItNeedsToKnow) {
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

// --- cut at every step

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

// BORROWS: the web.
async::Task<Result<void>> consume_once(TestWeb& web) {
  Consumer consumer = {.pause = 1ms};
  static_cast<void>(co_await web.run(
      [&consumer](World& world) { return consume_and_join(world, small_options(), consumer); }));
  co_return {};
}

TEST(Crawl, LeavesNothingBehindWhereverItIsCut) {
  TestWeb web = small_web();
  const auto steps = sim::for_every_cancellation_point([&web] { return crawl_once(web); });
  EXPECT_GT(steps, 50u);
}

TEST(Crawl, LeavesNothingBehindWhereverItsConsumerIsCut) {
  TestWeb web = small_web();
  const auto steps = sim::for_every_cancellation_point([&web] { return consume_once(web); });
  EXPECT_GT(steps, 50u);
}

TEST(Crawl, EndsAndLeavesNothingBehindWhicheverOperationFails) {
  TestWeb web = small_web();
  for (const int error : {EMFILE, ECONNRESET, ETIMEDOUT, EIO}) {
    const auto operations =
        sim::for_every_failing_operation([&web] { return crawl_once(web); }, error);
    EXPECT_GT(operations, 20u);
  }
}

}  // namespace
}  // namespace gossamer::crawler
