#include "site/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "site/site.h"

namespace gossamer::site {
namespace {

using testing::ElementsAre;

// The results of a perfect crawl.
std::vector<CrawledUrl> perfect(const Truth& truth) {
  std::vector<CrawledUrl> crawl;
  for (const TruthEntry& entry : truth.entries) {
    if (!entry.must_fetch) continue;
    crawl.push_back({.url = entry.url, .status = entry.status, .next_url = entry.next_url});
  }
  return crawl;
}

TEST(ComparisonTest, FindsNothingWrongWithAPerfectCrawl) {
  const Site site(SiteOptions::demo(1));
  const Truth truth = site.truth();
  auto crawl = perfect(truth);
  crawl.push_back({.url = "http://site.example/robots.txt", .status = 200});
  const Comparison comparison = compare(site.layout(), truth, crawl);
  EXPECT_TRUE(comparison.is_equal()) << describe(comparison);
  EXPECT_EQ(comparison.equal, crawl.size() - 1);
  EXPECT_EQ(comparison.by_the_way, 1u);
}

TEST(ComparisonTest, FindsWhatIsMissingExtraRepeatedAndWrong) {
  const Site site(SiteOptions::demo(1));
  const Truth truth = site.truth();
  auto crawl = perfect(truth);
  const std::string missing = crawl[3].url;
  crawl.erase(crawl.begin() + 3);
  crawl.push_back({.url = crawl[5].url + "#again", .status = crawl[5].status});
  crawl.push_back({.url = "http://site.example/no/such/page", .status = 404});
  crawl[7].status = 500;
  const Comparison comparison = compare(site.layout(), truth, crawl);
  EXPECT_FALSE(comparison.is_equal());
  EXPECT_THAT(comparison.missing, ElementsAre(missing));
  EXPECT_THAT(comparison.repeated, ElementsAre(crawl[5].url));
  EXPECT_THAT(comparison.extra, ElementsAre("http://site.example/no/such/page"));
  ASSERT_EQ(comparison.wrong.size(), 1u);
  EXPECT_EQ(comparison.wrong[0].url, crawl[7].url);
}

TEST(ComparisonTest, ForgivesWhatWasFetchedInTraps) {
  SiteOptions options;
  options.has_traps = true;
  const Site site(options);
  const Truth truth = site.truth();
  auto crawl = perfect(truth);
  crawl.push_back({.url = "http://site.example/maze/left/left/", .status = 200});
  const Comparison comparison = compare(site.layout(), truth, crawl);
  EXPECT_TRUE(comparison.is_equal());
  EXPECT_EQ(comparison.trapped, 1u);
}

TEST(ComparisonTest, ReadsTheLinesThatACrawlWrites) {
  const auto read = read_crawled_url(
      R"({"ts": "2024-01-01T00:00:00Z", "url":"http:\/\/a.example\/\u00e9\ud83d\ude00",)"
      R"("status":301,)"
      R"( "next_url":"http://b.example/", "via": null, "x": [1, {"url": "no"}, "]"]})");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->url, "http://a.example/\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(read->status, 301);
  EXPECT_EQ(read->next_url, "http://b.example/");
  EXPECT_EQ(read_crawled_url(R"({"url":"x","status":null,"next_url":null})")->status, 0);
}

TEST(ComparisonTest, RejectsInvalidLines) {
  for (const char* const line :
       {"", "[]", "{", R"({"url":)", R"({"url":"x")", R"({"url":"x"} more)", R"({"status":200})",
        R"({"url":"\u12"})", R"({"url":"x","status":"200x",})", R"({"url":"x","status":-1})",
        R"({"url":"\x"})", R"({"url":"x","y":]})"}) {
    EXPECT_FALSE(read_crawled_url(line)) << line;
  }
}

}  // namespace
}  // namespace gossamer::site
