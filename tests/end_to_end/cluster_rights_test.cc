// Tests that the rights of a user of Redis that the manual names are enough, with a real server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "async/loop.h"
#include "cluster/new_owners.h"
#include "cluster/purge.h"
#include "cluster/root_places.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "redis/slot.h"
#include "redis/slot_map.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using redis::TestClient;
using testing::HasSubstr;

// Returns the words with "+" of docs/cluster.md: those of the list for nodes, or all.
std::vector<std::string> documented_rights(bool is_for_node) {
  std::ifstream manual(support::source_path("docs/cluster.md"));
  std::vector<std::string> rights;
  for (std::string line; std::getline(manual, line);) {
    if (is_for_node && !line.starts_with('+')) continue;
    std::erase(line, '`');
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (!word.starts_with('+') || word.starts_with("+-")) continue;  // a diagram
      rights.push_back(word.substr(0, word.find_first_of(",.")));
    }
  }
  return rights;
}

// The command that makes the user.
std::vector<std::string> user_with(const std::vector<std::string>& rights) {
  std::vector<std::string> words = {
      "ACL", "SETUSER", "node", "on", ">secret", "-@all", "~[ACDFGHJKLMNOPQRSW]{*"};
  words.insert(words.end(), rights.begin(), rights.end());
  return words;
}

Task<void> use_few_rights(redis::Node node) {
  TestClient admin({node});
  const auto made = co_await ask(*admin, node, user_with(documented_rights(true)));
  EXPECT_EQ(made->text, "OK");
  co_await admin.close();
  TestClient client({node}, {.user = "node", .password = "secret"});
  EXPECT_TRUE(co_await client->open(redis::in_time()));
  EXPECT_TRUE(co_await install_functions(*client, redis::in_time()));
  SharedCrawl crawl(*client, {.crawl = "m", .node = "a"});
  EXPECT_TRUE(co_await crawl.join({.settings = "s", .pages_max = 5, .identity = "test"}));
  SharedFrontier frontier(*client, {.crawl = "m", .ttl = 1h, .is_level_by_level = true},
                          [n = 0ull]() mutable { return ++n; });
  EXPECT_TRUE(co_await frontier.prepare("test", SharedFrontier::Prepare::make));
  Ids many;
  for (std::uint64_t id = 0; id < 60; ++id) many.push_back(id);
  for (std::uint64_t round = 0; round < 5; ++round) {
    for (std::uint64_t& id : many) id += 60;
    FoundUrls found = found_urls(1, "h", many);
    found.depth = 1;
    EXPECT_TRUE(co_await frontier.add({found})) << "buckets are split";
  }
  const auto step = co_await crawl.level({.number = 1, .depth = 1});
  EXPECT_TRUE(step && co_await frontier.take_step(*step));
  auto leased = co_await frontier.lease({.partitions = {1}});
  EXPECT_EQ(leased->size(), 1u);
  Holding holding(leased->front());
  holding.advance(holding.urls());
  EXPECT_TRUE(co_await frontier.renew({&leased->front()}));
  const auto completed = co_await frontier.complete(
      {{.partition = 1, .host = "h", .token = holding.token, .position = holding.position()}});
  EXPECT_TRUE(completed.front().has_value());
  EXPECT_TRUE(co_await frontier.count());
  EXPECT_TRUE(co_await crawl.beat("{}", 0));
  EXPECT_TRUE(co_await crawl.take_pages(2, 0));
  EXPECT_TRUE(co_await crawl.reserve("192.0.2.1", 1s, 2));
  EXPECT_TRUE(co_await add_root_places(*client, "m", {"http://h/"}, redis::in_time()));
  EXPECT_TRUE(co_await root_places(*client, "m", redis::in_time()));
  EXPECT_TRUE(co_await crawl.order("x"));
  EXPECT_TRUE(co_await crawl.orders(0));
  EXPECT_TRUE(co_await crawl.nodes());
  EXPECT_TRUE(co_await crawl.control(Control::pause));
  EXPECT_TRUE(co_await crawl.begin());
  EXPECT_TRUE(co_await crawl.finish("done", 1));
  EXPECT_TRUE(co_await crawl.leave(0));
  const auto other = co_await ask(*client, node, {"HGET", "other", "x"});
  EXPECT_THAT(other->text, HasSubstr("NOPERM"));
  co_await client.close();
}

TEST(ClusterRightsTest, AUserWithFewRightsIsEnough) {
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  const redis::RedisServer server;
  async::Loop loop;
  loop.run(use_few_rights(server.node()));
}

// BORROWS: the cluster.
Task<void> end_with_few_rights(redis::RedisCluster& cluster) {
  TestClient admin(cluster.seeds());
  for (std::size_t i = 0; i < cluster.size(); ++i) {
    const auto made =
        co_await ask(*admin, cluster.server(i).node(), user_with(documented_rights(false)));
    EXPECT_EQ(made->text, "OK");
  }
  co_await admin.close();
  TestClient client(cluster.seeds(), {.user = "node", .password = "secret"});
  EXPECT_TRUE(co_await client->open(redis::in_time()));
  EXPECT_TRUE(co_await install_functions(*client, redis::in_time()));
  SharedCrawl crawl(*client, {.crawl = "m", .node = "a"});
  EXPECT_TRUE(co_await crawl.join({.settings = "s", .identity = "test"}));
  EXPECT_TRUE(co_await crawl.leave(0));
  const auto accepted = co_await accept_new_owners(*client, "m", 60s, support::kPatience);
  EXPECT_TRUE(accepted.has_value()) << accepted.error().to_string();
  const auto purged = co_await purge(*client, "m", support::kPatience);
  EXPECT_TRUE(purged.has_value()) << purged.error().to_string();
  co_await client.close();
}

TEST(ClusterRightsTest, TheyAreEnoughToAcceptAndDeleteACrawl) {
  if (!support::is_long_suite()) GTEST_SKIP() << "only in the long suite";
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  redis::RedisCluster cluster(redis::RedisCluster::kSteady);
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  async::Loop loop;
  loop.run(end_with_few_rights(cluster));
}

}  // namespace
}  // namespace gossamer::cluster
