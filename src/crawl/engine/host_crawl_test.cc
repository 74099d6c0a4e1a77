// Tests options of single hosts and logins, as the servers see them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <string>

namespace gossamer::crawler {
namespace {

using testing::Contains;
using testing::Key;
using testing::Not;
using testing::Pair;

Options from(std::initializer_list<std::string> roots) {
  Options options;
  options.roots = roots;
  options.scope.kind = ScopeKind::any;
  return options;
}

TEST(HostCrawl, AHostHasItsOwnPace) {
  TestWeb web;
  web.page("http://a.example/", {"/1", "/2", "/3"}).otherwise("a.example", Reply{.body = "leaf"});
  web.page("http://x.b.example/", {"/1", "/2", "/3"})
      .otherwise("x.b.example", Reply{.body = "leaf"});
  Options options = from({"http://a.example/", "http://x.b.example/"});
  options.politeness.delay = 1s;
  options.hosts = {{.name = "*.b.example", .delay = 5s}};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.records.size(), 8u);
  EXPECT_GE(crawled.shortest_gap("http://x.b.example/"), 5s);
  EXPECT_GE(crawled.shortest_gap("http://a.example/"), 1s);
  EXPECT_LT(crawled.shortest_gap("http://a.example/"), 2s);
}

TEST(HostCrawl, AHostHasItsOwnPatterns) {
  TestWeb web;
  web.page("http://a.example/",
           {"/old/1", "/new/1", "http://b.example/old/1", "http://b.example/new/1"});
  web.otherwise("b.example", Reply{.body = "leaf"}).otherwise("a.example", Reply{.body = "leaf"});
  Options options = from({"http://a.example/"});
  options.scope.exclude = {"/new/"};
  options.hosts = {{.name = "b.example", .exclude = {{"/old/"}}}};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.skipped, Contains(Pair("http://a.example/new/1", SkipReason::excluded)));
  EXPECT_THAT(crawled.skipped, Contains(Pair("http://b.example/old/1", SkipReason::excluded)));
  EXPECT_NE(crawled.find("http://a.example/old/1"), nullptr);
  EXPECT_NE(crawled.find("http://b.example/new/1"), nullptr) << "in place of the others";
}

// A closed port says nothing about the host, whose other port answers. The closed port has never
// answered, so it is not probed.
TEST(HostCrawl, ADeadPortOfALiveHostIsNotProbedForMinutes) {
  TestWeb web;
  web.page(kRoot, {"http://a.example:81/x", "http://a.example:81/y", "/1", "/2"});
  web.otherwise("a.example", Reply{.body = "x"});
  Options options = from_root();
  options.scope.kind = ScopeKind::any;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_LT(crawled.took, 1min);
  for (const char* dead : {"http://a.example:81/x", "http://a.example:81/y"}) {
    ASSERT_NE(crawled.find(dead), nullptr) << dead;
    EXPECT_EQ(crawled.find(dead)->error, "refused");
  }
  for (const char* live : {"http://a.example/1", "http://a.example/2"}) {
    ASSERT_NE(crawled.find(live), nullptr) << live;
    EXPECT_EQ(crawled.find(live)->status, 200) << live;
  }
}

TEST(HostCrawl, DoesNotLogOutAfterALogin) {
  TestWeb web;
  web.at("http://a.example/",
         Reply{.body = "<a href=/logout>x</a><a href=/bye>Log out</a><a href=/page>Log in</a>"
                       "<a href=/hop>x</a>"});
  web.at("http://a.example/hop", redirect_to("/users/sign_out"));
  web.otherwise("a.example", Reply{.body = "leaf"});
  Options careful = from({"http://a.example/"});
  careful.avoids_logout = true;
  const Crawled crawled = web.crawl(std::move(careful));
  for (const char* url : {"/logout", "/bye", "/users/sign_out"}) {
    EXPECT_THAT(crawled.skipped,
                Contains(Pair("http://a.example" + std::string(url), SkipReason::logout)));
    EXPECT_EQ(crawled.times_asked("http://a.example" + std::string(url)), 0u);
  }
  EXPECT_EQ(crawled.times_asked("http://a.example/page"), 1u);
  const Crawled careless = web.crawl(from({"http://a.example/"}));
  EXPECT_EQ(careless.times_asked("http://a.example/logout"), 1u);
  EXPECT_THAT(careless.skipped, Not(Contains(Key("http://a.example/bye"))));
}

TEST(HostCrawl, AChallengeIsAnsweredImmediately) {
  TestWeb web;
  web.at("http://a.example/", std::vector<Reply>{{.status = 401}, {.body = "in"}});
  Options options = from({"http://a.example/"});
  int asked = 0;
  options.hooks.answer_challenge = [&asked](http::Request& request, const wire::ResponseHead&) {
    request.fields.push_back({"Authorization", "word"});
    return ++asked == 1;
  };
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u) << "one page, one record";
  EXPECT_EQ(crawled.records[0].status, 200);
  EXPECT_EQ(crawled.times_asked("http://a.example/"), 2u);
  EXPECT_EQ(crawled.records[0].tries, 1u);
}

TEST(HostCrawl, AChallengeWithoutAPasswordIsRecorded) {
  TestWeb web;
  web.at("http://a.example/", Reply{.status = 401});
  Options options = from({"http://a.example/"});
  options.hooks.answer_challenge = [](http::Request&, const wire::ResponseHead&) { return false; };
  const Crawled crawled = web.crawl(std::move(options));
  ASSERT_EQ(crawled.records.size(), 1u);
  EXPECT_EQ(crawled.records[0].status, 401);
  EXPECT_EQ(crawled.times_asked("http://a.example/"), 1u);
}

}  // namespace
}  // namespace gossamer::crawler
