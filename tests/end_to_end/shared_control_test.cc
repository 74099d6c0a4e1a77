// Tests the library functions that watch and steer a shared crawl, with a real server.
#include <gtest/gtest.h>

#include <string>

#include "async/loop.h"
#include "cluster/shared_frontier.h"
#include "gossamer/cluster.h"
#include "tests/end_to_end/redis_servers.h"

namespace gossamer {
namespace {

using redis::TestClient;

// A crawl that a node has begun.
async::Task<void> begin_crawl(redis::Node node) {
  TestClient client({node});
  auto opened = co_await client->open(redis::in_time());
  if (opened) opened = co_await cluster::install_functions(*client, redis::in_time());
  EXPECT_TRUE(opened.has_value()) << opened.error().to_string();
  cluster::SharedCrawl crawl(*client, {.crawl = "m", .node = "n"});
  EXPECT_TRUE(co_await crawl.join({.settings = "s", .identity = "test"}));
  cluster::SharedFrontier frontier(*client, {.crawl = "m"}, [] { return 1; });
  EXPECT_TRUE(co_await frontier.prepare("test", cluster::SharedFrontier::Prepare::make));
  EXPECT_TRUE(co_await crawl.begin());
  co_await client.close();
}

TEST(SharedControlTest, AProgramWatchesAndSteersASharedCrawl) {
  if (!support::is_installed(redis::kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  const redis::RedisServer server;
  const ClusterSettings there = {.url = "redis://" + server.node().to_string() + "/m"};
  const auto none = read_shared_crawl(there);
  EXPECT_TRUE(!none && none.error() == Errc::not_found);
  {
    async::Loop loop;
    loop.run(begin_crawl(server.node()));
  }
  EXPECT_TRUE(control_shared_crawl(there, SharedCrawlControl::pause).has_value());
  EXPECT_TRUE(add_to_shared_crawl(there, {"https://a.example/"}).has_value());
  EXPECT_TRUE(block_in_shared_crawl(there, {"b.example", "c.example"}).has_value());
  EXPECT_TRUE(unblock_in_shared_crawl(there, {"c.example"}).has_value());
  const auto wrong = add_to_shared_crawl(there, {"https://a.example/x", "ftp://a.example/"});
  EXPECT_TRUE(!wrong && wrong.error() == Errc::invalid_argument);
  const auto status = read_shared_crawl(there);
  ASSERT_TRUE(status.has_value()) << status.error().to_string();
  EXPECT_EQ(status->facts.control, SharedCrawlControl::pause);
  EXPECT_EQ(status->facts.orders, 4u) << "nothing of the wrong call";
  EXPECT_EQ(status->nodes.size(), 1u);
  EXPECT_EQ(status->open(), 0u);
  EXPECT_FALSE(status->is_damaged());
  const auto early = purge_shared_crawl(there, false);
  EXPECT_TRUE(!early && early.error() == Errc::exists);
  EXPECT_TRUE(control_shared_crawl(there, SharedCrawlControl::stop).has_value());
  const auto late = control_shared_crawl(there, SharedCrawlControl::run);
  EXPECT_TRUE(!late && late.error() == Errc::closed);
  const auto purged = purge_shared_crawl(there, true);
  EXPECT_TRUE(purged && *purged > cluster::kPartitions);
  EXPECT_FALSE(read_shared_crawl(there).has_value());
}

}  // namespace
}  // namespace gossamer
