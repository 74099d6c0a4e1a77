// Crawls with browsers of the simulated world: lines of a page say what its scripts do.

#include "engine/page_rendering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/browser_model.h>
#include <tests/support/suite.h>
#include <tests/support/test_web.h>

#include <string>
#include <utility>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

using support::BrowserModel;
using testing::ElementsAre;

constexpr std::string_view kMade = "http://a.example/made";
constexpr std::string_view kScript = "http://a.example/app.js";

Reply shell(const std::string& lines) {
  return {.body = "<div id=app></div><script src=/app.js></script>\n" + lines + "\n"};
}

// A page whose script makes a link.
TestWeb web_of_shells() {
  TestWeb web;
  web.at(kRoot, shell("part " + std::string(kScript)));
  web.at(kScript, Reply{.type = "text/javascript", .body = "link " + std::string(kMade)});
  web.at(kMade, Reply{.body = "<p>A page with some words that needs no script to be read."});
  return web;
}

Crawled crawl_with(TestWeb& web, BrowserModel& browsers, RenderMode mode) {
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = mode;
  Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.problems, ElementsAre());
  EXPECT_EQ(browsers.running, 0U);
  return crawled;
}

TEST(PageRendering, FindsLinksThatScriptsMake) {
  TestWeb web = web_of_shells();
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, kMade));
  const std::optional<Rendering>& rendering = crawled.find(kRoot)->rendering;
  ASSERT_TRUE(rendering.has_value());
  EXPECT_EQ(rendering->why, kRenderedEmpty);
  EXPECT_EQ(rendering->error, "");
  EXPECT_EQ(rendering->requests, 1U);
  EXPECT_TRUE(rendering->has_gained);
  EXPECT_FALSE(crawled.find(kMade)->rendering.has_value());
  EXPECT_EQ(crawled.times_asked(kRoot), 1U);  // the browser gets what was fetched
  EXPECT_EQ(crawled.statistics.rendered, 1U);
  EXPECT_EQ(crawled.statistics.rendered_gained, 1U);
}

TEST(PageRendering, StartsNoBrowserIfItIsOff) {
  TestWeb web = web_of_shells();
  BrowserModel browsers;
  EXPECT_THAT(crawl_with(web, browsers, RenderMode::never).urls(), ElementsAre(kRoot));
  EXPECT_EQ(browsers.launched, 0U);
}

TEST(PageRendering, StartsNoBrowserIfNoPageNeedsIt) {
  TestWeb web;
  web.page(kRoot, {"/1", "/2"});
  BrowserModel browsers;
  crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(browsers.launched, 0U);
}

TEST(PageRendering, RendersAllPagesIfThatIsWanted) {
  TestWeb web = web_of_shells();
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::always);
  EXPECT_EQ(crawled.find(kMade)->rendering->why, kRenderedAlways);
  EXPECT_FALSE(crawled.find(kMade)->rendering->has_gained);
  EXPECT_EQ(crawled.statistics.rendered, 2U);
}

TEST(PageRendering, ObeysRobotsOfThePageAndOfOtherHosts) {
  TestWeb web = web_of_shells();
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /app.js"});
  web.at(kRoot, shell("part " + std::string(kScript) +
                      "\npart http://cdn.example/no.js\npart http://cdn.example/yes.js"));
  web.at("http://cdn.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /no"});
  web.at("http://cdn.example/yes.js", Reply{.body = "link http://a.example/made"});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.times_asked(kScript), 0U);
  EXPECT_EQ(crawled.times_asked("http://cdn.example/no.js"), 0U);
  EXPECT_EQ(crawled.times_asked("http://cdn.example/yes.js"), 1U);
  EXPECT_EQ(crawled.times_asked("http://cdn.example/robots.txt"), 1U);
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, kMade));
}

TEST(PageRendering, KeepsThePageIfTheBrowserFails) {
  TestWeb web = web_of_shells();
  web.at(kRoot, shell("<a href=/made>x</a>\ncrash"));
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.find(kRoot)->rendering->error, "peer_closed");
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, kMade));
  EXPECT_EQ(crawled.statistics.rendered_gained, 0U);
}

TEST(PageRendering, LosesNoPageWhateverBrowsersDo) {
  for (std::uint64_t seed = 0; seed < support::cases_to_run(200); ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    TestWeb web(seed);
    std::string links;
    for (int i = 0; i < 6; ++i) {
      const std::string url = "http://a.example/" + std::to_string(i);
      links += "<a href=/" + std::to_string(i) + ">x</a>";
      web.at(url, shell("part " + std::string(kScript)));
    }
    web.at(kRoot, Reply{.body = links});
    web.at(kScript, Reply{.type = "text/javascript", .body = "link http://a.example/0"});
    const double trouble = random.unit() * 0.05;
    BrowserModel browsers(seed, {.delay_max = std::chrono::milliseconds(random.below(1000)),
                                 .dies = random.unit() * trouble,
                                 .falls_silent = random.unit() * trouble,
                                 .says_nonsense = random.unit() * trouble,
                                 .forgets = random.unit() * trouble});
    const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
    EXPECT_EQ(crawled.end, EndReason::finished);
    EXPECT_EQ(crawled.records.size(), 7U);
    EXPECT_EQ(crawled.statistics.rendered, 6U);
  }
}

}  // namespace
}  // namespace gossamer::crawler
