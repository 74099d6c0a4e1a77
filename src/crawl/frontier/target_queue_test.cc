#include "frontier/target_queue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;

constexpr std::string_view kOrigin = "http://a.example";

Target target(std::string_view path, std::uint16_t depth = 0, std::uint8_t score = 0) {
  Target made;
  made.url = std::string(kOrigin) + std::string(path);
  made.depth = depth;
  made.score = score;
  return made;
}

class Queue {
 public:
  explicit Queue(CrawlOrder order) : order_(order) {}

  void push(Target made) { queue_.push(std::move(made), kOrigin, order_); }
  Target pop() { return queue_.pop(kOrigin, order_); }
  std::vector<std::string> drain() {
    std::vector<std::string> paths;
    while (!queue_.empty()) paths.push_back(pop().url.substr(kOrigin.size()));
    return paths;
  }
  const TargetQueue& operator*() const { return queue_; }
  const TargetQueue* operator->() const { return &queue_; }

 private:
  CrawlOrder order_;
  TargetQueue queue_;
};

TEST(TargetQueue, BreadthFirstReturnsTheLowestDepthThenTheOldest) {
  Queue queue(CrawlOrder::breadth_first);
  queue.push(target("/2a", 2));
  queue.push(target("/1a", 1));
  queue.push(target("/2b", 2));
  queue.push(target("/0", 0));
  queue.push(target("/1b", 1));
  EXPECT_EQ(queue->size(), 5u);
  EXPECT_EQ(queue->next_depth(), 0u);
  EXPECT_THAT(queue.drain(), ElementsAre("/0", "/1a", "/1b", "/2a", "/2b"));
}

TEST(TargetQueue, DepthFirstReturnsTheNewest) {
  Queue queue(CrawlOrder::depth_first);
  queue.push(target("/a", 3));
  queue.push(target("/b", 1));
  EXPECT_EQ(queue.pop().url, "http://a.example/b");
  queue.push(target("/c", 2));
  queue.push(target("/d", 0));
  EXPECT_THAT(queue.drain(), ElementsAre("/d", "/c", "/a"));
}

TEST(TargetQueue, ScoreReturnsTheHighestThenTheOldest) {
  Queue queue(CrawlOrder::score);
  queue.push(target("/low", 0, 0));
  queue.push(target("/high-a", 9, 255));
  queue.push(target("/mid", 0, 100));
  queue.push(target("/high-b", 0, 255));
  EXPECT_THAT(queue.drain(), ElementsAre("/high-a", "/high-b", "/mid", "/low"));
}

TEST(TargetQueue, KnowsTheDepthOfTheNextTarget) {
  Queue queue(CrawlOrder::breadth_first);
  queue.push(target("/a", 65'535));
  EXPECT_EQ(queue->next_depth(), 65'535u);
  queue.push(target("/b", 7));
  EXPECT_EQ(queue->next_depth(), 7u);
  queue.pop();
  EXPECT_EQ(queue->next_depth(), 65'535u);
}

TEST(TargetQueue, ReturnsAllFieldsOfATarget) {
  for (const CrawlOrder order :
       {CrawlOrder::breadth_first, CrawlOrder::depth_first, CrawlOrder::score}) {
    for (int kind = 0; kind < 7 * 3; ++kind) {
      Queue queue(order);
      Target made = target("/path?query=1", 513, 200);
      made.via = Referrer("http://b.example/from");
      made.redirects = 250;
      made.tries = 249;
      made.purpose = static_cast<Purpose>(kind / 3);
      made.leaf = static_cast<Leaf>(kind % 3);
      queue.push(made);
      const Target got = queue.pop();
      EXPECT_EQ(got.url, made.url);
      EXPECT_EQ(got.via.url(), "http://b.example/from");
      EXPECT_EQ(got.depth, 513u);
      EXPECT_EQ(got.redirects, 250u);
      EXPECT_EQ(got.tries, 249u);
      EXPECT_EQ(got.score, 200u);
      EXPECT_EQ(got.purpose, made.purpose);
      EXPECT_EQ(got.leaf, made.leaf);
    }
  }
}

TEST(TargetQueue, AcceptsPathsOfAnyLength) {
  for (const CrawlOrder order : {CrawlOrder::breadth_first, CrawlOrder::depth_first}) {
    Queue queue(order);
    const std::vector<std::size_t> sizes = {0, 1, 200, 255, 256, 4096, 70'000, 1'000'000, 3};
    for (const std::size_t size : sizes) queue.push(target("/" + std::string(size, 'x')));
    std::vector<std::size_t> got;
    for (const std::string& path : queue.drain()) got.push_back(path.size() - 1);
    if (order == CrawlOrder::depth_first) std::ranges::reverse(got);
    EXPECT_EQ(got, sizes);
  }
}

// What the packed queue must do, done simply.
struct Model {
  CrawlOrder order;
  std::vector<Target> targets;

  std::uint32_t rank(const Target& each) const {
    switch (order) {
      case CrawlOrder::breadth_first: return each.depth;
      case CrawlOrder::depth_first: return 0;
      case CrawlOrder::score: return 255U - each.score;
    }
    return 0;
  }
  Target pop() {
    auto best = targets.begin();
    for (auto at = targets.begin(); at != targets.end(); ++at) {
      const bool is_better = rank(*at) < rank(*best);
      if (is_better || (order == CrawlOrder::depth_first)) best = at;
    }
    Target found = std::move(*best);
    targets.erase(best);
    return found;
  }
};

TEST(TargetQueue, AgreesWithASimpleOneOnAnyMixOfPushesAndPops) {
  for (const CrawlOrder order :
       {CrawlOrder::breadth_first, CrawlOrder::depth_first, CrawlOrder::score}) {
    base::Random random(static_cast<std::uint64_t>(order) + 1);
    Queue queue(order);
    Model model = {.order = order, .targets = {}};
    for (int i = 0; i < 20'000; ++i) {
      // It fills in the first half and drains in the second.
      const bool is_push = random.chance(i < 10'000 ? 0.55 : 0.45);
      if (is_push || model.targets.empty()) {
        const std::string path = fmt::format("/{}/{}", i, std::string(random.below(300), 'y'));
        Target made = target(path, static_cast<std::uint16_t>(random.below(6)),
                             static_cast<std::uint8_t>(random.below(4)));
        made.via = Referrer(fmt::format("http://a.example/{}", i));
        model.targets.push_back(made);
        queue.push(std::move(made));
      } else {
        const Target want = model.pop();
        const Target got = queue.pop();
        ASSERT_EQ(got.url, want.url) << i;
        ASSERT_EQ(got.via.url(), want.via.url()) << i;
      }
      ASSERT_EQ(queue->size(), model.targets.size());
    }
  }
}

TEST(TargetQueue, CostsAPathAndSomeTwentyBytes) {
  for (const CrawlOrder order : {CrawlOrder::breadth_first, CrawlOrder::depth_first}) {
    Queue queue(order);
    constexpr std::size_t kTargets = 100'000;
    for (std::size_t i = 0; i < kTargets; ++i) queue.push(target(fmt::format("/page-{:08}", i)));
    const double each = static_cast<double>(queue->memory_bytes()) / kTargets;
    EXPECT_LT(each, 14 + 25);
    fmt::print("{:.1f} bytes per target with a path of 14\n", each);
  }
}

TEST(TargetQueue, AQueueOfOneIsSmall) {
  Queue queue(CrawlOrder::breadth_first);
  queue.push(target("/"));
  EXPECT_LE(queue->memory_bytes(), 512u);
}

TEST(TargetQueue, FreesMemoryAsItDrains) {
  for (const CrawlOrder order :
       {CrawlOrder::breadth_first, CrawlOrder::depth_first, CrawlOrder::score}) {
    Queue queue(order);
    for (int i = 0; i < 100'000; ++i) {
      queue.push(target(fmt::format("/page-{:08}", i), static_cast<std::uint16_t>(i % 3)));
    }
    const std::size_t full = queue->memory_bytes();
    while (queue->size() > 10'000) queue.pop();
    EXPECT_LT(queue->memory_bytes(), full / 5);
    while (!queue->empty()) queue.pop();
    EXPECT_LT(queue->memory_bytes(), 10'000u);
  }
}

TEST(TargetQueue, AQueueThatIsNeverEmptyDoesNotGrow) {
  for (const CrawlOrder order : {CrawlOrder::breadth_first, CrawlOrder::depth_first}) {
    Queue queue(order);
    for (int i = 0; i < 100; ++i) queue.push(target(fmt::format("/{:08}", i)));
    const std::size_t before = queue->memory_bytes();
    for (int i = 0; i < 200'000; ++i) {
      queue.push(target(fmt::format("/{:08}", i)));
      queue.pop();
    }
    EXPECT_LT(queue->memory_bytes(), 3 * before + 10'000);
  }
}

TEST(TargetQueue, FreesTheReferrersOfTargetsThatAreStillThere) {
  // Address sanitizer would tell.
  for (const CrawlOrder order : {CrawlOrder::breadth_first, CrawlOrder::depth_first}) {
    Queue queue(order);
    const Referrer shared("http://a.example/shared");
    for (int i = 0; i < 1000; ++i) {
      Target made = target(fmt::format("/{}", i), static_cast<std::uint16_t>(i % 7));
      made.via = i % 2 == 0 ? shared : Referrer(fmt::format("http://a.example/from/{}", i));
      queue.push(std::move(made));
      if (i % 3 == 0) queue.pop();
    }
    EXPECT_GT(queue->size(), 600u);
    EXPECT_EQ(shared.url(), "http://a.example/shared");
  }
}

TEST(TargetQueue, KeepsItsTargetsWhenMoved) {
  TargetQueue queue;
  queue.push(target("/a"), kOrigin, CrawlOrder::breadth_first);
  TargetQueue moved(std::move(queue));
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved.pop(kOrigin, CrawlOrder::breadth_first).url, "http://a.example/a");
}

TEST(Referrer, IsSharedByAllTargetsOfAPage) {
  Referrer one("http://a.example/");
  Referrer two = one;
  const Referrer three = std::move(one);
  two = Referrer();
  EXPECT_EQ(three.url(), "http://a.example/");
  EXPECT_EQ(two.url(), "");
}

TEST(TargetQueue, CanSkipTheNext) {
  TargetQueue queue;
  for (const auto& [path, depth] : {std::pair("/a", 1), {"/b", 3}, {"/c", 2}, {"/d", 3}}) {
    queue.push(target(path, static_cast<std::uint16_t>(depth)), kOrigin, CrawlOrder::breadth_first);
  }
  std::vector<std::string> urls;
  while (!queue.empty()) urls.push_back(queue.pop_other(kOrigin).url.substr(kOrigin.size()));
  EXPECT_THAT(urls, ElementsAre("/b", "/d", "/c", "/a"));
}

}  // namespace
}  // namespace gossamer::crawler
