#include "engine/page/link_filter.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/link_test_case.h>
#include <tests/support/test_web.h>

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

// Wants no URL. BORROWS: the list.
async::Task<Result<std::vector<bool>>> refuse_all(std::vector<std::string>& asked,
                                                  std::vector<std::string> urls) {
  std::vector<bool> wanted(urls.size(), false);
  asked.insert(asked.end(), urls.begin(), urls.end());
  co_return wanted;
}

// The same, but wants all.
async::Task<Result<std::vector<bool>>> want_all(std::vector<std::string>& asked,
                                                std::vector<std::string> urls) {
  std::vector<bool> wanted(urls.size(), true);
  asked.insert(asked.end(), urls.begin(), urls.end());
  co_return wanted;
}

class LinkFilterTest : public LinkTest {
 protected:
  LinkFilterTest() {
    hooks.wants_urls = [this](std::vector<std::string> urls) {
      return refuse_all(asked, std::move(urls));
    };
  }
  // Judges the links of the home page. Returns false if it was cancelled, after one step.
  bool judge_links(std::string_view body, bool is_cancelled = false) {
    intake().add_root(url_of(kHome));
    Target from;
    const url::Url page = url_of(kHome);
    PageReading reading;
    read(reading, kHome, body, BodyKind::html, from);
    PageLinks links(intake(), reading, page, from, refused);
    LinkFilter filter(hooks, intake());
    EXPECT_TRUE(filter.is_on());
    const async::Loop::Running running(world.loop());
    async::Scope root(world.loop(), async::OnFailure::keep_going);
    auto task = root.spawn(filter.judge(links));
    world.loop().step();
    if (is_cancelled) task.cancel();
    while (!task.done()) world.loop().step();
    return task.take();
  }

  std::vector<std::string> asked;
};

std::string page_with_links(std::size_t count) {
  std::string body;
  for (std::size_t i = 0; i < count; ++i) body += fmt::format("<a href=/{}>x</a>", i);
  return body;
}

TEST_F(LinkFilterTest, AsksAboutAllLinksOfAPageTogether) {
  EXPECT_TRUE(judge_links(page_with_links(10'000)));
  EXPECT_THAT(asked, SizeIs(10'000));
  EXPECT_EQ(judge("http://a.example/0"), SkipReason::filtered);
  EXPECT_EQ(judge("http://a.example/9999"), SkipReason::filtered);
  EXPECT_EQ(judge("http://a.example/10000"), SkipReason::none);
}

TEST_F(LinkFilterTest, AsksNothingAboutAPageWithoutNewLinks) {
  EXPECT_TRUE(judge_links("<a href=/>home</a><a href=http://b.example/>x</a>"));
  EXPECT_THAT(asked, IsEmpty());
}

TEST_F(LinkFilterTest, AsksNothingOnceItIsCancelled) {
  EXPECT_FALSE(judge_links(page_with_links(10'000), true));
  EXPECT_THAT(asked, IsEmpty());
}

// A hook that decides about single URLs is called by the last rule of a link's finder.
TEST(LinkRulesOfACrawl, ALinkPassesThemOnce) {
  TestWeb web;
  web.page(kRoot, {"/one", "/two", "/one", "http://b.example/"});
  web.page("http://a.example/one", {"/two", "/three"});
  web.page("http://a.example/two", {"/one"});
  web.page("http://a.example/three", {});
  for (const bool waits : {false, true}) {
    Options options = from_root();
    std::map<std::string, int> judged;
    std::vector<std::string> asked;
    options.hooks.wants_url = [&judged](const url::Url& url) {
      ++judged[std::string(url.pathname())];
      return true;
    };
    if (waits) {
      options.hooks.wants_urls = [&asked](std::vector<std::string> urls) {
        return want_all(asked, std::move(urls));
      };
    }
    web.crawl(std::move(options));
    EXPECT_THAT(judged,
                ElementsAre(Pair("/", 1), Pair("/one", 1), Pair("/three", 1), Pair("/two", 1)))
        << "a hook waits: " << waits;
  }
}

TEST(RedirectFilter, AsksOnlyAboutNewTargetsInScopeThatAreNoRoots) {
  TestWeb web;
  web.at(kRoot, redirect_to("/start", 301));
  web.page("http://a.example/start", {"/new", "/known", "/away"});
  web.at("http://a.example/new", redirect_to("/target"));
  web.at("http://a.example/known", redirect_to("/start"));
  web.at("http://a.example/away", redirect_to("http://b.example/"));
  web.page("http://a.example/target", {});
  Options options = from_root();
  std::vector<std::string> asked;
  options.hooks.wants_urls = [&asked](std::vector<std::string> urls) {
    return want_all(asked, std::move(urls));
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(asked, ElementsAre("http://a.example/new", "http://a.example/known",
                                 "http://a.example/away", "http://a.example/target"));
  EXPECT_THAT(crawled.urls(), ElementsAre("http://a.example/", "http://a.example/away",
                                          "http://a.example/known", "http://a.example/new",
                                          "http://a.example/start", "http://a.example/target"));
  EXPECT_EQ(crawled.skipped.at("http://b.example/"), SkipReason::out_of_scope);
}

}  // namespace
}  // namespace gossamer::crawler
