// Crawls with browsers of the simulated world: lines of a page say what its scripts do.

#include "engine/page_rendering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/browser_model.h>
#include <tests/support/suite.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <string>
#include <utility>

#include "async/sleep.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/page/part_fetch.h"

namespace gossamer::crawler {
namespace {

using support::BrowserModel;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

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
  const Crawled crawled = crawl_with(web, browsers, RenderMode::never);
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot));
  EXPECT_EQ(browsers.launched, 0U);
  EXPECT_TRUE(crawled.find(kRoot)->needs_scripts);
  EXPECT_EQ(crawled.statistics.needs_scripts, 1U);
}

TEST(PageRendering, SaysWhichPagesShowNothingWithoutScripts) {
  constexpr std::string_view kScriptTag = "<script src=/app.js></script>";
  const std::string script(kScriptTag);
  std::string links;
  for (int i = 0; i < 31; ++i) links += "<a href=/" + std::to_string(i) + "></a>";
  for (const auto& [body, needs_scripts] :
       {std::pair<std::string, bool>{"<div id=app></div>" + script, true},
        {"<div id=app></div>", false},
        {links + script, false},
        {"<p>" + std::string(2000, 'x') + script, false},
        {"<!--" + std::string(70'000, 'x') + "-->" + script, false}}) {
    for (const bool keeps_text : {false, true}) {
      TestWeb web;
      web.at(kRoot, Reply{.body = body}).at(kScript, Reply{.body = "x"});
      Options options = from_root();
      options.pages_max = 1;
      options.keeps_text = keeps_text;
      const bool is_long = body.size() > 65'536;
      const Crawled crawled = web.crawl(std::move(options));
      EXPECT_EQ(crawled.find(kRoot)->needs_scripts, needs_scripts || (is_long && keeps_text))
          << body.substr(0, 80);
    }
  }
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

// What the user typed may be local; other pages must not use that.
TEST(PageRendering, LetsPagesReachNoOtherLocalServer) {
  constexpr std::string_view kIntranet = "http://inner.example/";
  TestWeb web;
  web.address("a.example", std::string(kStrangerAddress)).address("b.example", "93.184.216.35");
  web.guard = {.allowed_hosts = {"a.example", "b.example", "inner.example"}};
  const std::string parts =
      "part http://inner.example/secret\npart http://b.example/x\npart http://inner.example/own";
  web.at(kRoot, shell(parts)).at(kIntranet, shell("part http://inner.example/own"));
  web.at("http://b.example/", Reply{.body = "x"});
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.roots = {"http://b.example/", std::string(kIntranet), std::string(kRoot)};
  options.concurrency = 1;
  options.renders = RenderMode::automatic;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://inner.example/secret"), 0U);
  EXPECT_EQ(crawled.times_asked("http://inner.example/own"), 1U);
  EXPECT_EQ(crawled.times_asked("http://b.example/x"), 1U) << "it is public";
}

// The other port of a host is another server, and so is https beside http.
TEST(PageRendering, TellsTheServersOfATypedHostApart) {
  TestWeb web;
  web.guard = {.allowed_hosts = {"inner.example"}};
  web.visit([](World& world) -> async::Task<void> {
    const url::Url page = *url::Url::parse("http://inner.example/a");
    for (const auto& [part, may] : {std::pair("http://inner.example/x", true),
                                    {"http://inner.example:80/x", true},
                                    {"https://inner.example/x", false},
                                    {"https://inner.example:80/x", true},
                                    {"http://inner.example:8080/x", false},
                                    {"https://public.example/x", true}}) {
      EXPECT_EQ(may_request(world.client, page, *url::Url::parse(part)), may) << part;
    }
    co_return;
  });
}

TEST(PageRendering, GainsLinksInShadowRoots) {
  TestWeb web = web_of_shells();
  web.at(kScript, Reply{.type = "text/javascript", .body = "shadow " + std::string(kMade)});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, kMade));
  EXPECT_TRUE(crawled.find(kRoot)->rendering->has_gained);
}

// A hook of refreshed crawls makes requests conditional.
TEST(PageRendering, GivesTheBrowserWholeAnswers) {
  TestWeb web = web_of_shells();
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.hooks.edit_request = [](http::Request& request) {
    request.fields.push_back({"If-None-Match", "\"1\""});
    request.fields.push_back({"If-Modified-Since", "Tue, 14 Nov 2023 22:13:20 GMT"});
  };
  const Crawled crawled = web.crawl(std::move(options));
  const auto script = std::ranges::find(crawled.heard, kScript, &Heard::url);
  ASSERT_NE(script, crawled.heard.end());
  EXPECT_THAT(script->head, Not(HasSubstr("If-")));
}

// A typical app: every URL has the same bytes, and only the script knows what it shows.
TEST(PageRendering, CrawlsAnAppThatAnswersEveryUrlWithTheSameBytes) {
  TestWeb web;
  std::string links;
  for (int i = 1; i < 40; ++i) links += "link http://a.example/page/" + std::to_string(i) + "\n";
  web.otherwise("a.example", shell("part " + std::string(kScript)));
  web.at(kScript, Reply{.type = "text/javascript", .body = links});
  web.at("http://a.example/robots.txt", Reply{.status = 404});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.records.size(), 40U);
  EXPECT_THAT(crawled.skipped, testing::IsEmpty());
}

// Six pages, each of which loads the same script and its own data.
TestWeb web_of_an_app(const std::string& script_fields = {}) {
  TestWeb web;
  std::string links;
  for (int i = 0; i < 6; ++i) {
    const std::string number = std::to_string(i);
    links += "<a href=/" + number + ">x</a>";
    web.at("http://a.example/" + number,
           shell("part " + std::string(kScript) + "\npart http://a.example/data?" + number +
                 "\npart http://a.example/all"));
    web.at("http://a.example/data?" + number, Reply{.type = "application/json", .body = number});
  }
  web.at(kRoot, Reply{.body = links});
  web.at("http://a.example/all", Reply{.type = "application/json", .body = "all"});
  web.at(kScript, Reply{.type = "text/javascript",
                        .body = "link " + std::string(kMade),
                        .fields = script_fields});
  web.at(kMade, Reply{.body = "x"});
  return web;
}

TEST(PageRendering, FetchesAScriptOfManyPagesOnce) {
  TestWeb web = web_of_an_app();
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.times_asked(kScript), 1U);
  EXPECT_EQ(crawled.times_asked("http://a.example/all"), 6U) << "data may change";
  EXPECT_EQ(crawled.statistics.rendered_gained, 6U);

  TestWeb changing = web_of_an_app("Cache-Control: no-store\r\n");
  BrowserModel others;
  EXPECT_EQ(crawl_with(changing, others, RenderMode::automatic).times_asked(kScript), 6U);
}

TEST(PageRendering, ArchivesWhatPagesReceivedOnce) {
  TestWeb web = web_of_an_app("Cache-Control: no-store\r\n");
  web.client_options.keep_request = true;
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.keeps_captures = true;
  const Crawled crawled = web.crawl(std::move(options));
  std::vector<std::string> urls;
  std::vector<std::string> shown;
  for (const Exchange& other : crawled.others) {
    if (other.capture.response_head.empty()) {
      shown.push_back(other.url);
      EXPECT_THAT(other.capture.payload, testing::HasSubstr("<a href="));
      const FetchRecord* const record = crawled.find(other.url);
      ASSERT_NE(record, nullptr);
      EXPECT_EQ(other.ts, record->ts);
      continue;
    }
    urls.push_back(other.url);
    EXPECT_THAT(other.capture.request_head, testing::StartsWith("GET "));
    EXPECT_THAT(other.capture.response_head, testing::StartsWith("HTTP/1.1 "));
    if (other.url.ends_with("/robots.txt")) continue;
    EXPECT_EQ(other.capture.cut, Cut::none);
    if (other.url == kScript) EXPECT_EQ(other.capture.payload, "link " + std::string(kMade));
  }
  std::vector<std::string> expected = {std::string(kScript), "http://a.example/all",
                                       "http://a.example/robots.txt"};
  for (int i = 0; i < 6; ++i) expected.push_back("http://a.example/data?" + std::to_string(i));
  EXPECT_THAT(urls, testing::UnorderedElementsAreArray(expected));
  EXPECT_FALSE(shown.empty());
}

// Cannot store a part of a page.
class FullSink final : public PageSink {
 public:
  async::Task<Result<void>> put(Page) override { co_return {}; }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    if (exchange.url == kScript) co_return fail(Errc::io_failed);
    co_return {};
  }
};

// BORROWS: all.
async::Task<void> crawl_into(PageSink& sink, World& world, bool& has_failed) {
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.keeps_captures = true;
  Frontier frontier(async::Loop::current(), frontier_options(options, world));
  wire::CookieJar cookies;
  Engine engine(world, std::move(options), frontier, sink, cookies);
  has_failed = !(co_await engine.run());
}

TEST(PageRendering, EndsTheCrawlIfAPartCannotBeStored) {
  TestWeb web = web_of_an_app();
  web.client_options.keep_request = true;
  BrowserModel browsers;
  web.browsers = &browsers;
  FullSink sink;
  bool has_failed = false;
  web.visit([&](World& world) { return crawl_into(sink, world, has_failed); });
  EXPECT_TRUE(has_failed);
}

// Stores the first script only when its page does not wait for it any more.
class SlowSink final : public PageSink {
 public:
  async::Task<Result<void>> put(Page page) override {
    urls.push_back(page.record.url);
    co_return {};
  }
  async::Task<Result<void>> put_other(Exchange exchange) override {
    if (exchange.url != kScript) co_return {};
    if (tries++ == 0) {
      if (auto slept = co_await async::sleep(24h); !slept) co_return slept;
    }
    ++scripts;
    co_return {};
  }

  std::vector<std::string> urls;
  int tries = 0;
  int scripts = 0;
};

TEST(PageRendering, DoesNotWaitUntilAPartIsStored) {
  constexpr std::string_view kSecond = "http://a.example/second";
  const std::string part = "part " + std::string(kScript);
  TestWeb web = web_of_shells();
  web.client_options.keep_request = true;
  web.at(kRoot, shell("link " + std::string(kSecond) + "\n" + part)).at(kSecond, shell(part));
  BrowserModel browsers;
  web.browsers = &browsers;
  SlowSink sink;
  bool has_failed = true;
  web.visit([&](World& world) { return crawl_into(sink, world, has_failed); });
  EXPECT_FALSE(has_failed);
  EXPECT_THAT(sink.urls, ElementsAre(kRoot, kSecond, kMade));
  EXPECT_EQ(sink.tries, 2);
  EXPECT_EQ(sink.scripts, 1);
}

TEST(PageRendering, RequestsNoPartsOfABusyHost) {
  TestWeb web = web_of_an_app();
  web.at(kScript, Reply{.status = 429, .fields = "Retry-After: 3600\r\n"});
  for (int i = 0; i < 6; ++i) {
    web.at("http://a.example/" + std::to_string(i), shell("part " + std::string(kScript)));
  }
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.concurrency = 1;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked(kScript), 1U);
  EXPECT_EQ(crawled.records.size(), 7U);
}

TEST(PageRendering, RecordsHaveTheLinksAndRulesOfTheRenderedPage) {
  TestWeb web = web_of_shells();
  web.at(kRoot, shell("part " + std::string(kScript) + "\nnofollow"));
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.keeps_links = true;
  const Crawled crawled = web.crawl(std::move(options));
  const FetchRecord* const record = crawled.find(kRoot);
  ASSERT_TRUE(record->links.has_value());
  ASSERT_EQ(record->links->size(), 2U);
  EXPECT_EQ(record->links->front().url, kScript);
  EXPECT_EQ(record->links->back().url, kMade);
  EXPECT_EQ(record->robots, "nofollow");
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot));
}

// Each page leads to the next one, and only its script says so.
TEST(PageRendering, EndsAnEndlessCalendar) {
  TestWeb web;
  web.decide = [](const std::string& url, Instant) -> std::optional<Reply> {
    const std::size_t at = url.find("?offset=");
    if (at == std::string::npos) return std::nullopt;
    const int offset = std::stoi(url.substr(at + 8));
    return shell("link http://a.example/calendar?offset=" + std::to_string(offset + 1));
  };
  web.at(kRoot, Reply{.body = "<a href='/calendar?offset=1'>" + std::string(2000, 'x') + "</a>"});
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.pages_max = 500;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_LT(crawled.records.size(), 300U);
}

// The bytes of what a page requests are received, whether it gets them or not.
TEST(PageRendering, CountsThePartsThatAreTooLarge) {
  TestWeb web = web_of_shells();
  web.at(kScript, Reply{.body = std::string(kPartBytesMax + 1, 'x')});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_GT(crawled.statistics.wire_bytes, kPartBytesMax);
}

TEST(PageRendering, AsksAHostWithoutAnAnswerForItsRulesOnce) {
  TestWeb web;
  web.at(kRoot, shell("part http://cdn.example/1.js\npart http://cdn.example/2.js\n"
                      "part http://cdn.example/3.js\npart http://cdn.example/4.js"));
  web.at("http://cdn.example/robots.txt", Reply{.status = 503});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.times_asked("http://cdn.example/robots.txt"), 1U);
  EXPECT_EQ(crawled.times_asked("http://cdn.example/1.js"), 0U);
}

TEST(PageRendering, AnswersAskedPasswordsForPartsOfThePagesOwnSite) {
  TestWeb web;
  web.at(kRoot, shell("part " + std::string(kScript) + "\npart http://b.example/app.js"));
  web.decide_by_head = [](const Heard& request) -> std::optional<Reply> {
    if (!request.url.ends_with("/app.js") || request.head.contains("X-Password")) {
      return std::nullopt;
    }
    return Reply{.status = 401, .fields = "WWW-Authenticate: Basic realm=x\r\n"};
  };
  web.at(kScript, Reply{.body = "link " + std::string(kMade)});
  web.at("http://b.example/app.js", Reply{.body = "link http://a.example/other"});
  web.at(kMade, Reply{.body = "x"});
  BrowserModel browsers;
  web.browsers = &browsers;
  Options options = from_root();
  options.renders = RenderMode::automatic;
  options.hooks.answer_challenge = [](http::Request& request, const wire::ResponseHead&) {
    request.fields.push_back({"X-Password", "x"});
    return true;
  };
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(), ElementsAre(kRoot, kMade));
}

TEST(PageRendering, KeepsThePageIfTheBrowserFails) {
  TestWeb web = web_of_shells();
  web.at(kRoot, shell("<a href=/made>x</a>\npart " + std::string(kScript)));
  web.at(kScript, Reply{.body = "crash"});
  BrowserModel browsers;
  const Crawled crawled = crawl_with(web, browsers, RenderMode::automatic);
  EXPECT_EQ(crawled.find(kRoot)->rendering->error, "peer_closed");
  EXPECT_GT(crawled.find(kRoot)->rendering->requests, 0U);
  EXPECT_EQ(crawled.statistics.rendered, 0U);
  EXPECT_THAT(crawled.statistics.by_rendering_error, ElementsAre(testing::Pair("peer_closed", 1U)));
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
    std::uint64_t tried = crawled.statistics.rendered;
    for (const auto& [error, times] : crawled.statistics.by_rendering_error) tried += times;
    EXPECT_EQ(tried, 6U);
  }
}

}  // namespace
}  // namespace gossamer::crawler
