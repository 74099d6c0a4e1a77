#include <gtest/gtest.h>

#include <utility>

#include "async/scope.h"
#include "async/task.h"
#include "base/random.h"
#include "cluster/shared_crawl.h"
#include "net/connector.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"
#include "tests/support/redis_play.h"

namespace gossamer::redis {
namespace {

async::Task<void> play_on_model(RedisPlay play) {
  redis_model::Cluster server({.masters = 0, .replicas = 0}, base::Random(1));
  server.start();
  sim::NamedHosts names(1);
  net::Connector connector(names);
  async::Scope connections(async::OnFailure::keep_going);
  const Node node = server.seeds(0).front();
  {
    Client client({.connector = &connector}, {.seeds = {node}}, connections);
    auto opened = co_await client.open(in_time());
    if (opened) opened = co_await cluster::install_functions(client, in_time());
    EXPECT_TRUE(opened.has_value()) << opened.error().to_string();
    if (opened) co_await play(client, node);
  }
  static_cast<void>(co_await connections.join());
  co_await server.stop();
}

}  // namespace

void run_with_redis(RedisPlay play) {
  sim::World world = sim::World::calm();
  world.run(play_on_model(play));
  EXPECT_EQ(world.loop().live_tasks(), 0u);
}

}  // namespace gossamer::redis
