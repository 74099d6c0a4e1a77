#include "report/collector.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <tests/support/report_test_crawl.h>

#include <string>
#include <utility>

#include "report/html_report.h"
#include "report/json_report.h"
#include "report/markdown_report.h"

namespace gossamer::report {
namespace {

using testing::ElementsAre;

TEST(CollectorTest, FindsBrokenLinksAndThePagesThatCarryThem) {
  TestCrawl crawl;
  crawl.add(TestCrawl::page("/"));
  for (int i = 0; i < 5; ++i) crawl.link("/" + std::to_string(i), "/gone");
  crawl.link("/", "/once");
  crawl.add(TestCrawl::page("/once", 500, "/"));
  crawl.add(TestCrawl::page("/gone", 404, "/0"));
  const Report report = crawl.finish();
  ASSERT_EQ(report.broken.rows.size(), 2u);
  EXPECT_EQ(report.broken.rows[0].url, "http://a.example/gone") << "most linked first";
  EXPECT_EQ(report.broken.rows[0].links, 5u);
  EXPECT_THAT(report.broken.rows[0].referrers,
              ElementsAre("http://a.example/0", "http://a.example/1", "http://a.example/2"));
  EXPECT_EQ(report.broken.rows[1].status, 500);
  ASSERT_EQ(report.causes.size(), 2u);
  EXPECT_EQ(report.causes[0].cause, "404");
}

TEST(CollectorTest, CallsNothingBrokenThatNobodyCanMend) {
  auto record = TestCrawl::page("/");
  EXPECT_FALSE(is_broken(record));
  record.error = crawler::kUnwantedType;
  EXPECT_FALSE(is_broken(record));
  record.error = "over_limit";
  record.is_truncated = true;
  EXPECT_FALSE(is_broken(record)) << "the bound is our own";
  record.status.reset();
  EXPECT_TRUE(is_broken(record)) << "a head without end";
  record.error = "cancelled";
  EXPECT_FALSE(is_broken(record)) << "it was in flight when the crawl ended";
  EXPECT_TRUE(is_broken(TestCrawl::page("/", 400)));
  EXPECT_FALSE(is_broken(TestCrawl::page("/", 301)));
}

TEST(CollectorTest, FollowsRedirectsFromTheirBeginningToTheirEnd) {
  TestCrawl crawl;
  const auto redirect = [&crawl](const std::string& from, const std::string& to) {
    auto record = TestCrawl::page(from, 302, "/");
    record.next_url = "http://a.example" + to;
    crawl.add(record);
  };
  crawl.link("/", "/1");
  redirect("/2", "/3");
  redirect("/1", "/2");
  crawl.add(TestCrawl::page("/3", 200, "/2"));
  redirect("/left", "/right");
  redirect("/right", "/left");
  redirect("/self", "/self#here");
  const Report report = crawl.finish();
  ASSERT_EQ(report.chains.total, 2u);
  const ChainRow& chain = report.chains.rows[0];
  EXPECT_THAT(chain.urls,
              ElementsAre("http://a.example/1", "http://a.example/2", "http://a.example/3"));
  EXPECT_EQ(chain.status, 200);
  EXPECT_FALSE(chain.is_circle);
  EXPECT_THAT(chain.referrers, ElementsAre("http://a.example/"));
  const ChainRow& circle = report.chains.rows[1];
  EXPECT_TRUE(circle.is_circle);
  EXPECT_EQ(circle.urls.size(), 3u);
  EXPECT_EQ(circle.urls.front(), circle.urls.back());
}

TEST(CollectorTest, ListsTheBeginAndTheEndOfALongChain) {
  TestCrawl crawl;
  constexpr int kHops = 5000;
  const auto redirect = [&crawl](const std::string& from, const std::string& to) {
    auto record = TestCrawl::page(from, 302, "/");
    record.next_url = "http://a.example" + to;
    crawl.add(record);
  };
  for (int i = 0; i < kHops; ++i) redirect("/" + std::to_string(i), "/" + std::to_string(i + 1));
  crawl.add(TestCrawl::page("/" + std::to_string(kHops), 404, "/"));
  for (int i = 0; i < 1000; ++i) redirect("/in" + std::to_string(i), "/1");
  redirect("/to-circle", "/left");
  redirect("/left", "/right");
  redirect("/right", "/left");
  const Report report = crawl.finish();
  EXPECT_EQ(report.chains.total, 1002u);
  ASSERT_EQ(report.chains.rows.size(), Collector::kChainsListed);
  for (const ChainRow& row : report.chains.rows) {
    EXPECT_EQ(row.urls.size(), Collector::kChainUrlsListed);
    EXPECT_EQ(row.hops(), std::uint64_t{kHops});
    EXPECT_EQ(row.urls.back(), "http://a.example/5000");
    EXPECT_EQ(row.status, 404);
  }
  EXPECT_EQ(report.chains.rows[0].urls[28], "http://a.example/28");
  const std::string more = "... 4,971 more";
  EXPECT_NE(to_html(report).find("<li>" + more + "</li>"), std::string::npos);
  EXPECT_NE(to_json(report).find("\"urls_left_out\": 4971"), std::string::npos);
  EXPECT_NE(to_markdown(report).find(" -> " + more + " -> <http://a.example/5000>"),
            std::string::npos);
}

TEST(CollectorTest, ListsALoopWithTheRedirectsBeforeIt) {
  TestCrawl crawl;
  for (const auto& [from, to] :
       {std::pair{"/in", "/left"}, {"/left", "/right"}, {"/right", "/left"}}) {
    auto record = TestCrawl::page(from, 302);
    record.next_url = std::string("http://a.example") + to;
    crawl.add(record);
  }
  const Report report = crawl.finish();
  ASSERT_EQ(report.chains.total, 1u);
  EXPECT_TRUE(report.chains.rows[0].is_circle);
  EXPECT_THAT(report.chains.rows[0].urls,
              ElementsAre("http://a.example/in", "http://a.example/left", "http://a.example/right",
                          "http://a.example/left"));
}

// Its record is that of the last page, to which nobody links.
TEST(CollectorTest, NamesThePageOfALoopThatIsLinked) {
  TestCrawl crawl;
  crawl.link("/", "/in");
  crawl.link("/", "/own");
  for (const auto& [from, to] : {std::pair{"/in", "/left"},
                                 {"/left", "/right"},
                                 {"/right", "/left"},
                                 {"/own", "/other"},
                                 {"/other", "/own"}}) {
    auto record = TestCrawl::page(from, 302);
    record.next_url = std::string("http://a.example") + to;
    if (from == std::string("/right") || from == std::string("/other")) {
      record.error = crawler::kRedirectLoop;
    }
    crawl.add(record);
  }
  const Report report = crawl.finish();
  ASSERT_EQ(report.broken.rows.size(), 2u);
  EXPECT_EQ(report.broken.rows[0].url, "http://a.example/in");
  EXPECT_THAT(report.broken.rows[0].referrers, ElementsAre("http://a.example/"));
  EXPECT_EQ(report.broken.rows[1].url, "http://a.example/own");
}

TEST(CollectorTest, CountsWhatItDoesNotTellApart) {
  TestCrawl crawl;
  for (std::size_t i = 0; i < Collector::kHostsKept + 3; ++i) {
    auto record = TestCrawl::page("/");
    record.url = "http://h" + std::to_string(i) + ".example/";
    record.duplicate_of = "http://a.example/" + std::to_string(i);
    crawl.add(record);
  }
  const Report report = crawl.finish();
  EXPECT_EQ(report.hosts.total, Collector::kHostsKept);
  EXPECT_EQ(report.hosts.rows.size(), Collector::kHostsListed);
  EXPECT_EQ(report.pages_of_other_hosts, 3u);
  EXPECT_EQ(report.copies_of_others, 3u);
  const std::string html = to_html(report);
  EXPECT_NE(html.find("3 pages of these are in no list of hosts"), std::string::npos);
  EXPECT_NE(html.find("3 copies are in no list"), std::string::npos);
}

TEST(CollectorTest, FindsOrphansThatOnlyASitemapKnows) {
  TestCrawl crawl;
  crawl.add(TestCrawl::page("/"));
  crawl.link("/sitemap.xml", "/linked", true, true);
  crawl.link("/sitemap.xml", "/lonely", true, true);
  crawl.link("/sitemap.xml", "/", true, true);
  crawl.link("/", "/linked");
  crawl.add(TestCrawl::page("/linked", 200, "/sitemap.xml"));
  crawl.add(TestCrawl::page("/lonely", 200, "/sitemap.xml"));
  const Report report = crawl.finish();
  ASSERT_EQ(report.orphans.total, 1u);
  EXPECT_EQ(report.orphans.rows[0].url, "http://a.example/lonely");
}

TEST(CollectorTest, GathersCopiesOfOneBody) {
  TestCrawl crawl;
  for (int i = 0; i < 9; ++i) {
    auto record = TestCrawl::page("/copy" + std::to_string(i));
    record.duplicate_of = "http://a.example/first";
    crawl.add(record);
  }
  const Report report = crawl.finish();
  ASSERT_EQ(report.duplicates.rows.size(), 1u);
  EXPECT_EQ(report.duplicates.rows[0].copies, 9u);
  EXPECT_EQ(report.duplicates.rows[0].examples.size(), Collector::kCopiesListed);
}

TEST(CollectorTest, GuessesAreNeverBroken) {
  TestCrawl crawl;
  auto record = TestCrawl::page("/guess", 404);
  record.is_guess = true;
  crawl.add(record);
  record.status.reset();
  record.error = "timed_out";
  crawl.add(record);
  EXPECT_EQ(crawl.finish().broken.total, 0u);
}

TEST(CollectorTest, GathersSimilarPagesThatAreNoCopies) {
  TestCrawl crawl;
  for (int i = 0; i < 3; ++i) {
    auto record = TestCrawl::page("/similar" + std::to_string(i));
    record.similar_to = "http://a.example/first";
    if (i == 2) record.duplicate_of = "http://a.example/first";
    crawl.add(record);
  }
  const Report report = crawl.finish();
  ASSERT_EQ(report.similar.rows.size(), 1u);
  EXPECT_EQ(report.similar.rows[0].url, "http://a.example/first");
  EXPECT_EQ(report.similar.rows[0].copies, 2u);
  EXPECT_EQ(report.duplicates.rows.size(), 1u);
}

TEST(CollectorTest, CutsListsOffAndCountsOn) {
  TestCrawl crawl;
  const std::size_t many = Collector::kBrokenListed + 10;
  for (std::size_t i = 0; i < many; ++i) {
    auto record = TestCrawl::page("/" + std::to_string(i), 404);
    record.bytes = i;
    record.depth = static_cast<std::uint32_t>(i);
    record.title = std::string(5000, 't');
    crawl.add(record);
    record.status = 200;
    record.url += "/page";
    record.bytes = 0;
    crawl.add(record);
    crawl.skip("http://b.example/" + std::to_string(i), crawler::SkipReason::out_of_scope);
  }
  const Report report = crawl.finish();
  EXPECT_EQ(report.broken.total, many);
  EXPECT_EQ(report.broken.rows.size(), Collector::kBrokenListed);
  EXPECT_EQ(report.largest.rows.size(), Collector::kPagesListed);
  EXPECT_EQ(report.largest.rows[0].bytes, many - 1);
  EXPECT_LE(report.largest.rows[0].title.size(), Collector::kTextBytesMax + 3);
  EXPECT_EQ(report.deepest.rows[0].depth, many - 1);
  EXPECT_EQ(report.depths.size(), Collector::kDepths);
  std::uint64_t pages = 0;
  for (const std::uint64_t count : report.depths) pages += count;
  EXPECT_EQ(pages, 2 * many);
  ASSERT_EQ(report.skipped.size(), 1u);
  EXPECT_EQ(report.skipped[0].count, many);
  EXPECT_EQ(report.skipped[0].examples.size(), Collector::kExamples);
}

TEST(CollectorTest, CountsPagesByHost) {
  TestCrawl crawl;
  for (int i = 0; i < 3; ++i) crawl.add(TestCrawl::page("/" + std::to_string(i), 200 + 150 * i));
  auto other = TestCrawl::page("/");
  other.url = "http://b.example:8080/";
  crawl.add(other);
  const Report report = crawl.finish();
  ASSERT_EQ(report.hosts.total, 2u);
  EXPECT_EQ(report.hosts.rows[0].host, "a.example");
  EXPECT_EQ(report.hosts.rows[0].pages, 3u);
  EXPECT_EQ(report.hosts.rows[0].failed, 1u);
  EXPECT_EQ(report.hosts.rows[0].mean(), 10ms);
  EXPECT_EQ(report.hosts.rows[1].host, "b.example:8080");
}

// A crawl of ever new hosts with identical pages and long URLs.
TEST(CollectorTest, TakesNoMoreMemoryThanItIsGiven) {
  constexpr std::size_t kBytes = 4 * 1024 * 1024;
  const auto heap_bytes = [] {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
  };
  const std::size_t before = heap_bytes();
  Collector collector({}, 1, {.seconds = 1'700'000'000}, kBytes);
  for (int i = 0; i < 30'000; ++i) {
    auto record = TestCrawl::page("/");
    record.url = fmt::format("http://h{}.example/{}", i, std::string(500, 'x'));
    record.via = fmt::format("http://h{}.example/", i);
    record.duplicate_of = fmt::format("http://h{}.example/{}", i / 4, std::string(500, 'x'));
    collector.add(record);
  }
  // The lists of the slowest, largest and deepest pages are not included.
  EXPECT_LT(heap_bytes() - before, kBytes + 1024 * 1024);
  const Report report = std::move(collector).finish({}, {});
  EXPECT_GT(report.urls_forgotten, 0u);
  EXPECT_GT(report.pages_of_other_hosts, 0u);
  EXPECT_GT(report.copies_of_others, 0u);
}

}  // namespace
}  // namespace gossamer::report
