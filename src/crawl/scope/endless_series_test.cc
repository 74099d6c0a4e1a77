#include "scope/endless_series.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::crawler {
namespace {

std::uint64_t digest_of(std::string_view text, std::size_t piece_bytes = 1000) {
  ContentDigest digest;
  while (!text.empty()) {
    digest.update(text.substr(0, piece_bytes));
    text.remove_prefix(std::min(piece_bytes, text.size()));
  }
  return digest.digest();
}

std::uint64_t skipped_in_series(const Crawled& crawled) {
  return crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::endless_series)];
}

// The number in a URL; 0: there is none.
int number_in(const std::string& url) {
  const std::size_t at = url.find_last_of("=/");
  const std::string digits = url.substr(at + 1);
  return digits.empty() || !std::isdigit(static_cast<unsigned char>(digits[0])) ? 0
                                                                                : std::stoi(digits);
}

// A site whose every page links to the next one of its series.
TestWeb& endless(TestWeb& web, std::string_view series,
                 std::move_only_function<std::string(int number)> body) {
  web.page(kRoot, {});
  web.decide = [series = std::string(series), body = std::move(body)](
                   const std::string& url, Instant) mutable -> std::optional<Reply> {
    if (url.contains("robots.txt")) return std::nullopt;
    const int number = number_in(url);
    return Reply{.body = body(number) + fmt::format("<a href='{}{}'>next</a>", series, number + 1)};
  };
  return web;
}

TEST(EndlessSeries, HaveOneKeyForAllNumbers) {
  const auto key = [](std::string_view url) { return EndlessSeries::key_of(url); };
  EXPECT_EQ(key("http://a.example/list?page=1"), key("http://a.example/list?page=667"));
  EXPECT_EQ(key("http://a.example/9/x"), key("http://a.example/10/x"));
  EXPECT_NE(key("http://a.example/list?page=1"), key("http://a.example/list?p=1"));
  EXPECT_NE(key("http://h1.example/1"), key("http://h2.example/1")) << "other hosts";
  EXPECT_NE(key("http://a.example/1"), key("http://a.example/1/2"));
  EXPECT_NE(key("http://a.example/a1b2"), key("http://a.example/ab2"));
  EXPECT_EQ(key("http://h1.example:8080/list"), 0u) << "no number in its path or query";
  EXPECT_EQ(key(""), 0u);
}

TEST(ContentDigest, IsTheSameIfOnlyNumbersDiffer) {
  EXPECT_EQ(digest_of("<p>Page 1, id=a9f3</p>"), digest_of("<p>Page 12, id=0bcd</p>"));
  EXPECT_NE(digest_of("<p>Page one</p>"), digest_of("<p>Page two</p>"));
  EXPECT_NE(digest_of("<p>Page 1</p>"), digest_of("<p>Page 1 2</p>"));
  EXPECT_EQ(digest_of("<p>Page 1, id=a9f3</p>", 1), digest_of("<p>Page 1, id=a9f3</p>"));
}

// A limit that keeps these tests short.
Options few_pages() {
  Options options = from_root();
  options.traps.unlinking_pages_max = 300;
  return options;
}

TEST(EndlessSeries, EndsAfterManyPagesThatAddNothing) {
  TestWeb web;
  endless(web, "/list?page=", [](int number) { return fmt::format("<p>Page {}</p>", number); });
  const Crawled crawled = web.crawl(few_pages());
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_GE(crawled.records.size(), 300u);
  EXPECT_LE(crawled.records.size(), 305u);
  EXPECT_EQ(skipped_in_series(crawled), 1u);
  EXPECT_THAT(crawled.problems, testing::IsEmpty());
}

TEST(EndlessSeries, EndsEarlierIfItsPagesLinkToManyOthersOfIt) {
  TestWeb web;
  endless(web, "/list/", [](int number) {
    std::string links;
    for (int i = 1; i < 10; ++i) links += fmt::format("<a href=/list/{}>", number * 10 + i);
    return links;
  });
  Options options = from_root();
  options.traps.alike_pages_max = 200;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_GE(crawled.records.size(), 200u);
  EXPECT_LE(crawled.records.size(), 300u) << "links of pages that the root links to do not count";
}

TEST(EndlessSeries, EndsIfTheContentDiffers) {
  TestWeb web;
  endless(web, "/chapter/", [](int number) {
    std::string words;
    for (int left = number; left > 0; left /= 26) words += static_cast<char>('a' + left % 26);
    return "<p>" + words + " went home.</p>";
  });
  const Crawled crawled = web.crawl(few_pages());
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_GE(crawled.records.size(), 300u);
  EXPECT_LE(crawled.records.size(), 305u);
}

TEST(EndlessSeries, ContinuesWhileItsPagesLinkElsewhere) {
  TestWeb web;
  endless(web, "/list?page=", [](int number) {
    // Every fiftieth page lists something.
    return number % 50 != 0 ? std::string() : fmt::format("<a href=/item-{}>", number);
  });
  Options options = few_pages();
  options.pages_max = 400;
  const Crawled crawled = web.crawl(std::move(options));
  EXPECT_EQ(crawled.end, EndReason::page_limit);
  EXPECT_EQ(skipped_in_series(crawled), 0u);
}

TEST(EndlessSeries, ContinuesWhileItsDatedPagesShowOtherImages) {
  TestWeb web;
  endless(web, "/scans?year=2020&month=1&day=1&scan=", [](int number) {
    return fmt::format("<img src=/{}.png>", number);
  });
  Options options = from_root();
  options.pages_max = 300;
  EXPECT_EQ(web.crawl(std::move(options)).end, EndReason::page_limit);
}

// --- ordinary archives

TEST(EndlessSeries, FetchesAChainOfWeatherStations) {
  for (const bool has_readings : {true, false}) {
    TestWeb web;
    web.page(kRoot, {"/station/1"});
    web.decide = [&](const std::string& url, Instant) -> std::optional<Reply> {
      const int number = url.contains("/station/") ? number_in(url) : 0;
      if (number == 0) return std::nullopt;
      std::string body = fmt::format("<a href=/>Home</a><h1>Station {}</h1>", number);
      if (has_readings) body += fmt::format("<p>{}.{} degrees</p>", number % 31, number % 10);
      if (number < 600) body += fmt::format("<a href=/station/{}>next</a>", number + 1);
      return Reply{.body = body};
    };
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.records.size(), 601u) << has_readings;
    EXPECT_EQ(skipped_in_series(crawled), 0u);
  }
}

TEST(EndlessSeries, FetchesATreeOfPagesThatDifferOnlyInDigits) {
  constexpr int kPages = 919;
  for (const int children : {2, 3, 10}) {
    TestWeb web;
    web.page(kRoot, {"/node/1"});
    web.decide = [&](const std::string& url, Instant) -> std::optional<Reply> {
      const int number = url.contains("/node/") ? number_in(url) : 0;
      if (number == 0) return std::nullopt;
      std::string body = fmt::format("<h1>Page {}</h1>", number);
      for (int i = 2 - children; i <= 1; ++i) {
        const int child = number * children + i;
        if (child <= kPages) body += fmt::format("<a href=/node/{}>Page {}</a>", child, child);
      }
      return Reply{.body = body};
    };
    const Crawled crawled = web.crawl(from_root());
    EXPECT_EQ(crawled.records.size(), kPages + 1u) << children;
    EXPECT_EQ(skipped_in_series(crawled), 0u);
  }
}

// --- further series

// The guard ignores links from elsewhere: these pages are listed.
TEST(EndlessSeries, FetchesPagesLinkedFromOutside) {
  TestWeb web;
  web.at(kRoot, page_of_links(500)).otherwise("a.example", Reply{.body = "sold out"});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.records.size(), 501u);
}

TEST(EndlessSeries, ContinuesWithoutTheGuard) {
  TestWeb web;
  endless(web, "/list?page=", [](int) { return std::string(); });
  Options options = few_pages();
  options.traps.endless_series = false;
  options.pages_max = 400;
  EXPECT_EQ(web.crawl(std::move(options)).end, EndReason::page_limit);
}

TEST(EndlessSeries, RestoresTheCountsOfAnEarlierProcess) {
  const std::uint64_t key = EndlessSeries::key_of("http://a.example/list?page=1");
  EndlessSeries before(TrapOptions{});
  const TrapOptions options;
  for (std::uint32_t i = 1; i < options.alike_dates_max; ++i) {
    before.see(key, {.is_date = true, .content = 7, .added = 1});
  }
  std::vector<StoredCount> counts;
  before.tell(counts);
  before.judge({}, {.series = key});
  EndlessSeries after(TrapOptions{});
  for (const StoredCount& count : counts) after.recall(count);
  EXPECT_TRUE(after.is_suspect(key));
  EXPECT_FALSE(after.is_endless(key));
  after.see(key, {.is_date = true, .content = 7, .added = 1});
  EXPECT_TRUE(after.is_endless(key));
  after.see(key, {.has_new_links = true});
  EXPECT_FALSE(after.is_suspect(key));
  counts.clear();
  after.tell(counts);
  after.judge({}, {.series = key});
  EXPECT_EQ(counts.at(0).count, 0u) << "corrected";
}

// --- the counts of one series

constexpr TrapOptions kFewPages = {
    .alike_pages_max = 4, .alike_dates_max = 2, .unlinking_pages_max = 3};
constexpr EndlessSeries::Seen kDated = {.is_date = true, .content = 7, .added = 1};

TEST(SeriesCounts, AreZeroAtFirst) {
  const EndlessSeries series(kFewPages);
  EXPECT_FALSE(series.is_suspect(1));
  EXPECT_FALSE(series.is_endless(1));
}

TEST(SeriesCounts, APageWithoutNewLinksMakesASeriesSuspect) {
  EndlessSeries series(kFewPages);
  series.see(1, {});
  EXPECT_TRUE(series.is_suspect(1));
  EXPECT_FALSE(series.is_suspect(2));
  series.see(1, {.has_new_links = true});
  EXPECT_FALSE(series.is_suspect(1));
}

TEST(SeriesCounts, ReachTheirLimits) {
  EndlessSeries series(kFewPages);
  series.see(1, kDated);
  EXPECT_FALSE(series.is_endless(1));
  series.see(2, kDated);  // another series between them
  series.see(1, kDated);
  EXPECT_TRUE(series.is_endless(1)) << "two dates";
  series.see(2, {.content = 7, .added = 1});
  EXPECT_FALSE(series.is_endless(2)) << "two pages";
  series.count_added(2);
  EXPECT_FALSE(series.is_endless(2));
  series.count_added(2);
  EXPECT_TRUE(series.is_endless(2)) << "four pages";
  series.see(2, {.content = 8, .added = 1});
  EXPECT_TRUE(series.is_endless(2)) << "three without new links";
  series.count_added(9);
  EXPECT_FALSE(series.is_suspect(9)) << "not a series yet";
  for (std::uint64_t content = 1; content <= 3; ++content) {
    EXPECT_FALSE(series.is_endless(3));
    series.see(3, {.is_date = true, .content = content});
  }
  EXPECT_TRUE(series.is_endless(3)) << "three without new links";
}

TEST(SeriesCounts, AreRestoredEachByItself) {
  EndlessSeries series(kFewPages);
  series.recall({.what = Counted::alike_pages, .count = 4, .key = 1});
  series.recall({.what = Counted::unlinking_pages, .count = 3, .key = 2});
  series.recall({.what = Counted::dates, .count = 3, .key = 3});
  EXPECT_TRUE(series.is_endless(1));
  EXPECT_FALSE(series.is_suspect(1));
  EXPECT_TRUE(series.is_endless(2));
  EXPECT_TRUE(series.is_suspect(2));
  EXPECT_FALSE(series.is_endless(3));
}

TEST(SeriesCounts, AreResetWhenThereAreTooManySeries) {
  EndlessSeries series(kFewPages);
  for (std::uint64_t key = 1; key <= EndlessSeries::kSeriesMax; ++key) series.see(key, kDated);
  series.see(1, kDated);
  EXPECT_TRUE(series.is_endless(1)) << "it is not a new one";
  series.see(EndlessSeries::kSeriesMax + 1, kDated);
  EXPECT_FALSE(series.is_suspect(1));
  EXPECT_TRUE(series.is_suspect(EndlessSeries::kSeriesMax + 1));
}

TEST(ContentDigest, TakesEveryWordWithADigitForTheSame) {
  constexpr std::string_view kLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  for (const char c : kLetters) {
    EXPECT_EQ(digest_of(fmt::format("1{} x", c)), digest_of("1 x")) << c;
    EXPECT_EQ(digest_of(fmt::format("x {}1", c)), digest_of("x 1")) << c;
  }
}

TEST(ContentDigest, DiffersWithAllOtherText) {
  EXPECT_NE(digest_of("1 one"), digest_of("1 two")) << "a word after a number";
  EXPECT_NE(digest_of("one"), digest_of("two")) << "the last word";
  EXPECT_NE(digest_of("one"), digest_of("one 1"));
  EXPECT_NE(digest_of("1, 2"), digest_of("1; 2"));
}

}  // namespace
}  // namespace gossamer::crawler
