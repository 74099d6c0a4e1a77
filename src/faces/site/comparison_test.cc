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

}  // namespace
}  // namespace gossamer::site
