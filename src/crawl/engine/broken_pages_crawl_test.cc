// Tests 503: of a host that is overloaded, and of single pages that are broken.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gossamer::crawler {
namespace {

using testing::IsEmpty;

constexpr int kPages = 400;
constexpr int kBroken = 10;

std::optional<int> page_number(const std::string& url) {
  const std::string last = url.substr(url.rfind('/') + 1);
  return last.empty() || last == "robots.txt" ? std::nullopt : std::optional(std::stoi(last));
}

// A host whose root links to 400 pages; the broken ones always answer 503.
TestWeb with_broken_pages(std::move_only_function<bool(int number)> is_broken,
                          std::string fields = {}) {
  TestWeb web;
  web.at(kRoot, page_of_links(kPages));
  web.otherwise("a.example", Reply{.body = "leaf", .delay = 2ms});
  web.decide = [is_broken = std::move(is_broken), fields = std::move(fields)](
                   const std::string& url, Instant) mutable -> std::optional<Reply> {
    const auto number = page_number(url);
    if (!number || !is_broken(*number)) return std::nullopt;
    return Reply{.status = 503, .body = "broken", .fields = fields};
  };
  return web;
}

bool is_every_fortieth(int number) { return number % 40 == 7; }
bool is_of_first(int number) { return number < kBroken; }
bool is_of_last(int number) { return number >= kPages - kBroken; }

void expect_only_broken_pages_failed(const Crawled& crawled, std::uint32_t tries = 4) {
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.records.size(), kPages + 1u);
  EXPECT_EQ(crawled.statistics.by_status.at(200), kPages + 1u - kBroken);
  EXPECT_EQ(crawled.statistics.by_status.at(503), static_cast<std::uint64_t>(kBroken));
  for (const FetchRecord& record : crawled.records) {
    EXPECT_EQ(record.tries, record.status == 503 ? tries : 1) << record.url;
  }
  EXPECT_THAT(crawled.skipped, IsEmpty());
  EXPECT_THAT(crawled.problems, IsEmpty());
}

TEST(BrokenPages, DoNotDelayOthersOfALocalHost) {
  for (const auto& is_broken : {is_every_fortieth, is_of_first, is_of_last}) {
    const Crawled crawled = with_broken_pages(is_broken).crawl(from_root());
    expect_only_broken_pages_failed(crawled);
    EXPECT_LT(crawled.took, 10s);
  }
}

TEST(BrokenPages, DoNotDelayOthersOfAPublicHost) {
  for (const auto& is_broken : {is_every_fortieth, is_of_first, is_of_last}) {
    TestWeb web = with_broken_pages(is_broken);
    web.address("a.example", kStrangerAddress);
    const Crawled crawled = web.crawl(from_root());
    expect_only_broken_pages_failed(crawled);
    EXPECT_GE(crawled.shortest_gap(), 1s);
    EXPECT_LT(crawled.took, (kPages + 4 * kBroken) * 1s + 3min);
  }
}

TEST(BrokenPages, AreRetriedWithPausesThatGrow) {
  TestWeb web = with_broken_pages([](int number) { return number == 3; });
  const Crawled crawled = web.crawl(from_root());
  std::vector<Instant> tries;
  for (const Heard& heard : crawled.heard) {
    if (heard.url == "http://a.example/3") tries.push_back(heard.at);
  }
  ASSERT_EQ(tries.size(), 4u);
  EXPECT_GE(tries[1] - tries[0], 100ms);
  EXPECT_GE(tries[2] - tries[1], 200ms);
  EXPECT_GE(tries[3] - tries[2], 400ms);
  EXPECT_LT(crawled.took, 2s);
}

// The host requests a pause and gets it. Later, only the page is put off.
TEST(BrokenPages, WithRetryAfterPauseTheirHostOnce) {
  const Crawled crawled =
      with_broken_pages(is_every_fortieth, "Retry-After: 2\r\n").crawl(from_root());
  expect_only_broken_pages_failed(crawled, 10);
  EXPECT_LT(crawled.took, 100s) << "not ten pauses for each of the ten";
}

TEST(BrokenPages, AreFetchedInLevelsToo) {
  Options options = from_root();
  options.scope.depth_max = 3;
  const Crawled crawled = with_broken_pages(is_every_fortieth).crawl(std::move(options));
  expect_only_broken_pages_failed(crawled);
  EXPECT_LT(crawled.took, 10s);
}

TEST(BrokenPages, ThatRecoverAreFetched) {
  TestWeb web;
  web.at(kRoot, page_of_links(20)).otherwise("a.example", Reply{.body = "leaf"});
  web.at("http://a.example/3",
         {Reply{.status = 503}, Reply{.status = 503}, Reply{.body = "it is back"}});
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.find("http://a.example/3")->status, 200);
  EXPECT_EQ(crawled.find("http://a.example/3")->tries, 3u);
}

// --- overload

// Its front page and robots.txt come from a cache.
TEST(Overload, ParksAHostWhosePagesAreAllUnavailable) {
  for (const bool is_local : {true, false}) {
    TestWeb web;
    web.at(kRoot, page_of_links(50)).otherwise("a.example", Reply{.status = 503});
    web.at("http://a.example/robots.txt", Reply{.status = 404});
    if (!is_local) web.address("a.example", kStrangerAddress);
    const Crawled crawled = web.crawl(from_root());
    EXPECT_LE(crawled.heard.size(), 20u);
    EXPECT_EQ(crawled.end, EndReason::incomplete);
    EXPECT_GT(crawled.statistics.skipped[static_cast<std::size_t>(SkipReason::host_parked)], 30u);
    EXPECT_EQ(crawled.records.size() + crawled.skipped.size(), 51u) << "nothing is lost";
    EXPECT_GE(crawled.took, is_local ? 2s : 1min) << "the pauses grow";
  }
}

TEST(Overload, ParksAHostThatBecomesUnavailableWithRobotsTxt) {
  TestWeb web;
  web.address("a.example", kStrangerAddress);
  web.at(kRoot, page_of_links(50)).otherwise("a.example", Reply{.body = "leaf"});
  int asked = 0;
  web.decide = [&](const std::string&, Instant) -> std::optional<Reply> {
    return ++asked > 20 ? std::optional(Reply{.status = 503}) : std::nullopt;
  };
  const Crawled crawled = web.crawl(from_root());
  EXPECT_LE(crawled.heard.size(), 20u + 14u);
  EXPECT_EQ(crawled.end, EndReason::incomplete);
  EXPECT_GT(crawled.took, 1h) << "the pauses double";
  EXPECT_EQ(crawled.records.size() + crawled.skipped.size(), 51u) << "nothing is lost";
}

TEST(Overload, FetchesAllOfAHostThatWasUnavailableForAWhile) {
  TestWeb web;
  web.address("a.example", kStrangerAddress);
  web.at(kRoot, page_of_links(30)).otherwise("a.example", Reply{.body = "leaf"});
  std::optional<Instant> begun;
  web.decide = [&](const std::string&, Instant now) -> std::optional<Reply> {
    if (!begun) begun = now;
    const bool is_down = now - *begun > 10s && now - *begun < 2min;
    return is_down ? std::optional(Reply{.status = 503}) : std::nullopt;
  };
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.end, EndReason::finished);
  EXPECT_EQ(crawled.statistics.by_status.at(200), 31u);
}

// Some servers limit the rate with 503 instead of 429.
TEST(Overload, FindsTheRateThatAServerAllowsBy503) {
  constexpr Duration kGap = 2500ms;
  TestWeb web;
  web.address("a.example", kStrangerAddress);
  web.at(kRoot, page_of_links(300)).otherwise("a.example", Reply{.body = "leaf"});
  std::optional<Instant> last;
  web.decide = [&](const std::string& url, Instant now) -> std::optional<Reply> {
    if (url.ends_with("robots.txt")) return std::nullopt;
    const bool is_early = last && now - *last < kGap;
    last = now;
    return is_early ? std::optional(Reply{.status = 503}) : std::nullopt;
  };
  const Crawled crawled = web.crawl(from_root());
  EXPECT_EQ(crawled.statistics.by_status.at(200), 301u);
  EXPECT_LT(crawled.statistics.retries, 301u / 20) << "fewer than 5 %";
}

}  // namespace
}  // namespace gossamer::crawler
