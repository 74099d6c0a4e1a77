// Tests the crawl in a simulated world.

#include "engine/engine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <stdexcept>

namespace gossamer::crawler {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Engine, FollowsALink) {
  TestWeb web;
  web.page(kRoot, {"/foo"}).page("http://a.example/foo", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/foo"));
  EXPECT_THAT(crawled.problems, IsEmpty());
  EXPECT_EQ(crawled.end, EndReason::finished);
  const FetchRecord* const root = crawled.find(kRoot);
  EXPECT_EQ(root->status, 200);
  EXPECT_EQ(root->mime, "text/html");
  EXPECT_EQ(root->links_found, 1u);
  EXPECT_EQ(root->links_new, 1u);
  EXPECT_EQ(root->depth, 0u);
  EXPECT_EQ(root->via, "");
  EXPECT_EQ(crawled.find("http://a.example/foo")->via, kRoot);
  EXPECT_EQ(crawled.find("http://a.example/foo")->depth, 1u);
}

TEST(Engine, EndsOnALinkCycle) {
  TestWeb web;
  web.page(kRoot, {"/foo", "/"}).page("http://a.example/foo", {"/", "/foo#x", "?"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 2u);
  EXPECT_EQ(crawled.find("http://a.example/foo")->links_new, 0u);
  EXPECT_EQ(crawled.find("http://a.example/foo")->links_found, 2u);
}

TEST(Engine, SkipsOtherHosts) {
  TestWeb web;
  web.page(kRoot, {"http://b.example/"}).page("http://b.example/", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/"));
  EXPECT_THAT(crawled.skipped, ElementsAre(Pair("http://b.example/", SkipReason::out_of_scope)));
  EXPECT_EQ(crawled.times_asked("http://b.example/robots.txt"), 0u);
}

TEST(Engine, TreatsWwwAsTheSameHost) {
  TestWeb web;
  web.page(kRoot, {"http://www.a.example/x", "http://b.a.example/"});
  web.page("http://www.a.example/x", {}).page("http://b.a.example/", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://www.a.example/x"));
}

TEST(Engine, CoversTheWholeRegistrableDomainIfLenient) {
  TestWeb web;
  web.page("http://www.a.co.uk/", {"http://b.a.co.uk/", "http://other.co.uk/"});
  web.page("http://b.a.co.uk/", {}).page("http://other.co.uk/", {});
  Options options = from_root("http://www.a.co.uk/");
  options.scope.kind = ScopeKind::domain;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://b.a.co.uk/", "http://www.a.co.uk/"));
}

TEST(Engine, SkipsExcludedUrls) {
  TestWeb web;
  web.page(kRoot, {"/foo", "/bar"});
  Options options = from_root();
  options.scope.exclude = {"/fo+$"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/bar"));
  EXPECT_EQ(crawled.skipped.at("http://a.example/foo"), SkipReason::excluded);
}

TEST(Engine, StartsWithSeveralRootsOfWhichOneIsMissing) {
  TestWeb web;
  web.page(kRoot, {}).page("http://b.example/", {"/x"});
  Options options = from_root();
  options.roots = {"a.example", "http://b.example", "http://nobody.example/"};
  options.tries_max = 2;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://b.example/",
                                          "http://b.example/x", "http://nobody.example/"));
  const FetchRecord* const bad = crawled.find("http://nobody.example/");
  EXPECT_EQ(bad->status, std::nullopt);
  EXPECT_EQ(bad->error, "dns_failed");
}

TEST(Engine, StartsDeepInASite) {
  TestWeb web;
  web.page("http://a.example/x/y", {"z", "../w"});
  const Crawled crawled = web.crawl(from_root("http://a.example/x/y"));
  EXPECT_THAT(crawled.urls(),
              ElementsAre("http://a.example/w", "http://a.example/x/y", "http://a.example/x/z"));
}

TEST(Engine, FollowsARedirect) {
  TestWeb web;
  web.at(kRoot, redirect_to("/foo", 301)).page("http://a.example/foo", {"/bar"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.find(kRoot)->next_url, "http://a.example/foo");
  EXPECT_EQ(crawled.find(kRoot)->status, 301);
  EXPECT_EQ(crawled.find("http://a.example/foo")->depth, 0u);
  EXPECT_EQ(crawled.find("http://a.example/bar")->depth, 1u);
}

TEST(Engine, StopsAtTheLimitOfRedirects) {
  TestWeb web;
  for (int i = 0; i < 8; ++i) {
    web.at(fmt::format("http://a.example/{}", i), redirect_to(fmt::format("/{}", i + 1)));
  }
  Options options = from_root("http://a.example/0");
  options.redirects_max = 3;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 4u);
  EXPECT_EQ(crawled.find("http://a.example/3")->error, kTooManyRedirects);
  EXPECT_EQ(crawled.find("http://a.example/3")->next_url, "http://a.example/4");
  EXPECT_EQ(crawled.find("http://a.example/2")->error, "");
}

TEST(Engine, EndsOnARedirectCycle) {
  TestWeb web;
  web.at("http://a.example/foo", redirect_to("/bar"));
  web.at("http://a.example/bar", redirect_to("/foo"));
  web.at("http://a.example/self", redirect_to("/self"));
  web.page(kRoot, {"/foo", "/self"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 4u);
  EXPECT_EQ(crawled.times_asked("http://a.example/foo"), 1u);
}

TEST(Engine, FetchesACommonRedirectTargetOnce) {
  TestWeb web;
  web.page(kRoot, {"/foo", "/bar"});
  web.at("http://a.example/foo", redirect_to("/baz"));
  web.at("http://a.example/bar", redirect_to("/quux"));
  web.at("http://a.example/quux", redirect_to("/baz"));
  web.page("http://a.example/baz", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/baz"), 1u);
  EXPECT_EQ(crawled.records.size(), 5u);
}

TEST(Engine, SendsTheCookieOfARedirectToItself) {
  TestWeb web;
  Reply first = redirect_to("/");
  first.fields += "Set-Cookie: seen=yes\r\n";
  web.at(kRoot, {first, links_to({"/in"})});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked(kRoot), 2u);
  EXPECT_EQ(crawled.times_asked("http://a.example/in"), 1u);
  EXPECT_THAT(crawled.heard.back().head, testing::HasSubstr("Cookie: seen=yes"));
}

TEST(Engine, FollowsARedirectToAnotherSpellingOfTheSamePage) {
  TestWeb web;
  web.at("http://a.example/%7Eu/", redirect_to("/~u/")).page("http://a.example/~u/", {"/x"});
  const Crawled crawled = web.crawl(from_root("http://a.example/%7Eu/"));
  EXPECT_EQ(crawled.times_asked("http://a.example/~u/"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/x"), 1u);
}

TEST(Engine, TheScopeFollowsARootThatRedirects) {
  TestWeb web;
  web.at(kRoot, redirect_to("http://b.example/")).page("http://b.example/", {"/x"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(),
              ElementsAre("http://a.example/", "http://b.example/", "http://b.example/x"));
}

TEST(Engine, UsesItsConcurrencyAndNeverMore) {
  TestWeb web;
  Reply slow = links_to({});
  slow.delay = 100ms;
  Reply root;
  for (int i = 0; i < 100; ++i) root.body += fmt::format("<a href=/{}>x</a>", i);
  web.at(kRoot, root).otherwise("a.example", slow);
  for (const std::uint32_t most : {1U, 7U, 30U}) {
    Options options = from_root();
    options.concurrency = most;
    const Crawled crawled = web.crawl(std::move(options));
    EXPECT_EQ(crawled.records.size(), 101u);
    EXPECT_EQ(crawled.in_flight_max, most);
  }
}

TEST(Engine, RetriesAfterNetworkFailures) {
  TestWeb web;
  const Reply cut = {.body = "<a href=/never>", .is_cut = true};
  web.at(kRoot, {cut, cut, links_to({"/foo"})}).page("http://a.example/foo", {});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/foo"));
  EXPECT_EQ(crawled.find(kRoot)->tries, 3u);
  EXPECT_EQ(crawled.find(kRoot)->error, "");
}

TEST(Engine, GivesUpAtTheLimitOfTries) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "x", .is_cut = true});
  Options options = from_root();
  options.tries_max = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kRoot), 1u);
  EXPECT_EQ(crawled.find(kRoot)->error, "peer_closed");
  EXPECT_EQ(crawled.statistics.count(Outcome::error), 1u);
}

TEST(Engine, ReadsPagesInTheirEncodings) {
  TestWeb web;
  web.at(kRoot, Reply{.type = "text/html; charset=koi8-r", .body = "<a href=\"/\xC1\">x</a>"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/%D0%B0"), 1u);
  EXPECT_EQ(crawled.find(kRoot)->charset, "KOI8-R");
}

TEST(Engine, FindsLinksOnlyInHtmlAndXml) {
  TestWeb web;
  const std::string body = "<a href=\"{}\">x</a>";
  const auto typed = [&](std::string_view type) {
    return Reply{.type = std::string(type), .body = "<a href=\"/from-" + std::string(type) + "\">"};
  };
  web.page(kRoot, {"/html", "/xhtml", "/xml", "/plain", "/json", "/none"});
  web.at("http://a.example/html", typed("text/html"));
  web.at("http://a.example/xhtml", typed("application/xhtml+xml"));
  web.at("http://a.example/xml", typed("application/xml"));
  web.at("http://a.example/plain", typed("text/plain"));
  web.at("http://a.example/json", typed("application/json"));
  web.at("http://a.example/none", typed(""));
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.times_asked("http://a.example/from-text/html"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/from-application/xhtml+xml"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/from-application/xml"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/from-"), 1u) << "what begins like a page is one";
  EXPECT_EQ(crawled.times_asked("http://a.example/from-text/plain"), 0u);
  EXPECT_EQ(crawled.times_asked("http://a.example/from-application/json"), 0u);
}

TEST(Engine, FollowsOnlyHttpLinks) {
  TestWeb web;
  web.page(kRoot, {"mailto:a@b", "javascript:alert(1)", "ftp://a.example/", "data:,x", "http://["});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.skipped.at("mailto:a@b"), SkipReason::not_http);
  EXPECT_EQ(crawled.skipped.at("http://["), SkipReason::bad_url);
}

TEST(Engine, RecordsDuplicateBodies) {
  TestWeb web;
  web.page(kRoot, {"/a", "/b"});
  web.at("http://a.example/a", Reply{.body = "same"})
      .at("http://a.example/b", Reply{.body = "same"});
  Options options = from_root();
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.find("http://a.example/b")->duplicate_of, "http://a.example/a");
  EXPECT_EQ(crawled.find("http://a.example/a")->duplicate_of, "");
  EXPECT_EQ(crawled.statistics.duplicates, 1u);
}

TEST(Engine, ADepthLimitGivesTheSamePagesWhateverTheTiming) {
  // /far is three links away, or two links over a slow page.
  TestWeb web;
  Reply slow = links_to({"/far"});
  slow.delay = 10s;
  web.page(kRoot, {"/1", "/slow"}).page("http://a.example/1", {"/2"});
  web.page("http://a.example/2", {"/far"}).at("http://a.example/slow", slow);
  web.page("http://a.example/far", {"/beyond"}).page("http://a.example/beyond", {"/too"});
  Options options = from_root();
  options.scope.depth_max = 3;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/beyond"), 1u);
  EXPECT_EQ(crawled.find("http://a.example/far")->depth, 2u);
  EXPECT_EQ(crawled.skipped.at("http://a.example/too"), SkipReason::too_deep);
}

TEST(Engine, FetchesTheHighestScoreFirst) {
  TestWeb web;
  web.page(kRoot, {"/a/b/c/d", "/a?x=1&y=2", "/a"});
  Options options = from_root();
  options.order = CrawlOrder::score;
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 4u);
  EXPECT_EQ(crawled.records[1].url, "http://a.example/a");
  EXPECT_EQ(crawled.records[2].url, "http://a.example/a/b/c/d");

  Options own = from_root();
  own.order = CrawlOrder::score;
  own.concurrency = 1;
  own.hooks.score = [](const url::Url& url, std::uint32_t) {
    return static_cast<std::uint8_t>(url.search().empty() ? 0 : 255);
  };
  EXPECT_EQ(web.crawl(std::move(own)).records[1].url, "http://a.example/a?x=1&y=2");
}

TEST(Engine, EndsAtTheLimitOfPages) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2", "/3", "/4", "/5"});
  Options options = from_root();
  options.pages_max = 3;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 3u);
  EXPECT_EQ(crawled.end, EndReason::page_limit);
  EXPECT_EQ(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::stopped)], 3u);
}

TEST(Engine, FinishesIfTheLimitEqualsThePages) {
  TestWeb web;
  web.page(kRoot, {"/1"});
  Options options = from_root();
  options.pages_max = 2;
  EXPECT_EQ(web.crawl(std::move(options)).end, EndReason::finished);
}

TEST(Engine, EndsAtTheQuota) {
  TestWeb web;
  Reply large = links_to({"/1", "/2", "/3", "/4"});
  large.body += std::string(10'000, ' ');
  web.at(kRoot, large).otherwise("a.example", large);
  Options options = from_root();
  options.concurrency = 1;
  options.wire_bytes_max = 20'000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::quota);
  EXPECT_EQ(crawled.records.size(), 2u);
}

TEST(Engine, EndsAtTheTimeLimit) {
  TestWeb web;
  Reply slow = links_to({"/1", "/2", "/3", "/4", "/5", "/6"});
  slow.delay = 10s;
  web.at(kRoot, slow).otherwise("a.example", slow);
  Options options = from_root();
  options.concurrency = 1;
  options.time_max = 32s;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::time_limit);
  ASSERT_EQ(crawled.records.size(), 4u);
  EXPECT_EQ(crawled.records[3].error, "cancelled");
  EXPECT_LT(crawled.took, 32s + 100ms) << "requests in flight are dropped";
}

TEST(Engine, ReceivesLittleMoreThanTheQuota) {
  TestWeb web;
  web.at(kRoot, page_of_links(64));
  web.otherwise("a.example", Reply{.body = std::string(1'000'000, 'x'), .delay = 10ms});
  Options options = from_root();
  options.wire_bytes_max = 200'000;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::quota);
  std::uint64_t received = 0;
  for (const FetchRecord& record : crawled.records) received += record.wire_bytes;
  EXPECT_LT(received, 200'000u);
  // The bytes of interrupted pages count.
  EXPECT_GE(crawled.statistics.wire_bytes, 200'000u);
  EXPECT_LT(crawled.statistics.wire_bytes, 200'000u + 64 * 64 * 1024);
  EXPECT_LT(crawled.statistics.by_status.at(200), 10u) << "they were not read completely";
  EXPECT_LT(crawled.took, 1s);
}

TEST(Engine, CountsTheBytesOfEarlierTries) {
  TestWeb web;
  const Reply busy = {.status = 503, .body = std::string(5000, 'x')};
  web.at(kRoot, {busy, busy, Reply{.body = "x"}});
  const Crawled crawled = web.crawl(from_root());
  ASSERT_NE(crawled.find(kRoot), nullptr);
  EXPECT_EQ(crawled.find(kRoot)->status, 200);
  EXPECT_LT(crawled.find(kRoot)->wire_bytes, 1000u);
  EXPECT_GT(crawled.statistics.wire_bytes, 10'000u);
}

TEST(Engine, DrainsWhenItIsStopped) {
  TestWeb web;
  Reply slow = links_to({"/1", "/2", "/3"});
  slow.delay = 1s;
  web.at(kRoot, slow).otherwise("a.example", slow);
  web.on_page = [](Engine& engine) { engine.stop(EndReason::interrupted); };
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.end, EndReason::interrupted);
  EXPECT_LE(crawled.records.size(), 2u) << "one may have been claimed by then";
  EXPECT_EQ(crawled.records.size(), crawled.heard.size() - 1) << "every fetched URL is recorded";
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Engine, RecordsFetchedUrlsWhenItIsStopped) {
  TestWeb web;
  Reply slow = links_to({});
  slow.delay = 1h;
  web.page(kRoot, {"/good", "/slow", "/cut"}).page("http://a.example/good", {});
  web.at("http://a.example/slow", slow);
  web.at("http://a.example/cut", Reply{.body = "x", .is_cut = true});
  Options options = from_root();
  options.time_max = 500ms;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::time_limit);
  ASSERT_EQ(crawled.records.size(), 4u);
  EXPECT_EQ(crawled.find("http://a.example/slow")->error, "cancelled");
  EXPECT_NE(crawled.find("http://a.example/cut"), nullptr);
  EXPECT_EQ(crawled.statistics.pages, 4u);
}

TEST(Engine, EndsWhenAHookThrows) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"});
  Options options = from_root();
  options.concurrency = 1;
  options.hooks.see_response = [](const url::Url&, const http::Response&) {
    throw std::runtime_error("no more");
  };
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.problems.size(), 1u);
  EXPECT_THAT(crawled.problems[0], testing::HasSubstr("no more"));
}

TEST(Engine, EndsWhenAHookThrowsSomethingThatIsNoException) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"});
  Options options = from_root();
  options.hooks.see_response = [](const url::Url&, const http::Response&) { throw 7; };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.problems, ElementsAre(testing::HasSubstr("unknown type")));
}

TEST(Engine, EndsWhenAHookThrowsForARoot) {
  TestWeb web;
  web.page(kRoot, {});
  Options options = from_root();
  options.hooks.wants_url = [](const url::Url&) -> bool { throw std::runtime_error("no more"); };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.problems, ElementsAre(testing::HasSubstr("no more")));
  EXPECT_THAT(crawled.heard, IsEmpty());
}

TEST(Engine, StopsImmediatelyWhenItIsAborted) {
  TestWeb web;
  Reply slow = links_to({});
  slow.delay = 60s;
  web.page(kRoot, {"/1", "/2", "/3"}).page("http://a.example/1", {}).otherwise("a.example", slow);
  web.on_page = [](Engine& engine) {
    if (engine.statistics().pages == 1) engine.abort();
  };
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.end, EndReason::aborted);
  EXPECT_LT(crawled.took, 1s);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(Engine, FetchesRequisitesOfOtherHostsWithoutFollowingTheirLinks) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<link rel=stylesheet href=http://cdn.example/s.css><img src=/i.png>"
                              "<a href=http://cdn.example/page>x</a>"});
  web.at("http://cdn.example/s.css",
         Reply{.type = "text/css", .body = "a { background: url(bg.png) }"});
  Options options = from_root();
  options.scope.assets = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/i.png",
                                          "http://cdn.example/bg.png", "http://cdn.example/s.css"));
}

TEST(Engine, EndsOnAHostThatAnswersEveryPath) {
  TestWeb web;
  web.page(kRoot, {"/real"}).page("http://a.example/real", {"b/c/d"});
  web.otherwise("a.example", links_to({"x/", "y/", "z/"}));
  Options options = from_root();
  options.traps.repeated_segments = false;
  options.traps.path_depth = false;
  options.scope.url_bytes_max = 1024;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_LT(crawled.records.size(), 1000u);
  EXPECT_GT(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::soft_404)], 0u);
  EXPECT_THAT(crawled.problems, IsEmpty());
}

}  // namespace
}  // namespace gossamer::crawler
