// Tests links out of scope that are fetched, but not followed further.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/setup/options.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

constexpr std::string_view kOther = "http://b.example/x";

Options with_leaves() {
  Options options = from_root();
  options.asks_for_leaves = true;
  return options;
}

// The methods of the requests for a URL, in order.
std::vector<std::string> methods(const Crawled& crawled, std::string_view url) {
  std::vector<std::string> all;
  for (const Heard& heard : crawled.heard) {
    if (heard.url == url) all.push_back(heard.head.substr(0, heard.head.find(' ')));
  }
  return all;
}

TEST(Leaves, AreFetchedWithHeadAndNotFollowed) {
  TestWeb web;
  web.page(kRoot, {kOther, "/in"}).page("http://a.example/in", {});
  web.page(kOther, {"http://b.example/beyond", "http://a.example/from-there"});
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, "http://a.example/in", kOther));
  EXPECT_THAT(methods(crawled, kOther), ElementsAre("HEAD"));
  EXPECT_THAT(methods(crawled, "http://a.example/in"), ElementsAre("GET"));
  EXPECT_TRUE(crawled.find(kOther)->is_leaf);
  EXPECT_EQ(crawled.find(kOther)->error, "");
  EXPECT_FALSE(crawled.find("http://a.example/in")->is_leaf);
}

TEST(Leaves, AreSkippedByDefault) {
  TestWeb web;
  web.page(kRoot, {kOther}).page(kOther, {});
  const Crawled crawled = web.crawl(std::string(kRoot));
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot));
  EXPECT_EQ(crawled.skipped.at(std::string(kOther)), SkipReason::out_of_scope);
}

TEST(Leaves, AreRepeatedWithGetIfHeadFails) {
  for (const int status : {400, 403, 404, 405, 500, 501}) {
    TestWeb web;
    Reply reply = links_to({});
    reply.status_of_head = status;
    web.page(kRoot, {kOther}).at(kOther, reply);
    const Crawled crawled = web.crawl(with_leaves());
    EXPECT_THAT(methods(crawled, kOther), ElementsAre("HEAD", "GET")) << status;
    EXPECT_EQ(crawled.records.size(), 2u);
    EXPECT_EQ(crawled.find(kOther)->status, 200);
  }
}

TEST(Leaves, ThatAreMissingHaveOneRecord) {
  TestWeb web;
  web.page(kRoot, {kOther}).at(kOther, Reply{.status = 404, .body = "no"});
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_THAT(methods(crawled, kOther), ElementsAre("HEAD", "GET"));
  EXPECT_EQ(crawled.find(kOther)->status, 404);
  EXPECT_EQ(crawled.statistics.pages, 2u);
}

TEST(Leaves, AreNotReadWhateverTheirSize) {
  TestWeb web;
  Reply endless = {.body = std::string(1000, 'x'), .is_endless = true};
  endless.status_of_head = 405;
  web.page(kRoot, {kOther}).at(kOther, endless);
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_EQ(crawled.find(kOther)->status, 200);
  EXPECT_EQ(crawled.find(kOther)->bytes, 0u);
}

TEST(Leaves, AreReadIfEnabled) {
  TestWeb web;
  web.page(kRoot, {kOther}).page(kOther, {"/beyond"});
  Options options = with_leaves();
  options.reads_leaves = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(methods(crawled, kOther), ElementsAre("GET"));
  EXPECT_GT(crawled.find(kOther)->bytes, 0u);
  EXPECT_EQ(crawled.times_asked("http://b.example/beyond"), 0u);
}

TEST(Leaves, IncludeDeepPagesAndImages) {
  TestWeb web;
  web.at(kRoot,
         Reply{.body = "<a href=/1>x</a><img src=/i.png><link rel=preconnect href=//c.example>"
                       "<link rel=stylesheet href=/s.css>"});
  web.page("http://a.example/1", {"/2"}).page("http://a.example/2", {"/3"});
  web.at("http://a.example/s.css", Reply{.type = "text/css", .body = "a{b:url(/j.png)}"});
  Options options = with_leaves();
  options.scope.depth_max = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(methods(crawled, "http://a.example/1"), ElementsAre("GET"));
  EXPECT_EQ(methods(crawled, "http://a.example/2").front(), "HEAD");
  EXPECT_EQ(crawled.times_asked("http://a.example/3"), 0u);
  EXPECT_EQ(methods(crawled, "http://a.example/i.png").front(), "HEAD");
  EXPECT_EQ(methods(crawled, "http://a.example/s.css").front(), "GET");
  EXPECT_EQ(methods(crawled, "http://a.example/j.png").front(), "HEAD");
  EXPECT_EQ(crawled.find("http://c.example/"), nullptr);
}

TEST(Leaves, OutOfScopeCanBeExcluded) {
  TestWeb web;
  web.page(kRoot, {kOther}).page(kOther, {});
  Options options = with_leaves();
  options.scope.exclude = {"b\\.example"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kOther), 0u);
  EXPECT_EQ(crawled.skipped.at(std::string(kOther)), SkipReason::excluded);
}

TEST(Leaves, ThatRedirectIntoTheScopeArePagesThere) {
  TestWeb web;
  web.page(kRoot, {kOther}).at(kOther, redirect_to("http://a.example/in"));
  web.page("http://a.example/in", {"/further"}).page("http://a.example/further", {});
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_THAT(methods(crawled, kOther), ElementsAre("HEAD"));
  EXPECT_THAT(methods(crawled, "http://a.example/in"), ElementsAre("GET"));
  EXPECT_EQ(crawled.times_asked("http://a.example/further"), 1u);
}

TEST(Leaves, ObeyRobotsTxt) {
  TestWeb web;
  web.page(kRoot, {kOther}).page(kOther, {});
  web.at("http://b.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /"});
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_EQ(crawled.times_asked(kOther), 0u);
  EXPECT_EQ(crawled.skipped.at(std::string(kOther)), SkipReason::robots);
}

TEST(Leaves, WithAKnownAnswerAreNotFetched) {
  TestWeb web;
  web.page(kRoot, {kOther, "/in"}).page(kOther, {}).page("http://a.example/in", {});
  Options options = with_leaves();
  std::vector<std::string> asked;
  options.hooks.wants_leaf = [&asked](const url::Url& url) {
    asked.push_back(url.href());
    return false;
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, "http://a.example/in"));
  EXPECT_THAT(asked, ElementsAre(kOther));
}

TEST(Leaves, WorkWithoutRoots) {
  TestWeb web;
  web.page(kOther, {"/beyond"}).page("http://c.example/", {});
  Options options = with_leaves();
  options.roots.clear();
  options.leaves = {std::string(kOther), "http://c.example/", "no URL"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre(kOther, "http://c.example/"));
}

TEST(Leaves, AreRetriedWithGetIfTheConnectionBreaks) {
  TestWeb web;
  web.page(kRoot, {kOther});
  web.at(kOther, {Reply{.body = "x", .is_cut = true}, Reply{.body = "fine"}});
  const Crawled crawled = web.crawl(with_leaves());
  EXPECT_THAT(methods(crawled, kOther), ElementsAre("HEAD", "GET"));
  EXPECT_EQ(crawled.find(kOther)->status, 200);
}

}  // namespace
}  // namespace gossamer::crawler
