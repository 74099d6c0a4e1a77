#include "run/control/crawl_progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/recent_failures.h"

namespace gossamer::run {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(CrawlProgressTest, LoopsAreAddedUp) {
  CrawlProgress all = {.pages = 1,
                       .wire_bytes = 2,
                       .in_flight = 3,
                       .waiting = 4,
                       .hosts = 5,
                       .connections = 6,
                       .http2_connections = 7,
                       .streams = 8,
                       .errors = {{"timed_out", 1}, {"reset", 2}},
                       .outcomes = {1, 2, 3, 4, 5},
                       .by_status = {{200, 7}}};
  all.add({.pages = 10,
           .wire_bytes = 20,
           .in_flight = 30,
           .waiting = 40,
           .hosts = 50,
           .connections = 60,
           .http2_connections = 70,
           .streams = 80,
           .errors = {{"reset", 5}, {"closed", 1}},
           .outcomes = {10, 20, 30, 40, 50},
           .by_status = {{200, 3}, {404, 1}}});
  EXPECT_EQ(all.pages, 11u);
  EXPECT_EQ(all.wire_bytes, 22u);
  EXPECT_EQ(all.in_flight, 33u);
  EXPECT_EQ(all.waiting, 44u);
  EXPECT_EQ(all.hosts, 55u);
  EXPECT_EQ(all.connections, 66u);
  EXPECT_EQ(all.http2_connections, 77u);
  EXPECT_EQ(all.streams, 88u);
  EXPECT_THAT(all.errors, ElementsAre(Pair("closed", 1), Pair("reset", 7), Pair("timed_out", 1)));
  EXPECT_THAT(all.outcomes, ElementsAre(11u, 22u, 33u, 44u, 55u));
  EXPECT_THAT(all.by_status, ElementsAre(Pair(200, 10), Pair(404, 1)));
}

TEST(CrawlProgressTest, TheLongestPausesAreShown) {
  CrawlProgress all;
  all.pauses = {{.host = "a", .left = 9s}, {.host = "b", .left = 2s}};
  all.add({.pauses = {{.host = "c", .left = 5s}}});
  ASSERT_EQ(all.pauses.size(), 3u);
  EXPECT_EQ(all.pauses[1].host, "c");
  all.add({.pauses = {{.host = "d", .left = 10s}}});
  ASSERT_EQ(all.pauses.size(), 3u);
  EXPECT_EQ(all.pauses[0].host, "d");
  EXPECT_EQ(all.pauses[2].host, "c");
}

TEST(CrawlProgressTest, TheNewestFailuresAreShown) {
  constexpr std::size_t kMost = crawler::RecentFailures::kKept;
  CrawlProgress all;
  CrawlProgress other;
  for (std::size_t i = 0; i < kMost; ++i) {
    all.failures.push_back({.url = "old", .age = 100s + i * 1s});
    if (i + 1 < kMost) other.failures.push_back({.url = "new", .age = i * 1s});
  }
  all.add(other);
  ASSERT_EQ(all.failures.size(), kMost);
  EXPECT_EQ(all.failures.front().age, 0s);
  EXPECT_EQ(all.failures.back().url, "old");
  EXPECT_EQ(all.failures.back().age, 100s);
}

TEST(CrawlProgressTest, APauseIsAState) {
  EXPECT_TRUE(CrawlProgress{.state = "paused"}.is_paused());
  EXPECT_FALSE(CrawlProgress{}.is_paused());
}

}  // namespace
}  // namespace gossamer::run
