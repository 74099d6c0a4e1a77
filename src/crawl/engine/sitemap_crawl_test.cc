// Crawls that read sitemaps, in a simulated world.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include "engine/engine.h"

namespace gossamer::crawler {
namespace {

TEST(SitemapCrawl, ReadsSitemapsIfEnabled) {
  TestWeb web;
  web.page(kRoot, {});
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain", .body = "Sitemap: http://a.example/index.xml\n"});
  web.at("http://a.example/index.xml",
         Reply{.type = "application/xml",
               .body = "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><sitemap>"
                       "<loc>http://a.example/map.xml</loc></sitemap></sitemapindex>"});
  web.at("http://a.example/map.xml",
         Reply{.type = "application/xml",
               .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"
                       "<loc>http://a.example/orphan</loc></url><url><loc>http://b.example/</loc>"
                       "</url></urlset>"});
  Options options = from_root();
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/orphan"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/sitemap.xml"), 0u) << "robots.txt names another";
  EXPECT_EQ(crawled.skipped.at("http://b.example/"), SkipReason::out_of_scope);
}

TEST(SitemapCrawl, ReadsTheSitemapsOfRobotsTxtEvenIfItsRulesAreIgnored) {
  TestWeb web;
  web.page(kRoot, {}).page("http://a.example/orphan", {});
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain",
               .body = "User-agent: *\nDisallow: /\nSitemap: http://a.example/map.xml\n"});
  web.at("http://a.example/map.xml",
         Reply{.type = "application/xml",
               .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"
                       "<loc>http://a.example/orphan</loc></url></urlset>"});
  Options options = from_root();
  options.obeys_robots = false;
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/orphan"), 1u);
}

TEST(SitemapCrawl, GuessesASitemapIfRobotsNamesNone) {
  TestWeb web;
  web.page(kRoot, {});
  web.at("http://a.example/sitemap.xml",
         Reply{.type = "application/xml",
               .body = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"
                       "<loc>http://a.example/orphan</loc></url></urlset>"});
  Options options = from_root();
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/orphan"), 1u);
}

TEST(SitemapCrawl, AMissingGuessedSitemapIsNotAnError) {
  TestWeb web;
  web.page(kRoot, {});
  Options options = from_root();
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  const FetchRecord* const guess = crawled.find("http://a.example/sitemap.xml");
  ASSERT_NE(guess, nullptr);
  EXPECT_EQ(guess->status, 404);
  EXPECT_TRUE(is_wrong_guess(*guess));
  FetchRecord named;
  named.url = guess->url;
  named.via = guess->via;
  named.status = 404;
  EXPECT_FALSE(is_wrong_guess(named)) << "robots.txt names it";
}

TEST(SitemapCrawl, LimitsNestedSitemapIndexes) {
  TestWeb web;
  web.page(kRoot, {});
  web.at("http://a.example/robots.txt",
         Reply{.type = "text/plain", .body = "Sitemap: http://a.example/map/0.xml\n"});
  for (int i = 0; i < 20; ++i) {
    web.at(fmt::format("http://a.example/map/{}.xml", i),
           Reply{.type = "application/xml",
                 .body = fmt::format("<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/"
                                     "0.9'><sitemap><loc>http://a.example/map/{}.xml</loc>"
                                     "</sitemap></sitemapindex>",
                                     i + 1)});
  }
  Options options = from_root();
  options.reads_sitemaps = true;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.times_asked("http://a.example/map/1.xml"), 1u);
  EXPECT_EQ(crawled.times_asked("http://a.example/map/2.xml"), 0u);
}

}  // namespace
}  // namespace gossamer::crawler
