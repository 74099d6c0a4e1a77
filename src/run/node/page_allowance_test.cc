// Tests how nodes share the pages of a limit, and the places and addresses that they find.
#include "node/page_allowance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "cluster/shared_crawl.h"
#include "frontier/open_work.h"
#include "node/address_reservations.h"
#include "node/shared_scope.h"
#include "tests/support/redis_play.h"

namespace gossamer::node {
namespace {

using async::Task;
using Taken = PageAllowance::Taken;
using testing::ElementsAre;
using testing::IsEmpty;

// One node and its part of the limit.
struct Node {
  // BORROWS: the client.
  Node(redis::Client& client, std::string name, bool is_limited = true)
      : crawl(client, {.crawl = "m", .node = std::move(name)}),
        work(0, false),
        pages(crawl, work, is_limited, 1min) {}

  // BORROWS: this.
  Task<void> join(std::optional<std::uint64_t> limit) {
    auto joined = co_await crawl.join({.settings = "s", .pages_max = limit, .identity = "i"});
    EXPECT_TRUE(joined.has_value());
    facts = *joined;
  }
  // BORROWS: this.
  Task<Taken> take(bool is_at_work = true) {
    const auto taken = co_await pages.take(facts, is_at_work);
    EXPECT_TRUE(taken.has_value());
    co_return taken.value_or(Taken::nothing);
  }
  // Fetches that many pages.
  void fetch(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      EXPECT_TRUE(work.take_page());
      work.finish_page();
    }
  }

  cluster::SharedCrawl crawl;
  crawler::OpenWork work;
  PageAllowance pages;
  cluster::CrawlFacts facts;
};

Task<void> take_blocks(redis::Client& client, redis::Node) {
  Node node(client, "a");
  co_await node.join(100);
  EXPECT_FALSE(node.pages.runs_short()) << "the first block is not taken";
  EXPECT_EQ(co_await node.take(), Taken::more);
  EXPECT_EQ(node.work.pages().left, 50u) << "half of what is left";
  EXPECT_EQ(node.facts.pages_left, 50u);
  node.fetch(20);
  EXPECT_EQ(node.pages.used(), 20u);
  EXPECT_FALSE(node.pages.runs_short());
  node.fetch(18);
  EXPECT_TRUE(node.pages.runs_short()) << "12 are left, half of the next block";
  EXPECT_FALSE(node.pages.runs_short()) << "once for each call";
  EXPECT_EQ(co_await node.take(), Taken::more);
  EXPECT_EQ(node.work.pages().left, 37u);
  EXPECT_EQ((co_await node.crawl.facts())->pages_left, 25u);
  EXPECT_EQ(co_await node.take(), Taken::nothing) << "it has enough";
}

TEST(PageAllowanceTest, BlocksGetSmaller) { redis::run_with_redis(take_blocks); }

Task<void> take_much(redis::Client& client, redis::Node) {
  Node node(client, "a");
  co_await node.join(10'000);
  EXPECT_EQ(co_await node.take(), Taken::more);
  EXPECT_EQ(node.work.pages().left, 1000u) << "others need some, too";
  node.fetch(499);
  EXPECT_FALSE(node.pages.runs_short());
  EXPECT_EQ(co_await node.take(), Taken::nothing);
  node.fetch(1);
  EXPECT_TRUE(node.pages.runs_short()) << "half of the block is left";
  EXPECT_EQ(co_await node.take(), Taken::more);
  EXPECT_EQ(node.work.pages().left, 1500u);
  EXPECT_EQ(node.pages.used(), 500u);
}

TEST(PageAllowanceTest, ABlockHasABound) { redis::run_with_redis(take_much); }

Task<void> take_the_last(redis::Client& client, redis::Node) {
  Node node(client, "a");
  co_await node.join(2);
  for (std::uint64_t used = 0; used < 2; ++used) {
    EXPECT_EQ(co_await node.take(), Taken::more);
    EXPECT_EQ(node.work.pages().left, 1u);
    EXPECT_EQ(node.pages.used(), used);
    EXPECT_TRUE(node.work.take_page());
    EXPECT_TRUE(node.pages.runs_short());
    if (used == 0) node.work.finish_page();
  }
  node.facts = *co_await node.crawl.facts();
  EXPECT_EQ(co_await node.take(), Taken::nothing) << "the last page is being fetched";
  EXPECT_FALSE(node.pages.is_waiting());
  node.work.finish_page();
  node.facts = *co_await node.crawl.facts();
  EXPECT_EQ(co_await node.take(), Taken::nothing) << "Redis hears only now that it is used";
  EXPECT_TRUE(node.pages.is_waiting());
  node.facts = *co_await node.crawl.facts();
  EXPECT_EQ(co_await node.take(), Taken::none_left);
}

TEST(PageAllowanceTest, TheLimitIsReachedWhenTheLastPageHasEnded) {
  redis::run_with_redis(take_the_last);
}

Task<void> share_with_others(redis::Client& client, redis::Node) {
  Node first(client, "a");
  Node second(client, "b");
  co_await first.join(10);
  co_await second.join(10);
  EXPECT_EQ(co_await second.take(), Taken::more);
  EXPECT_EQ(second.work.pages().left, 2u) << "a half of the share of two nodes";
  for (int i = 0; i < 20 && co_await first.take() == Taken::more; ++i) {
    first.fetch(first.work.pages().left);
  }
  EXPECT_EQ(first.pages.used(), 8u);
  first.facts = *co_await first.crawl.facts();
  EXPECT_EQ(co_await first.take(), Taken::nothing) << "the other node may give some back";
  EXPECT_TRUE(first.pages.is_waiting());
  second.fetch(1);
  EXPECT_EQ(co_await second.take(false), Taken::nothing) << "it leaves";
  EXPECT_EQ(second.work.pages().left, 0u);
  EXPECT_EQ(co_await first.take(), Taken::more);
  EXPECT_FALSE(first.pages.is_waiting());
  first.fetch(1);
  first.facts = *co_await first.crawl.facts();
  EXPECT_EQ(co_await first.take(), Taken::nothing);
  first.facts = *co_await first.crawl.facts();
  EXPECT_EQ(co_await first.take(), Taken::none_left) << "all ten are used";
  EXPECT_FALSE(first.pages.is_waiting());
  EXPECT_EQ(co_await first.take(), Taken::nothing) << "it is said once";
}

TEST(PageAllowanceTest, ANodeWaitsForPagesThatOthersMayGiveBack) {
  redis::run_with_redis(share_with_others);
}

Task<void> fall_silent(redis::Client& client, redis::Node) {
  Node node(client, "a");
  co_await node.join(100);
  EXPECT_EQ(co_await node.take(), Taken::more);
  node.pages.drop_stale();
  EXPECT_EQ(node.work.pages().left, 50u) << "it was not heard yet, as it has just joined";
  node.pages.heard(async::Loop::current().now());
  node.fetch(5);
  static_cast<void>(co_await async::sleep(59s));
  node.pages.drop_stale();
  EXPECT_EQ(node.work.pages().left, 45u);
  static_cast<void>(co_await async::sleep(1s));
  node.pages.drop_stale();
  EXPECT_EQ(node.work.pages().left, 0u) << "Redis may give them to others";
  EXPECT_EQ(node.pages.used(), 5u);
  node.pages.heard(async::Loop::current().now());
  EXPECT_EQ(co_await node.take(false), Taken::nothing) << "Redis hears what it has used";
  node.facts = *co_await node.crawl.facts();
  EXPECT_EQ(co_await node.take(), Taken::more);
  EXPECT_GT(node.work.pages().left, 40u);
}

TEST(PageAllowanceTest, PagesOfANodeThatIsNotHeardAreDropped) {
  redis::run_with_redis(fall_silent);
}

Task<void> have_no_limit(redis::Client& client, redis::Node) {
  Node node(client, "a", false);
  co_await node.join(std::nullopt);
  EXPECT_EQ(co_await node.take(), Taken::nothing);
  EXPECT_EQ(node.pages.used(), 0u);
  EXPECT_FALSE(node.pages.is_waiting());
}

TEST(PageAllowanceTest, WithoutALimitNothingIsTaken) { redis::run_with_redis(have_no_limit); }

// --- places of roots

Task<void> share_places(redis::Client& client, redis::Node server) {
  SharedScope first(client, "m");
  SharedScope second(client, "m");
  const auto url = [](const char* text) { return *url::Url::parse(text); };
  EXPECT_THAT(*co_await first.exchange(), IsEmpty());
  first.widen(url("http://www.a.example/#top"));
  first.widen(url("http://www.a.example/"));
  EXPECT_THAT(*co_await first.exchange(), IsEmpty()) << "it is its own";
  EXPECT_THAT(*co_await second.exchange(), ElementsAre("http://www.a.example/"));
  EXPECT_THAT(*co_await second.exchange(), IsEmpty()) << "it is known now";
  second.widen(url("http://b.example/"));
  static_cast<void>(co_await redis::ask(client, server, {"HSET", "G{m}", "f", "1"}));
  EXPECT_FALSE(co_await second.exchange()) << "the slot is being moved";
  static_cast<void>(co_await redis::ask(client, server, {"HDEL", "G{m}", "f"}));
  EXPECT_TRUE(co_await second.exchange());
  EXPECT_THAT(*co_await first.exchange(), ElementsAre("http://b.example/")) << "it is not lost";
}

TEST(SharedScopeTest, EveryNodeHearsOfEveryPlaceOnce) { redis::run_with_redis(share_places); }

// --- addresses

Task<void> reserve_moments(redis::Client& client, redis::Node) {
  cluster::SharedCrawl crawl(client, {.crawl = "m", .node = "a"});
  AddressReservations first(crawl, 400ms);
  AddressReservations second(crawl, 400ms);
  async::Scope tasks(async::OnFailure::keep_going);
  tasks.spawn(first.run());
  tasks.spawn(second.run());
  const auto address = *async::Endpoint::parse_address("192.0.2.1");
  std::vector<Instant> starts;
  const Instant begin = async::Loop::current().now();
  while (async::Loop::current().now() < begin + 10s) {
    for (AddressReservations* each : {&first, &second}) {
      if (!each->start_at(address, async::Loop::current().now())) {
        starts.push_back(async::Loop::current().now());
      }
    }
    static_cast<void>(co_await async::sleep(1ms));
  }
  EXPECT_GE(starts.size(), 15u);
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_GE(starts[i] - starts[i - 1], 400ms);
  tasks.cancel();
  static_cast<void>(co_await tasks.join());
}

TEST(AddressReservationsTest, NodesShareThePauseOfAnAddress) {
  redis::run_with_redis(reserve_moments);
}

}  // namespace
}  // namespace gossamer::node
