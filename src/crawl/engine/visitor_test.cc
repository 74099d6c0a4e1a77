// Tests what a visit of a page records, counts and repeats.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/steered_crawl.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "async/sleep.h"
#include "async/task.h"
#include "engine/engine.h"
#include "engine/setup/options.h"
#include "record/capture.h"
#include "record/record.h"

namespace gossamer::crawler {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kFirst = "http://a.example/1";

TEST(VisitorTest, FollowsLinksOnlyOfSuccesses) {
  for (const int status : {200, 203, 299, 300, 404, 500}) {
    TestWeb web;
    web.at(kRoot, Reply{.status = status, .body = "<a href=/1>x</a>"});
    const Crawled crawled = web.crawl(std::string(kRoot));
    EXPECT_EQ(crawled.times_asked(kFirst), status < 300 ? 1u : 0u) << status;
  }
}

TEST(VisitorTest, AFailureHasItsReason) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "never complete", .is_cut = true});
  const Crawled crawled = web.crawl(std::string(kRoot));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].error, "peer_closed");
  EXPECT_THAT(crawled.records[0].error_detail, HasSubstr("peer_closed"));
}

TEST(VisitorTest, ABodyThatBreaksOffIsFetchedAgain) {
  TestWeb web;
  web.at(kRoot, {Reply{.body = std::string(1000, 'x'), .is_cut = true},
                 Reply{.body = std::string(1000, 'x')}});
  const Crawled crawled = web.crawl(std::string(kRoot));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].tries, 2u);
  EXPECT_EQ(crawled.records[0].bytes, 1000u);
  EXPECT_EQ(crawled.records[0].error, "");
  EXPECT_GT(crawled.statistics.wire_bytes, crawled.records[0].wire_bytes) << "both were received";
}

TEST(VisitorTest, RecordsValidatorsIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<p>text", .fields = "ETag: \"v1\"\r\nLast-Modified: yesterday\r\n"});
  Settings options = from_root();
  const Crawled without = web.crawl(options);
  EXPECT_EQ(without.find(kRoot)->etag, "");
  EXPECT_EQ(without.find(kRoot)->last_modified, "");
  EXPECT_EQ(without.find(kRoot)->text_digest, std::nullopt);
  options.keeps_validators = true;
  const Crawled with = web.crawl(options);
  EXPECT_EQ(with.find(kRoot)->etag, "\"v1\"");
  EXPECT_EQ(with.find(kRoot)->last_modified, "yesterday");
  EXPECT_TRUE(with.find(kRoot)->text_digest);
}

TEST(VisitorTest, ReadsOnlyTheWantedTypes) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2", "/3"});
  web.at(kFirst, Reply{.type = "text/plain", .body = "four"});
  web.at("http://a.example/2", Reply{.type = "textual/plain", .body = "four"});
  web.at("http://a.example/3", Reply{.type = "image/png", .body = "four"});
  Options options = from_root();
  options.content_types = {"text/*", "image/jpeg"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.find(kFirst)->error, "");
  EXPECT_EQ(crawled.find(kFirst)->bytes, 4u);
  for (const char* const url : {"http://a.example/2", "http://a.example/3"}) {
    EXPECT_EQ(crawled.find(url)->error, kUnwantedType) << url;
    EXPECT_EQ(crawled.find(url)->bytes, 0u) << url;
  }
}

TEST(VisitorTest, TheTargetOfARedirectBeginsAnew) {
  TestWeb web;
  web.at(kRoot, {Reply{.body = "x", .is_cut = true}, redirect_to("/1")}).page(kFirst, {});
  const Crawled crawled = web.crawl(std::string(kRoot));
  ASSERT_EQ(crawled.records.size(), 2u);
  EXPECT_EQ(crawled.find(kRoot)->tries, 2u);
  EXPECT_EQ(crawled.find(kFirst)->tries, 1u);
  EXPECT_EQ(crawled.find(kFirst)->via, kRoot);
}

TEST(VisitorTest, SaysWhatIsWrongWithARedirect) {
  TestWeb web;
  web.page(kRoot, {"/nowhere", "/loop", "/far"});
  web.at("http://a.example/nowhere", Reply{.status = 302});
  web.at("http://a.example/loop", redirect_to("/loop"));
  web.at("http://a.example/far", redirect_to("/far/2"));
  web.at("http://a.example/far/2", redirect_to("/far/3"));
  Options options = from_root();
  options.redirects_max = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.find("http://a.example/nowhere")->error, kBadRedirect);
  EXPECT_THAT(crawled.find("http://a.example/nowhere")->error_detail, HasSubstr("no Location"));
  EXPECT_EQ(crawled.find("http://a.example/loop")->error, kRedirectLoop);
  EXPECT_EQ(crawled.find("http://a.example/loop")->error_detail, "the redirects form a loop");
  EXPECT_EQ(crawled.find("http://a.example/far/2")->error, kTooManyRedirects);
  EXPECT_EQ(crawled.find("http://a.example/far/2")->error_detail, "more than 1 redirects");
}

TEST(VisitorTest, PassesHeadsAndExchangesToTheSinkIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<a href=/1>x</a>", .fields = "X-Sent: yes\r\n"});
  Settings options = from_root();
  const Steered without = steered(web, options, steer_nothing);
  EXPECT_EQ(without.sink.records.at(0).head, "");
  EXPECT_EQ(without.sink.pages.at(0).capture, nullptr);
  options.keeps_heads = true;
  options.keeps_captures = true;
  const Steered with = steered(web, options, steer_nothing);
  const Page& page = with.sink.pages.at(0);
  EXPECT_THAT(page.record.head, HasSubstr("X-Sent: yes\r\n"));
  ASSERT_NE(page.capture, nullptr);
  EXPECT_THAT(page.capture->response_head, HasSubstr("X-Sent: yes\r\n"));
  EXPECT_EQ(page.capture->payload, "<a href=/1>x</a>");
  EXPECT_EQ(page.capture->cut, Cut::none);
  EXPECT_THAT(page.capture->outlinks, IsEmpty()) << "they are another option";
  options.keeps_outlinks = true;
  const Steered linked = steered(web, options, steer_nothing);
  ASSERT_EQ(linked.sink.pages.at(0).capture->outlinks.size(), 1u);
  EXPECT_EQ(linked.sink.pages.at(0).capture->outlinks[0].url, kFirst);
}

TEST(VisitorTest, RecordsHaveLinksIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<base href=/d/><a href=1#x rel='nofollow ugc'>To <b>one</b></a>"
                              "<img src=//b.example/i.png><a href=1#x>again</a><a href=http://[>"});
  Settings options = from_root();
  EXPECT_FALSE(steered(web, options, steer_nothing).sink.records.at(0).links.has_value());
  options.keeps_links = true;
  const Steered with = steered(web, options, steer_nothing);
  const FetchRecord& record = with.sink.records.at(0);
  EXPECT_EQ(to_json(record.links.value()),
            R"([{"url": "http://a.example/d/1#x", "kind": "page", "text": "To one", )"
            R"("rel": "nofollow ugc"}, {"url": "http://b.example/i.png", "kind": "image", )"
            R"("text": "", "rel": ""}, {"url": "http://a.example/d/1#x", "kind": "page", )"
            R"("text": "again", "rel": ""}])");
}

TEST(VisitorTest, ACaptureSaysThatItsBodyIsTooLong) {
  TestWeb web;
  web.at(kRoot, Reply{.body = std::string(1'000'000, 'x')});
  Options options = from_root();
  options.keeps_captures = true;
  options.body_bytes_max = 1000;
  const Steered result = steered(web, std::move(options), steer_nothing);
  ASSERT_NE(result.sink.pages.at(0).capture, nullptr);
  EXPECT_EQ(result.sink.pages.at(0).capture->cut, Cut::length);
  EXPECT_TRUE(result.sink.records[0].is_truncated);
}

// The servers of these leaves answer HEAD with something that is not HTTP.
Crawled crawl_leaf(bool breaks_get) {
  TestWeb web;
  web.page(kRoot, {"http://b.example/"}).page("http://b.example/", {});
  web.decide_by_head = [breaks_get](const Heard& request) -> std::optional<Reply> {
    if (request.url != "http://b.example/") return std::nullopt;
    if (!breaks_get && !request.head.starts_with("HEAD ")) return std::nullopt;
    return Reply{.fields = "Content-Length: many\r\n"};
  };
  Options options = from_root();
  options.asks_for_leaves = true;
  return web.crawl(std::move(options));
}

TEST(VisitorTest, ALeafWhoseServerBreaksHeadIsFetchedWithGet) {
  const Crawled crawled = crawl_leaf(false);
  ASSERT_EQ(crawled.records.size(), 2u);
  EXPECT_EQ(crawled.find("http://b.example/")->status, 200);
  EXPECT_EQ(crawled.find("http://b.example/")->error, "");
  EXPECT_EQ(crawled.times_asked("http://b.example/"), 2u);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(VisitorTest, ALeafWhoseServerBreaksGetTooIsAFailure) {
  const Crawled crawled = crawl_leaf(true);
  ASSERT_EQ(crawled.records.size(), 2u);
  EXPECT_EQ(crawled.find("http://b.example/")->error, "malformed");
  EXPECT_EQ(crawled.times_asked("http://b.example/"), 2u);
}

TEST(VisitorTest, APageThatIsNotHttpIsAFailureAtOnce) {
  TestWeb web;
  web.at(kRoot, Reply{.fields = "Content-Length: many\r\n"});
  Options options = from_root();
  options.asks_for_leaves = true;
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].error, "malformed");
  EXPECT_EQ(crawled.times_asked(kRoot), 1u);
}

TEST(VisitorTest, TheBytesOfAHeadThatFailedAreCounted) {
  TestWeb web;
  web.page(kRoot, {"http://b.example/"});
  web.at("http://b.example/", Reply{.body = "leaf", .status_of_head = 405});
  Options options = from_root();
  options.asks_for_leaves = true;
  const Crawled crawled = web.crawl(std::move(options));
  std::uint64_t recorded = 0;
  for (const FetchRecord& record : crawled.records) recorded += record.wire_bytes;
  EXPECT_EQ(crawled.find("http://b.example/")->status, 200);
  EXPECT_GT(crawled.statistics.wire_bytes, recorded);
}

TEST(VisitorTest, WaitsAsLongAsAHostMayAsk) {
  for (const int seconds : {60, 61}) {
    TestWeb web;
    const std::string field = fmt::format("Retry-After: {}\r\n", seconds);
    web.at(kRoot, {Reply{.status = 503, .fields = field}, Reply{.body = "page"}});
    Options options = from_root();
    options.politeness.wait_max = 60s;
    const Crawled crawled = web.crawl(std::move(options));
    ASSERT_EQ(crawled.records.size(), 1u);
    EXPECT_EQ(crawled.records[0].status, seconds == 60 ? 200 : 503);
  }
}

TEST(VisitorTest, TheQuotaCountsHeadsToo) {
  TestWeb web;
  web.at(kRoot,
         Reply{.body = "<a href=/1>x</a>", .fields = "X: " + std::string(5000, 'x') + "\r\n"});
  web.page(kFirst, {});
  Options options = from_root();
  options.wire_bytes_max = 2000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::quota);
  EXPECT_EQ(crawled.times_asked(kFirst), 0u);
}

// All pages below /p/ are alike and link to new ones.
Crawled crawl_copies(TestWeb& web, bool detects, Reply copy = links_to({"x/", "y/", "z/"})) {
  web.page(kRoot, {"/p/"}).otherwise("a.example", std::move(copy));
  Options options = from_root();
  options.detects_soft_404 = detects;
  options.pages_max = 200;
  options.traps.repeated_segments = false;
  options.traps.path_depth = false;
  return web.crawl(std::move(options));
}

bool is_probe_url(std::string_view url) {
  return url.size() == kRoot.size() + 32 && !url.contains("/p/");
}

std::ptrdiff_t probes_of(const Crawled& crawled) {
  return std::ranges::count_if(crawled.heard, is_probe_url, &Heard::url);
}

TEST(VisitorTest, AProbeIsCountedButNotRecorded) {
  TestWeb web;
  const Crawled crawled = crawl_copies(web, true);
  ASSERT_EQ(probes_of(crawled), 1);
  std::uint64_t recorded = 0;
  for (const FetchRecord& record : crawled.records) recorded += record.wire_bytes;
  EXPECT_EQ(crawled.heard.size(), crawled.records.size() + 2) << "robots.txt and the probe";
  EXPECT_GT(crawled.statistics.wire_bytes, recorded);
}

TEST(VisitorTest, ProbesAreAnOptionAndObeyRobotsTxt) {
  TestWeb web;
  EXPECT_EQ(probes_of(crawl_copies(web, false)), 0);
  web.at(
      "http://a.example/robots.txt",
      Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /\nAllow: /$\nAllow: /p/\n"});
  const Crawled crawled = crawl_copies(web, true);
  EXPECT_EQ(probes_of(crawled), 0);
  EXPECT_FALSE(std::ranges::any_of(crawled.skipped, [](const auto& skipped) {
    return is_probe_url(skipped.first);
  })) << "a probe is no URL of the site";
}

TEST(VisitorTest, CopiesWithOneNewLinkAreProbed) {
  TestWeb web;
  EXPECT_EQ(probes_of(crawl_copies(web, true, links_to({"x/"}))), 1);
}

TEST(VisitorTest, CopiesWithoutNewLinksAndOtherPagesAreNotProbed) {
  TestWeb copies;
  copies.at(kRoot, page_of_links(40)).otherwise("a.example", Reply{.body = "<p>a copy"});
  EXPECT_EQ(probes_of(copies.crawl(std::string(kRoot))), 0);
  TestWeb others;
  others.at(kRoot, page_of_links(40));
  for (int i = 0; i < 40; ++i) {
    others.page(fmt::format("http://a.example/{}", i), {fmt::format("/next/{}", i)});
  }
  EXPECT_EQ(probes_of(others.crawl(std::string(kRoot))), 0);
}

TEST(VisitorTest, ErrorsAndUnreadBodiesAreNoCopies) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2", "/3", "/4"});
  for (const char* const url : {"http://a.example/1", "http://a.example/2"}) {
    web.at(url, Reply{.status = 404, .body = "not here"});
  }
  for (const char* const url : {"http://a.example/3", "http://a.example/4"}) {
    web.at(url, Reply{.type = "image/png", .body = "a picture"});
  }
  Options options = from_root();
  options.content_types = {"text/html"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 5u);
  EXPECT_EQ(crawled.statistics.duplicates, 0u);
}

TEST(VisitorTest, LinksOfABodyThatBreaksOffAreReadWhenItIsWhole) {
  TestWeb web;
  const std::string body = "<a href=/1>x</a>" + std::string(1000, ' ');
  web.at(kRoot, {Reply{.body = body, .is_cut = true}, Reply{.body = body}});
  web.page(kFirst, {});
  Options options = from_root();
  int seen = 0;
  options.hooks.see_link = [&seen](const FoundLink&) { ++seen; };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kRoot), 2u);
  EXPECT_EQ(crawled.times_asked(kFirst), 1u);
  EXPECT_EQ(seen, 1);
}

TEST(VisitorTest, ALeafWithTooLargeAHeadIsNotFetchedAgain) {
  TestWeb web;
  web.page(kRoot, {"http://b.example/"});
  web.at("http://b.example/", Reply{.fields = "X: " + std::string(2'000'000, 'x') + "\r\n"});
  Options options = from_root();
  options.asks_for_leaves = true;
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_NE(crawled.find("http://b.example/"), nullptr);
  EXPECT_EQ(crawled.find("http://b.example/")->error, "over_limit");
  EXPECT_EQ(crawled.times_asked("http://b.example/"), 1u);
}

TEST(VisitorTest, AHostIsGivenUpIfPagesFailForGoodInARow) {
  TestWeb web;
  web.address("a.example", "10.0.0.1");
  Options options;
  for (int i = 0; i < 20; ++i) options.roots.push_back(fmt::format("http://a.example:81/{}", i));
  options.obeys_robots = false;
  options.tries_max = 1;
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::incomplete);
  EXPECT_EQ(crawled.statistics.unreached.hosts, 1u);
  EXPECT_EQ(std::ranges::count(crawled.records, "refused", &FetchRecord::error), 5);
}

TEST(VisitorTest, AnExcludedUrlThatWasFetchedOnceGetsItsRecord) {
  TestWeb web;
  web.page(kRoot, {"/1"}).at(kFirst, Reply{.status = 503, .fields = "Retry-After: 30\r\n"});
  const Steered result = steered(web, from_root(), [](Engine& engine) -> async::Task<void> {
    static_cast<void>(co_await async::sleep(10s));
    EXPECT_TRUE(engine.exclude("/1$"));
  });
  ASSERT_NE(result.sink.find(kFirst), nullptr);
  EXPECT_EQ(result.sink.find(kFirst)->error, "denied");
  EXPECT_THAT(result.sink.skipped, IsEmpty());
  EXPECT_EQ(result.crawled.times_asked(kFirst), 1u);
}

}  // namespace
}  // namespace gossamer::crawler
