// Tests what belongs to a shared crawl as a whole. They run with the model, and with a real server.
#include "cluster/shared_crawl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "cluster/function_library.h"
#include "cluster/layout.h"
#include "tests/support/redis_play.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using testing::HasSubstr;

SharedCrawl node(redis::Client& client, std::string name, Duration lost_after = 1h) {
  return {client, {.crawl = "museum", .node = std::move(name), .lost_after = lost_after}};
}

std::string why(const Result<CrawlFacts>& facts) {
  return facts ? "none" : facts.error().to_string();
}

TEST(Settings, DifferencesAreNamed) {
  EXPECT_EQ(settings_difference("a = 1\nb = 2\n", "a = 1\nb = 2\n"), "");
  EXPECT_EQ(settings_difference("a = 1\nb = 2\n", "a = 1\nb = 3\n"),
            "the crawl has 'b = 2', this node has 'b = 3'");
  EXPECT_EQ(settings_difference("a = 1\n", "a = 1\nb = 3\n"),
            "the crawl has no such line, this node has 'b = 3'");
  EXPECT_EQ(settings_difference("a = 1\nb = 2", "a = 1\n"),
            "the crawl has 'b = 2', this node has no such line");
}

Task<void> install_twice(redis::Client& client, redis::Node server) {
  EXPECT_TRUE(co_await install_functions(client, redis::in_time()));
  const auto flushed = co_await ask(client, server, {"FUNCTION", "FLUSH"});
  EXPECT_FALSE(flushed->is_error());
  SharedCrawl first = node(client, "a");
  // A server without functions has not lost the crawl.
  auto missing = co_await first.join({.settings = "s", .identity = "i"});
  EXPECT_EQ(missing.error().code(), Errc::unavailable);
  EXPECT_TRUE(co_await install_functions(client, redis::in_time()));
  EXPECT_TRUE((co_await first.join({.settings = "s", .identity = "i"})).has_value());
  EXPECT_TRUE((co_await first.beat("", 0)).has_value());
  static_cast<void>(co_await ask(client, server, {"FUNCTION", "FLUSH"}));
  auto lacking = co_await first.beat("", 0);
  EXPECT_FALSE(lacking.has_value());
  if (!lacking) EXPECT_EQ(lacking.error().code(), Errc::unavailable);
  EXPECT_TRUE((co_await first.beat("", 0)).has_value()) << "it has loaded them";
  // Another build of this version is replaced.
  const std::string other = "#!lua name=" + std::string(kLibraryName) +
                            "\nredis.register_function('g4_beat', function() return 1 end)";
  const auto replaced = co_await ask(client, server, {"FUNCTION", "LOAD", "REPLACE", other});
  EXPECT_FALSE(replaced->is_error()) << replaced->text;
  EXPECT_TRUE(co_await install_functions(client, redis::in_time()));
  EXPECT_TRUE((co_await first.join({.settings = "s"})).has_value());
}

TEST(SharedCrawlTest, FunctionsAreLoadedWhereTheyAreMissing) {
  redis::run_with_redis(install_twice);
}

Task<void> join_nodes(redis::Client& client, redis::Node server) {
  SharedCrawl first = node(client, "a");
  SharedCrawl second = node(client, "b");
  EXPECT_THAT(why(co_await second.join({})), HasSubstr("not_found: crawl museum has no settings"));
  EXPECT_THAT(why(co_await first.facts()), HasSubstr("not_found: there is no crawl museum"));
  const auto begun = co_await first.join({.settings = "a = 1\nb = 2\n", .replicas = 1});
  EXPECT_FALSE(begun->has_begun);
  const auto joined = co_await second.join({});
  EXPECT_EQ(joined->settings, "a = 1\nb = 2\n");
  EXPECT_EQ(joined->replicas, 1u);
  EXPECT_EQ(joined->nodes, 2u);
  EXPECT_THAT(why(co_await second.join({.settings = "a = 1\nb = 3\n"})),
              HasSubstr("the crawl has 'b = 2', this node has 'b = 3'"));
  SharedCrawl rejected = node(client, "c");
  EXPECT_FALSE(co_await rejected.join({.settings = "a = 1\nb = 3\n"}));
  EXPECT_EQ((co_await first.facts())->nodes, 2u) << "a node that is rejected is none";
  EXPECT_TRUE(co_await first.begin());
  const auto facts = co_await second.beat("{\"pages\":1}", 0);
  EXPECT_TRUE(facts->has_begun);
  const auto nodes = co_await first.nodes();
  EXPECT_EQ(nodes->size(), 2u);
  EXPECT_EQ(nodes->back().report, "{\"pages\":1}");
  EXPECT_TRUE(co_await second.leave(0));
  EXPECT_EQ((co_await first.facts())->nodes, 1u);
  EXPECT_TRUE(co_await first.leave(0));
  EXPECT_EQ((co_await first.facts())->nodes, 0u);
  // The first layout, and one of the future.
  for (const std::string layout : {"1", "99"}) {
    static_cast<void>(co_await ask(client, server, {"HSET", "G{museum}", "v", layout}));
    const std::string expected =
        "unsupported: the crawl has layout " + layout + ", and this version of gossamer has 4; use";
    EXPECT_THAT(why(co_await second.join({})), HasSubstr(expected));
    EXPECT_THAT(why(co_await second.facts()), HasSubstr(expected));
  }
  EXPECT_EQ((co_await ask(client, server, {"ZCARD", "M{museum}"}))->as_integer(-1), 0)
      << "a node of another layout has not joined";
}

TEST(SharedCrawlTest, TheFirstNodeDecidesTheSettings) { redis::run_with_redis(join_nodes); }

Task<void> control_nodes(redis::Client& client, redis::Node) {
  SharedCrawl first = node(client, "a");
  EXPECT_TRUE(co_await first.join({.settings = "s"}));
  EXPECT_TRUE(*co_await first.control(Control::pause));
  EXPECT_EQ((co_await first.beat("", 0))->control, Control::pause);
  EXPECT_TRUE(*co_await first.control(Control::run));
  EXPECT_EQ((co_await first.facts())->control, Control::run);
  EXPECT_TRUE(*co_await first.control(Control::stop));
  EXPECT_FALSE(*co_await first.control(Control::run)) << "a stop is final";
  EXPECT_EQ((co_await first.facts())->control, Control::stop);
}

Task<void> lose_crawl(redis::Client& client, redis::Node server) {
  SharedCrawl first = node(client, "a");
  EXPECT_EQ((co_await first.join({.settings = "s", .identity = "one"}))->identity, "one");
  EXPECT_TRUE(co_await first.beat("", 0));
  static_cast<void>(co_await ask(client, server, {"FLUSHALL"}));
  EXPECT_EQ((co_await first.beat("", 0)).error().code(), Errc::not_found);
  EXPECT_EQ((co_await first.take_pages(1, 0)).error().code(), Errc::not_found);
  EXPECT_EQ((co_await first.control(Control::pause)).error().code(), Errc::not_found);
  EXPECT_EQ((co_await first.begin()).error().code(), Errc::not_found);
  EXPECT_EQ((co_await first.finish("done")).error().code(), Errc::not_found);
  EXPECT_EQ((co_await first.leave(0)).error().code(), Errc::not_found);
  const auto keys = co_await ask(client, server, {"DBSIZE"});
  EXPECT_EQ(keys->as_integer(-1), 0) << "they wrote nothing";
  SharedCrawl second = node(client, "b");
  EXPECT_TRUE(co_await second.join({.settings = "s", .identity = "two"}));
  EXPECT_EQ((co_await first.beat("", 0)).error().code(), Errc::not_found) << "it is another crawl";
  EXPECT_TRUE(co_await second.beat("", 0));
}

TEST(SharedCrawlTest, ALostCrawlIsNoticed) { redis::run_with_redis(lose_crawl); }

TEST(SharedCrawlTest, ControlReachesEveryNode) { redis::run_with_redis(control_nodes); }

Task<void> finish_once(redis::Client& client, redis::Node) {
  int winners = 0;
  for (const std::string name : {"a", "b", "c"}) {
    SharedCrawl each = node(client, name);
    EXPECT_TRUE(co_await each.join({.settings = "s"}));
    winners += *co_await each.finish("done by " + name) ? 1 : 0;
    EXPECT_EQ((co_await each.facts())->end, "done by a");
  }
  EXPECT_EQ(winners, 1);
}

TEST(SharedCrawlTest, EndsOnce) { redis::run_with_redis(finish_once); }

Task<void> share_pages(redis::Client& client, redis::Node) {
  SharedCrawl first = node(client, "a");
  SharedCrawl second = node(client, "b");
  EXPECT_TRUE(co_await first.join({.settings = "s", .pages_max = 10}));
  EXPECT_TRUE(co_await second.join({}));
  EXPECT_EQ(*co_await first.take_pages(6, 0), 6u);
  EXPECT_EQ(*co_await first.take_pages(6, 0), 6u) << "it can be repeated";
  EXPECT_EQ(*co_await second.take_pages(6, 0), 4u);
  EXPECT_EQ((co_await first.facts())->pages_left, 0u);
  EXPECT_EQ((co_await first.facts())->pages_reserved, 10u);
  EXPECT_EQ(*co_await second.take_pages(6, 1), 4u);
  EXPECT_EQ((co_await first.beat("", 2))->pages_reserved, 7u) << "three are used";
  EXPECT_EQ(*co_await second.take_pages(3, 1), 3u) << "it gives one back";
  EXPECT_EQ((co_await first.facts())->pages_left, 1u);
  EXPECT_EQ(*co_await second.take_pages(4, 1), 4u);
  EXPECT_TRUE(co_await second.leave(3));
  EXPECT_EQ((co_await first.facts())->pages_reserved, 4u);
  EXPECT_EQ((co_await first.facts())->pages_left, 1u) << "what it did not use comes back";
  EXPECT_EQ(*co_await first.take_pages(20, 6), 7u);
  EXPECT_EQ(*co_await first.take_pages(20, 7), 7u);
  EXPECT_EQ((co_await first.facts())->pages_reserved, 0u) << "the limit is reached";
}

TEST(SharedCrawlTest, PagesAreNeverGivenTwice) { redis::run_with_redis(share_pages); }

Task<void> share_without_limit(redis::Client& client, redis::Node) {
  SharedCrawl first = node(client, "a");
  SharedCrawl second = node(client, "b");
  EXPECT_TRUE(co_await first.join({.settings = "s"}));
  EXPECT_TRUE(co_await second.join({}));
  EXPECT_EQ(*co_await second.take_pages(100, 0), 100u);
  EXPECT_TRUE(co_await second.leave(10));
  EXPECT_EQ((co_await first.facts())->pages_left, std::nullopt);
  EXPECT_EQ(*co_await first.take_pages(1000, 0), 1000u) << "there is still no limit";
}

TEST(SharedCrawlTest, ANodeThatLeavesMakesNoLimit) { redis::run_with_redis(share_without_limit); }

Task<void> lose_node(redis::Client& client, redis::Node server) {
  SharedCrawl first = node(client, "a", 1h);
  SharedCrawl second = node(client, "b");
  EXPECT_TRUE(co_await first.join({.settings = "s", .pages_max = 10}));
  EXPECT_TRUE(co_await second.join({}));
  EXPECT_EQ(*co_await second.take_pages(8, 0), 8u);
  EXPECT_TRUE(co_await second.beat("", 5));
  // The second node was last there two hours ago.
  const auto time = co_await ask(client, server, {"TIME"});
  const std::int64_t then = (time->items[0].as_integer(0) - 7200) * 1000;
  static_cast<void>(co_await ask(client, server, {"ZADD", "M{museum}", std::to_string(then), "b"}));
  const auto nodes = co_await first.nodes();
  EXPECT_GE(nodes->front().unseen, 7190s);
  EXPECT_EQ((co_await first.beat("", 0))->nodes, 1u);
  EXPECT_EQ((co_await first.facts())->pages_left, 5u);
  // It was only silent, and has used one page more.
  EXPECT_EQ(*co_await second.take_pages(6, 6), 6u);
  EXPECT_EQ((co_await first.facts())->pages_left, 4u) << "the five that it used count once";
  EXPECT_EQ(*co_await second.take_pages(20, 6), 10u);
}

TEST(SharedCrawlTest, LostNodesGiveTheirPagesBack) { redis::run_with_redis(lose_node); }

Task<void> reserve_moments(redis::Client& client, redis::Node) {
  SharedCrawl first = node(client, "a");
  EXPECT_EQ(*co_await first.reserve("192.0.2.1", 1h, 2), 0s);
  const auto next = co_await first.reserve("192.0.2.1", 1h, 1);
  EXPECT_GT(*next, 2h - 60s);
  EXPECT_LE(*next, 2h);
  EXPECT_EQ(*co_await first.reserve("192.0.2.2", 1h, 1), 0s);
}

Task<void> reserve_for_many(redis::Client& client, redis::Node server) {
  SharedCrawl first = node(client, "a");
  for (int i = 0; i < 300; ++i) {
    const std::string address = "192.0." + std::to_string(i) + ".1";
    EXPECT_TRUE((co_await first.reserve(address, 0s, 1)).has_value());
  }
  EXPECT_TRUE((co_await first.reserve("192.0.2.1", 1h, 1)).has_value());
  std::int64_t known = 0;
  for (std::uint32_t group = 0; group < kAddressGroups; ++group) {
    const std::string key = "A{museum.a" + std::to_string(group) + "}";
    const auto count = co_await ask(client, server, {"ZCARD", key});
    known += count->as_integer(300);
  }
  EXPECT_LT(known, 150) << "addresses whose moment has passed are forgotten";
  EXPECT_GT(*co_await first.reserve("192.0.2.1", 1h, 1), 59min);
}

TEST(SharedCrawlTest, AddressesAreForgottenWhenTheirMomentHasPassed) {
  redis::run_with_redis(reserve_for_many);
}

Task<void> reserve_without_replica(redis::Client& client, redis::Node) {
  SharedCrawl lonely(client, {.crawl = "museum", .node = "a", .replicas = 1});
  const auto first = co_await lonely.reserve("192.0.2.1", 1h, 1);
  EXPECT_TRUE(first.has_value()) << first.error().to_string();
}

TEST(SharedCrawlTest, AReservationDoesNotWaitForReplicas) {
  redis::run_with_redis(reserve_without_replica);
}

TEST(SharedCrawlTest, MomentsOfAnAddressAreReservedOnce) { redis::run_with_redis(reserve_moments); }

Task<void> give_orders(redis::Client& client, redis::Node /*server*/) {
  SharedCrawl first = node(client, "a");
  SharedCrawl second = node(client, "b");
  EXPECT_EQ((co_await first.order("x")).error().code(), Errc::not_found) << "it has not joined";
  EXPECT_TRUE((co_await first.join({.settings = "s", .identity = "i"})).has_value());
  EXPECT_EQ((co_await second.join({}))->orders, 0u);
  EXPECT_TRUE(*co_await first.order("one"));
  EXPECT_TRUE(*co_await first.order("two"));
  EXPECT_EQ((co_await first.order("")).error().code(), Errc::internal);
  EXPECT_EQ((co_await second.beat("", 0))->orders, 2u);
  EXPECT_EQ((co_await second.facts())->orders, 2u);
  EXPECT_EQ(*co_await second.orders(0), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(*co_await second.orders(1), std::vector<std::string>{"two"});
  EXPECT_TRUE((co_await second.orders(2))->empty());
  // A node that does not know all orders may miss URLs.
  EXPECT_EQ((co_await second.finish("done", 1)).error().code(), Errc::unavailable);
  EXPECT_TRUE(*co_await second.finish("done", 2));
  EXPECT_FALSE(*co_await first.finish("done", 0)) << "it has ended";
  EXPECT_FALSE(*co_await first.order("three")) << "nobody executes it";
}

TEST(SharedCrawlTest, OrdersReachEveryNodeBeforeTheEnd) { redis::run_with_redis(give_orders); }

Task<void> read_many_orders(redis::Client& client, redis::Node server) {
  SharedCrawl first = node(client, "a");
  EXPECT_TRUE((co_await first.join({.settings = "s", .identity = "i"})).has_value());
  std::vector<std::string> words = {"RPUSH", "O{museum}"};
  for (int i = 0; i < 2500; ++i) words.push_back(std::to_string(i));
  static_cast<void>(co_await ask(client, server, words));
  const std::uint64_t before = client.counts().commands;
  const auto orders = co_await first.orders(100);
  EXPECT_EQ(orders->size(), 2400u);
  EXPECT_EQ(orders->front(), "100");
  EXPECT_EQ(orders->back(), "2499");
  EXPECT_GT(client.counts().commands - before, 2u) << "one reply could be too large";
}

TEST(SharedCrawlTest, ManyOrdersAreReadInParts) { redis::run_with_redis(read_many_orders); }

Task<void> stop_with_orders(redis::Client& client, redis::Node /*server*/) {
  SharedCrawl first = node(client, "a");
  EXPECT_TRUE((co_await first.join({.settings = "s", .identity = "i"})).has_value());
  EXPECT_TRUE(*co_await first.order("one"));
  EXPECT_TRUE(*co_await first.control(Control::stop));
  EXPECT_FALSE(*co_await first.order("two"));
  EXPECT_TRUE(*co_await first.finish("stopped", 0));
}

TEST(SharedCrawlTest, AStoppedCrawlEndsWithoutItsOrders) {
  redis::run_with_redis(stop_with_orders);
}

}  // namespace
}  // namespace gossamer::cluster
