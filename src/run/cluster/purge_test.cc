// Tests how crawls are listed and deleted, and what other crawls keep.
#include "cluster/purge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "async/task.h"
#include "cluster/root_places.h"
#include "cluster/shared_crawl.h"
#include "cluster/shared_frontier.h"
#include "tests/end_to_end/frontier_model.h"
#include "tests/support/redis_play.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::ask;
using testing::HasSubstr;

// Makes a crawl with a host, a node, an order and a place. BORROWS: the client.
Task<void> make_crawl(redis::Client& client, std::string name) {
  SharedCrawl crawl(client, {.crawl = name, .node = "a"});
  EXPECT_TRUE(co_await crawl.join({.settings = "s", .pages_max = 10, .identity = "i"}));
  SharedFrontier frontier(client, {.crawl = name, .partitions = 4}, [] { return 1; });
  EXPECT_TRUE(co_await frontier.prepare("i", SharedFrontier::Prepare::make));
  EXPECT_TRUE(co_await frontier.add({found_urls(1, "h", {1, 2})}));
  EXPECT_TRUE(co_await crawl.order("x"));
  EXPECT_TRUE(co_await crawl.take_pages(1, 0));
  EXPECT_TRUE(co_await crawl.beat("report", 0));
  EXPECT_TRUE(co_await crawl.reserve("192.0.2.1", 1h, 1));
  EXPECT_TRUE(co_await add_root_places(client, name, {"https://a.example/"}, redis::in_time()));
}

// BORROWS: the client.
Task<std::int64_t> keys_of(redis::Client& client, redis::Node node) {
  const auto size = co_await ask(client, node, {"DBSIZE"});
  co_return size->as_integer(-1);
}

Task<void> delete_one(redis::Client& client, redis::Node node) {
  co_await make_crawl(client, "m");
  const std::int64_t keys = co_await keys_of(client, node);
  co_await make_crawl(client, "mu");
  co_await make_crawl(client, "m.5");
  const auto removed = co_await purge(client, "m", 20s);
  EXPECT_TRUE(removed.has_value()) << removed.error().to_string();
  EXPECT_EQ(*removed, static_cast<std::uint64_t>(keys));
  EXPECT_EQ(co_await keys_of(client, node), 2 * keys) << "the other crawls have all of theirs";
  EXPECT_EQ(*co_await purge(client, "m", 20s), 0u) << "nothing is left";
  EXPECT_TRUE(co_await purge(client, "mu", 20s));
  EXPECT_TRUE(co_await purge(client, "m.5", 20s));
  EXPECT_EQ(co_await keys_of(client, node), 0);
}

TEST(PurgeTest, AllKeysOfACrawlAreDeletedAndNoOthers) { redis::run_with_redis(delete_one); }

Task<void> keep_frozen(redis::Client& client, redis::Node node) {
  co_await make_crawl(client, "m");
  const std::int64_t keys = co_await keys_of(client, node);
  for (const std::string key : {"G{m}", "C{m.3}"}) {
    static_cast<void>(co_await ask(client, node, {"HSET", key, "f", "reshard"}));
    const auto refused = co_await purge(client, "m", 20s);
    EXPECT_TRUE(!refused && refused.error() == Errc::unavailable) << key;
    EXPECT_THAT(refused.error().to_string(), HasSubstr("run `gossamer cluster accept`"));
    EXPECT_EQ(co_await keys_of(client, node), keys);
    static_cast<void>(co_await ask(client, node, {"HDEL", key, "f"}));
  }
}

TEST(PurgeTest, APartThatIsFrozenIsNotDeleted) { redis::run_with_redis(keep_frozen); }

}  // namespace
}  // namespace gossamer::cluster
