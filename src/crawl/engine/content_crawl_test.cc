#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "content/extractor.h"
#include "content/text_sketch.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Crawl, ExtractsFieldsOfPages) {
  TestWeb web;
  web.at(kRoot, Reply{.type = "text/html; charset=windows-1252",
                      .body = "<h1>caf\xE9</h1><a href=/a>x</a><a href=/b.png><a href=/gone>"});
  web.at("http://a.example/a", Reply{.body = "<a href=z>"});
  web.at("http://a.example/b.png", Reply{.type = "image/png", .body = "<h1>not a page</h1>"});
  Options options = from_root();
  options.extract = {"heading=h1", "links[]=a@href"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(content::to_json(crawled.find(kRoot)->extracted),
            "{\"heading\": \"caf\xC3\xA9\", \"links\": [\"http://a.example/a\", "
            "\"http://a.example/b.png\", \"http://a.example/gone\"]}");
  EXPECT_FALSE(crawled.find(kRoot)->is_extract_truncated);
  EXPECT_EQ(content::to_json(crawled.find("http://a.example/a")->extracted),
            R"({"heading": null, "links": ["http://a.example/z"]})");
  EXPECT_TRUE(crawled.find("http://a.example/b.png")->extracted.empty());
  EXPECT_TRUE(crawled.find("http://a.example/gone")->extracted.empty());
}

TEST(Crawl, ExtractsFieldsOfItems) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<div class=card><h3>A</h3></div><div class=card><h3>B</h3></div>"
                              "<a href=/a>x</a>"});
  web.at("http://a.example/a", Reply{.body = "no cards"});
  Options options = from_root();
  options.extract = {"name=h3"};
  options.items = ".card";
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(content::to_json(crawled.find(kRoot)->extracted), R"([{"name": "A"}, {"name": "B"}])");
  EXPECT_TRUE(crawled.find("http://a.example/a")->extracted.empty());
}

TEST(Crawl, AddsMainTextsIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<nav><a href=/x>Menu</a></nav><article><p>One <b>two</b>, "
                              "<a href=/x>three</a>, four, five and six.</article>"});
  Options options = from_root();
  options.keeps_text = options.keeps_markdown = true;
  const FetchRecord found = *web.crawl(std::move(options)).find(kRoot);
  EXPECT_EQ(found.text, "One two, three, four, five and six.");
  EXPECT_EQ(found.markdown, "One **two**, [three](http://a.example/x), four, five and six.\n");
  EXPECT_FALSE(found.is_extract_truncated);
  EXPECT_TRUE(web.crawl(from_root()).find(kRoot)->text.empty());
}

TEST(Crawl, AddsMetadataIfEnabled) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<html lang=en><link rel=canonical href=/c><h1>A</h1>"
                              "<a href=/b.png>x</a>"});
  web.at("http://a.example/b.png", Reply{.type = "image/png", .body = "<h1>not a page</h1>"});
  Options options = from_root();
  options.keeps_metadata = true;
  const Crawled crawled = web.crawl(std::move(options));
  const FetchRecord found = *crawled.find(kRoot);
  ASSERT_TRUE(found.metadata);
  EXPECT_EQ(found.metadata->language, "en");
  EXPECT_EQ(found.metadata->canonical, "http://a.example/c");
  EXPECT_EQ(found.metadata->headings.size(), 1u);
  EXPECT_FALSE(crawled.find("http://a.example/b.png")->metadata);
  EXPECT_FALSE(web.crawl(from_root()).find(kRoot)->metadata);
}

TEST(Crawl, RecordsWhatPagesForbid) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<meta name=robots content='noindex, NoArchive'><a href=/pdf>x</a>"
                              "<meta name=otherbot content=nosnippet>",
                      .fields = "X-Robots-Tag: nosnippet\r\n"});
  web.at("http://a.example/pdf",
         Reply{.type = "application/pdf", .body = "%PDF", .fields = "X-Robots-Tag: none\r\n"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.find(kRoot)->robots, "noindex, noarchive, nosnippet");
  EXPECT_EQ(crawled.find("http://a.example/pdf")->robots, "noindex, nofollow");
  Options options = from_root();
  options.obeys_nofollow = false;
  EXPECT_EQ(web.crawl(std::move(options)).find(kRoot)->robots, "noindex, noarchive, nosnippet");
}

TEST(Crawl, SketchesMainTextsIfEnabled) {
  TestWeb web;
  const std::string text = "One two, three, four, five and six, seven, eight, nine, ten, eleven.";
  web.at(kRoot, Reply{.body = "<nav><a href=/x>Menu</a></nav><article><p>" + text + "</article>"});
  Options options = from_root();
  options.finds_similar = true;
  const FetchRecord found = *web.crawl(std::move(options)).find(kRoot);
  ASSERT_TRUE(found.sketch);
  EXPECT_EQ(*found.sketch, *content::text_sketch(text));
  EXPECT_TRUE(found.text.empty());
  EXPECT_FALSE(web.crawl(from_root()).find(kRoot)->sketch);
}

// Its links exist only in scripts.
TestWeb scripted_web() {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<script>go('/inline.html'); x = \"/not a link/\"; y = '/gone.html'"
                              "</script><script src=/app.js></script><a href=/real.html>r</a>"
                              "<script>z = '/real.html'</script>"});
  web.at("http://a.example/app.js",
         Reply{.type = "text/javascript", .body = "fetch(\"/list.json\"); // '/comment.html'"});
  web.at("http://a.example/list.json",
         Reply{.type = "application/json", .body = R"({"next": "http:\/\/a.example\/far.html"})"});
  for (const char* const name : {"inline", "real", "far"}) {
    web.at(fmt::format("http://a.example/{}.html", name), Reply{.body = "<p>a page"});
  }
  return web;
}

TEST(Crawl, FollowsUrlsInScriptsAsGuesses) {
  TestWeb web = scripted_web();
  Options options = from_root();
  options.mines_scripts = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(),
              UnorderedElementsAre("http://a.example/", "http://a.example/app.js",
                                   "http://a.example/inline.html", "http://a.example/gone.html",
                                   "http://a.example/real.html", "http://a.example/list.json",
                                   "http://a.example/far.html"));
  for (const char* const name : {"inline.html", "gone.html", "list.json", "far.html"}) {
    const FetchRecord* const record = crawled.find(std::string("http://a.example/") + name);
    ASSERT_NE(record, nullptr) << name;
    EXPECT_TRUE(record->is_guess) << name;
    EXPECT_EQ(is_wrong_guess(*record), std::string_view(name) == "gone.html") << name;
  }
  EXPECT_FALSE(crawled.find("http://a.example/real.html")->is_guess) << "it is a link, too";
  EXPECT_FALSE(crawled.find("http://a.example/app.js")->is_guess);
}

// The page that links to it is read before the guess is answered.
TEST(Crawl, AGuessThatIsLinkedIsNoGuess) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<a href=/first.html>x</a><script>f('/gone.html'); f('/more.html')"
                              "</script>"});
  web.page("http://a.example/first.html", {"/gone.html"});
  web.at("http://a.example/gone.html", Reply{.status = 404, .body = "", .delay = 5s});
  web.page("http://a.example/more.html", {"/more.html"});  // a link to itself does not count
  Options options = from_root();
  options.mines_scripts = true;
  const Crawled crawled = web.crawl(std::move(options));
  const FetchRecord* const gone = crawled.find("http://a.example/gone.html");
  ASSERT_NE(gone, nullptr);
  EXPECT_EQ(gone->status, 404);
  EXPECT_FALSE(gone->is_guess);
  EXPECT_FALSE(is_wrong_guess(*gone));
  EXPECT_TRUE(crawled.find("http://a.example/more.html")->is_guess);
}

TEST(Crawl, GuessesDoNotDisplaceLinks) {
  TestWeb web;
  web.at(kRoot, Reply{.body = "<script>f('/a.html'); f('/b.html'); f('/c.html')</script>"
                              "<a href=/1>1</a><a href=/2>2</a><a href=/3>3</a>"});
  for (const char* const path : {"/1", "/2", "/3", "/a.html", "/b.html", "/c.html"}) {
    web.page(std::string("http://a.example") + path, {});
  }
  Options options = from_root();
  options.mines_scripts = true;
  options.scope.links_per_page_max = 2;
  EXPECT_THAT(web.crawl(std::move(options)).urls(),
              UnorderedElementsAre(kRoot, "http://a.example/1", "http://a.example/2",
                                   "http://a.example/a.html", "http://a.example/b.html"));
}

TEST(Crawl, RecordsTheRobotsRulesOfBodiesThatItDoesNotRead) {
  TestWeb web;
  web.page(kRoot, {"/a.pdf", "/gone"});
  web.at("http://a.example/a.pdf",
         Reply{.body = "%PDF",
               .fields = "Content-Type: application/pdf\r\nX-Robots-Tag: noindex\r\n"});
  web.at("http://a.example/gone",
         Reply{.status = 404, .body = "", .fields = "X-Robots-Tag: noarchive\r\n"});
  Options options = from_root();
  options.content_types = {"text/html"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.find("http://a.example/a.pdf")->robots, "noindex");
  EXPECT_EQ(crawled.find("http://a.example/gone")->robots, "noarchive");
}

// A page of a framework: its links are in its data, with some that are not for readers.
TestWeb web_with_data() {
  TestWeb web;
  web.at(kRoot, Reply{.body = R"(<script id=__NEXT_DATA__ type=application/json>
      {"href": "/listed", "url": "/real", "path": "/gone", "link": "https://b.example/elsewhere",
       "uri": "/logo.png", "to": "/private"}</script><a href=/real>x</a>)"});
  web.page("http://a.example/real", {}).page("http://a.example/listed", {});
  web.page("http://b.example/elsewhere", {});
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /private"});
  return web;
}

TEST(Crawl, FollowsTheDataOfPagesInItsScope) {
  TestWeb web = web_with_data();
  Options options = from_root();
  options.keeps_links = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_THAT(crawled.urls(),
              UnorderedElementsAre(kRoot, "http://a.example/listed", "http://a.example/real",
                                   "http://a.example/gone"));
  EXPECT_TRUE(crawled.find("http://a.example/listed")->is_guess);
  EXPECT_FALSE(crawled.find("http://a.example/real")->is_guess);
  EXPECT_EQ(crawled.statistics.count(Outcome::error), 0U) << "a wrong guess is no error";
  EXPECT_THAT(crawled.skipped, ElementsAre(Pair("http://a.example/private", SkipReason::robots)));
  const auto& links = *crawled.find(kRoot)->links;
  EXPECT_EQ(std::ranges::count(links, std::string_view("data"), &PageLink::kind), 5);
}

TEST(Crawl, DoesNotCheckTheDataOfPages) {
  TestWeb web = web_with_data();
  Options options = from_root();
  options.asks_for_leaves = true;
  EXPECT_THAT(web.crawl(std::move(options)).urls(),
              UnorderedElementsAre(kRoot, "http://a.example/real"));
}

TEST(Crawl, DoesNotReadScriptsByDefault) {
  TestWeb web = scripted_web();
  EXPECT_THAT(web.crawl(from_root()).urls(),
              UnorderedElementsAre("http://a.example/", "http://a.example/real.html"));
}

TEST(Crawl, ExtractsFromTheBeginningOfALargePage) {
  TestWeb web;
  const std::string body = "<h1>x</h1>" + std::string(content::kExtractPageBytesMax, 'y') + "<h2>z";
  web.at(kRoot, Reply{.body = body});
  Options options = from_root();
  options.extract = {"a=h1; b=h2"};
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(content::to_json(crawled.find(kRoot)->extracted), R"({"a": "x", "b": null})");
  EXPECT_TRUE(crawled.find(kRoot)->is_extract_truncated);
}

}  // namespace
}  // namespace gossamer::crawler
