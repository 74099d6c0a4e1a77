#include <gtest/gtest.h>

#include <utility>

#include "async/loop.h"
#include "async/task.h"
#include "cluster/shared_crawl.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/redis_play.h"

namespace gossamer::redis {
namespace {

async::Task<void> play_on(Node node, RedisPlay play) {
  TestClient client({node});
  auto opened = co_await client->open(in_time());
  if (opened) opened = co_await cluster::install_functions(*client, in_time());
  EXPECT_TRUE(opened.has_value()) << opened.error().to_string();
  if (opened) co_await play(*client, node);
  co_await client.close();
}

}  // namespace

void run_with_redis(RedisPlay play) {
  if (!support::is_installed(kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  const RedisServer server;
  async::Loop loop;
  loop.run(play_on(server.node(), play));
}

}  // namespace gossamer::redis
