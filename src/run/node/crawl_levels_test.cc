// Tests crawls that go level by level: the functions in Redis and who uses them. They run with the
// model, and with a real server.
#include "node/crawl_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/random.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/support/redis_play.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

FoundUrls at_depth(std::uint16_t depth, FoundUrls found) {
  found.depth = depth;
  return found;
}

// A crawl that goes level by level, on one server.
class LevelCrawl {
 public:
  // BORROWS: the client.
  explicit LevelCrawl(redis::Client& client) : client_(client) {}

  Task<void> open() {
    const auto joined = co_await crawl.join({.settings = "x", .identity = "test"});
    EXPECT_TRUE(joined.has_value()) << joined.error().to_string();
    const auto prepared = co_await frontier.prepare("test", SharedFrontier::Prepare::make);
    EXPECT_TRUE(prepared.has_value()) << prepared.error().to_string();
  }
  Task<std::uint64_t> add(std::vector<FoundUrls> found) {
    const auto added = co_await frontier.add(std::move(found));
    EXPECT_TRUE(added.has_value()) << added.error().to_string();
    co_return added.value_or(0);
  }
  Task<SharedFrontier::Counts> count() {
    const auto counts = co_await frontier.count();
    EXPECT_TRUE(counts.has_value()) << counts.error().to_string();
    co_return counts.value_or(SharedFrontier::Counts());
  }
  // Returns true if there is another level now.
  Task<bool> follow() {
    const auto stepped = co_await levels.follow(co_await count());
    EXPECT_TRUE(stepped.has_value()) << stepped.error().to_string();
    co_return stepped.value_or(false);
  }
  // Leases and ends everything that is due in partition 1.
  Task<Ids> fetch() {
    Ids all;
    const auto leased = co_await frontier.lease({.partitions = {1}, .hosts_max = 9, .urls = 10000});
    EXPECT_TRUE(leased.has_value()) << leased.error().to_string();
    std::vector<Completion> sent;
    for (const LeasedHost& each : *leased) {
      Holding holding(each);
      const Ids ended = holding.advance(holding.urls());
      all.insert(all.end(), ended.begin(), ended.end());
      sent.push_back(
          {.partition = 1, .host = each.host, .token = each.token, .position = holding.position()});
    }
    for (const auto& answer : co_await frontier.complete(sent)) EXPECT_TRUE(answer.has_value());
    co_return all;
  }

 private:
  redis::Client& client_;
  std::uint64_t drawn_ = 0;

 public:
  SharedCrawl crawl{client_, {.crawl = "m", .node = "n"}};
  SharedFrontier frontier{client_,
                          {.crawl = "m", .partitions = 4, .ttl = 1h, .is_level_by_level = true},
                          [this] { return ++drawn_; }};
  node::CrawlLevels levels{crawl, frontier};
};

template <Task<void> (*kTest)(LevelCrawl& crawl)>
Task<void> play_levels(redis::Client& client, redis::Node) {
  LevelCrawl crawl(client);
  co_await crawl.open();
  co_await kTest(crawl);
}

Task<void> wait_for_level(LevelCrawl& crawl) {
  EXPECT_EQ(co_await crawl.add(
                {at_depth(1, found_urls(1, "h", {2, 3})), at_depth(0, found_urls(1, "h", {1}))}),
            3u);
  EXPECT_FALSE(co_await crawl.follow()) << "a URL of the level is open";
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(1));
  EXPECT_THAT(co_await crawl.fetch(), IsEmpty());
  const auto between = co_await crawl.count();
  EXPECT_TRUE(between.is_level_over());
  EXPECT_EQ(between.parked, 2u);
  EXPECT_EQ(between.lowest_parked, 1u);
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_FALSE(co_await crawl.follow());
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(2, 3));
  const auto end = co_await crawl.count();
  EXPECT_EQ(end.found, 3u);
  EXPECT_EQ(end.open(), 0u);
  EXPECT_FALSE(co_await crawl.follow()) << "there is no further level";
}

TEST(SharedLevelsTest, AUrlWaitsUntilItsLevelBegins) {
  redis::run_with_redis(play_levels<wait_for_level>);
}

Task<void> come_nearer(LevelCrawl& crawl) {
  static_cast<void>(co_await crawl.add({at_depth(0, found_urls(1, "h", {1})),
                                        at_depth(2, found_urls(1, "h", {5, 6, 7})),
                                        at_depth(1, found_urls(1, "h", {2}))}));
  EXPECT_EQ(co_await crawl.add({at_depth(1, found_urls(1, "h", {6, 6}))}), 1u) << "it waited at 2";
  EXPECT_EQ(co_await crawl.add({at_depth(1, found_urls(1, "h", {6}))}), 0u) << "it can be repeated";
  EXPECT_EQ(co_await crawl.add({at_depth(2, found_urls(1, "h", {6}))}), 0u);
  EXPECT_EQ(co_await crawl.add({at_depth(0, found_urls(1, "h", {7}))}), 1u) << "a redirect";
  EXPECT_EQ((co_await crawl.count()).found, 5u) << "every URL counts once";
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(1, 7));
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(2, 6));
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(5));
  const auto end = co_await crawl.count();
  EXPECT_EQ(end.ended, 5u);
  EXPECT_EQ(end.parked, 0u);
}

TEST(SharedLevelsTest, AUrlThatIsFoundAtALowerDepthMovesThere) {
  redis::run_with_redis(play_levels<come_nearer>);
}

Task<void> lower_level(LevelCrawl& crawl) {
  static_cast<void>(co_await crawl.add(
      {at_depth(0, found_urls(1, "h", {1})), at_depth(3, found_urls(1, "g", {30, 31}))}));
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(1));
  EXPECT_TRUE(co_await crawl.follow());
  static_cast<void>(co_await crawl.add(
      {at_depth(0, found_urls(1, "h", {2})), at_depth(4, found_urls(1, "h", {40}))}));
  EXPECT_THAT(co_await crawl.fetch(), UnorderedElementsAre(30, 31)) << "the level does not change";
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(2)) << "an added root is next";
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(40));
}

TEST(SharedLevelsTest, ARootThatIsAddedLaterIsTheNextLevel) {
  redis::run_with_redis(play_levels<lower_level>);
}

Task<void> decide_once(LevelCrawl& crawl) {
  const auto first = co_await crawl.crawl.level({.number = 1, .depth = 5});
  EXPECT_TRUE(first && first->number == 1 && first->depth == 5);
  const auto second = co_await crawl.crawl.level({.number = 1, .depth = 7});
  EXPECT_TRUE(second && second->number == 1 && second->depth == 5) << "the first one decides";
  const auto later = co_await crawl.crawl.level({.number = 3, .depth = 7});
  EXPECT_TRUE(later && later->number == 3 && later->depth == 7) << "a failover lost step 2";
  static_cast<void>(co_await crawl.add({at_depth(5, found_urls(1, "h", {1}))}));
  EXPECT_TRUE(co_await crawl.frontier.take_step(*first));
  EXPECT_TRUE(co_await crawl.frontier.take_step(*first)) << "it can be repeated";
  EXPECT_TRUE(co_await crawl.frontier.take_step({.number = 0, .depth = 9})) << "an old step";
  EXPECT_THAT(co_await crawl.fetch(), ElementsAre(1));
}

TEST(SharedLevelsTest, TheFirstNodeDecidesTheNextLevel) {
  redis::run_with_redis(play_levels<decide_once>);
}

// More than one call moves, and enough for several buckets.
Task<void> move_many(LevelCrawl& crawl) {
  std::vector<FoundUrls> found;
  std::set<std::uint64_t> wanted;
  for (std::uint64_t i = 0; i < 200; ++i) {
    Ids ids;
    for (std::uint64_t j = 0; j < 40; ++j) ids.push_back((i * 40 + j) * 7919 + 1);
    wanted.insert(ids.begin(), ids.end());
    found.push_back(at_depth(2, found_urls(1, i % 4 == 0 ? "a" : "h", ids)));
  }
  static_cast<void>(co_await crawl.add(std::move(found)));
  Ids near;
  for (const std::uint64_t id : wanted) {
    if (near.size() < 64 && id % 5 == 0) near.push_back(id);
  }
  // Those of the other host are new there.
  const std::uint64_t more = co_await crawl.add({at_depth(1, found_urls(1, "h", near))});
  EXPECT_EQ(more, near.size());
  EXPECT_TRUE(co_await crawl.follow());
  EXPECT_EQ((co_await crawl.fetch()).size(), near.size());
  EXPECT_TRUE(co_await crawl.follow());
  const Ids rest = co_await crawl.fetch();
  std::set<std::uint64_t> all(rest.begin(), rest.end());
  all.insert(near.begin(), near.end());
  EXPECT_EQ(all, wanted);
  EXPECT_EQ((co_await crawl.count()).open(), 0u);
}

TEST(SharedLevelsTest, ManyUrlsBecomeDueInSmallSteps) {
  redis::run_with_redis(play_levels<move_many>);
}

// A site with links and redirects, and the smallest depth of every page.
struct Graph {
  explicit Graph(std::uint64_t seed) : random(seed) {
    for (std::uint64_t id = 1; id <= kPages; ++id) {
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        links[id].insert(1 + random.below(kPages));
      }
      if (random.chance(0.3)) redirects[id] = 1 + random.below(kPages);
    }
    std::deque<std::uint64_t> queue = {1};
    depths[1] = 0;
    while (!queue.empty()) {
      const std::uint64_t id = queue.front();
      queue.pop_front();
      const auto reach = [&](std::uint64_t to, std::uint16_t depth, bool is_first) {
        const auto known = depths.find(to);
        if (known != depths.end() && known->second <= depth) return;
        depths[to] = depth;
        is_first ? queue.push_front(to) : queue.push_back(to);
      };
      const std::uint16_t depth = depths[id];
      if (redirects.contains(id)) reach(redirects[id], depth, true);
      for (const std::uint64_t to : links[id]) {
        reach(to, static_cast<std::uint16_t>(depth + 1), false);
      }
    }
  }
  static constexpr std::uint64_t kPages = 400;

  static FoundUrls found(std::uint64_t id, std::uint16_t depth) {
    const auto host = static_cast<std::uint32_t>(id % 12);
    return at_depth(depth, found_urls(host % 4, "h" + std::to_string(host), {id}));
  }
  // What a page leads to, if it is at that depth.
  std::vector<FoundUrls> found_on(std::uint64_t id, std::uint16_t depth) {
    std::vector<FoundUrls> all;
    if (redirects.contains(id)) all.push_back(found(redirects[id], depth));
    for (const std::uint64_t to : links[id]) {
      all.push_back(found(to, static_cast<std::uint16_t>(depth + 1)));
    }
    return all;
  }

  base::Random random;
  std::map<std::uint64_t, std::set<std::uint64_t>> links;
  std::map<std::uint64_t, std::uint64_t> redirects;
  std::map<std::uint64_t, std::uint16_t> depths;  // of pages that can be reached
};

Task<void> crawl_graph(LevelCrawl& crawl) {
  Graph graph(7);
  std::set<std::uint64_t> fetched;
  static_cast<void>(co_await crawl.add({Graph::found(1, 0)}));
  while ((co_await crawl.count()).open() > 0 && !testing::Test::HasFailure()) {
    static_cast<void>(co_await crawl.follow());
    const auto level = co_await crawl.crawl.level({});
    const auto hosts = static_cast<std::uint32_t>(1 + graph.random.below(3));
    const auto leased =
        co_await crawl.frontier.lease({.partitions = {0, 1, 2, 3}, .hosts_max = hosts, .urls = 10});
    EXPECT_TRUE(level && leased);
    if (!level || !leased) co_return;
    std::vector<Completion> sent;
    for (const LeasedHost& each : *leased) {
      Holding holding(each);
      std::vector<FoundUrls> found;
      for (const std::uint64_t id : holding.advance(1 + graph.random.below(holding.urls()))) {
        EXPECT_TRUE(fetched.insert(id).second) << id << " is fetched twice";
        EXPECT_EQ(graph.depths[id], level->depth) << id;
        std::ranges::move(graph.found_on(id, level->depth), std::back_inserter(found));
      }
      static_cast<void>(co_await crawl.add(std::move(found)));
      sent.push_back({.partition = each.partition,
                      .host = each.host,
                      .token = each.token,
                      .position = holding.position()});
    }
    for (const auto& answer : co_await crawl.frontier.complete(sent))
      EXPECT_TRUE(answer.has_value());
  }
  EXPECT_EQ(fetched.size(), graph.depths.size());
}

TEST(SharedLevelsTest, EveryPageIsFetchedAtItsSmallestDepth) {
  redis::run_with_redis(play_levels<crawl_graph>);
}

}  // namespace
}  // namespace gossamer::cluster
