// Tests the client of Redis with real servers: one server, one with a password, one with TLS, and a
// cluster whose slots move and whose masters die.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "redis/client.h"
#include "redis/slot.h"
#include "tests/end_to_end/redis_servers.h"
#include "tests/support/tls_test_certificates.h"

namespace gossamer::redis {
namespace {

using async::Task;
using testing::HasSubstr;
using testing::Not;

// Sets and gets a value. Returns it, or the error.
Task<std::string> use(std::vector<Node> seeds, Credentials credentials = {},
                      std::shared_ptr<net::TlsContext> tls = nullptr) {
  TestClient client(std::move(seeds), std::move(credentials), std::move(tls));
  const Instant deadline = in_time();
  std::string said;
  auto opened = co_await client->open(deadline);
  if (!opened) {
    said = opened.error().to_string();
  } else {
    const std::string key = "a\r\nb";
    for (const auto& words : std::vector<std::vector<std::string>>{
             {"SET", key, std::string("\r\n\0$1", 5)}, {"GET", key}}) {
      auto reply =
          co_await client->run({.slot = slot_of(key), .words = words}, {.deadline = deadline});
      said += reply ? reply->text : reply.error().to_string();
    }
  }
  co_await client.close();
  co_return said;
}

const std::string kUsed = std::string("OK\r\n\0$1", 7);

class RedisServerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!support::is_installed(kRedisServer)) GTEST_SKIP() << "redis-server is not installed";
  }
  std::string run(Task<std::string> task) {
    async::Loop loop;
    return loop.run(std::move(task));
  }
};

TEST_F(RedisServerTest, OneServerIsEnough) {
  const RedisServer server;
  EXPECT_EQ(run(use({server.node()})), kUsed);
}

TEST_F(RedisServerTest, UsersHavePasswords) {
  const RedisServer server(
      {"--requirepass", "hidden", "--user", "worker", "on", ">token", "~*", "&*", "+@all"});
  EXPECT_EQ(run(use({server.node()}, {.password = "hidden"})), kUsed);
  EXPECT_EQ(run(use({server.node()}, {.user = "worker", .password = "token"})), kUsed);
  const std::string denied = run(use({server.node()}, {.user = "worker", .password = "hidden"}));
  EXPECT_THAT(denied, HasSubstr("denied"));
  EXPECT_THAT(denied, Not(HasSubstr("hidden")));
  EXPECT_THAT(run(use({server.node()})), HasSubstr("denied"));
}

TEST_F(RedisServerTest, TlsIsVerified) {
  const net::TestIdentity authority = net::make_authority();
  const net::TestIdentity identity =
      net::make_identity({.alternative_names = "IP:127.0.0.1"}, &authority);
  const net::TestIdentity other =
      net::make_identity({.alternative_names = "DNS:other.example"}, &authority);
  const net::TestFile ca(authority.certificate_pem());
  for (const net::TestIdentity* each : {&identity, &other}) {
    const net::TestFile certificate(each->certificate_pem());
    const net::TestFile key(each->key_pem());
    const RedisServer server({"--tls-cert-file", certificate.path(), "--tls-key-file", key.path(),
                              "--tls-ca-cert-file", ca.path(), "--tls-auth-clients", "no"},
                             true);
    auto trusting = net::TlsContext::make({.trust_system = false, .ca_file = ca.path()});
    auto distrusting = net::TlsContext::make({.trust_system = true});
    ASSERT_TRUE(trusting && distrusting);
    if (each == &identity) {
      EXPECT_EQ(run(use({server.node()}, {}, *trusting)), kUsed);
      EXPECT_THAT(run(use({server.node()}, {}, *distrusting)), HasSubstr("tls_failed"));
    } else {
      EXPECT_THAT(run(use({server.node()}, {}, *trusting)), HasSubstr("tls_failed"));
    }
  }
}

std::vector<Command> counting(int keys) {
  std::vector<Command> commands;
  for (int i = 0; i < keys; ++i) {
    const std::string key = "key" + std::to_string(i);
    commands.push_back({.slot = slot_of(key), .words = {"INCR", key}});
  }
  return commands;
}

// BORROWS: the client.
Task<std::string> count(Client& client, std::uint32_t replicas) {
  auto results = co_await client.run(counting(300), {.deadline = in_time(), .replicas = replicas});
  for (auto& result : results) {
    if (!result) co_return result.error().to_string();
  }
  co_return "counted";
}

// Moves a slot between masters, as operators do. BORROWS: the client and the cluster.
Task<void> move_slot(Client& client, RedisCluster& cluster, std::uint16_t slot) {
  const Node from = *client.slots().owner(slot);
  std::size_t to = 0;
  while (cluster.server(to).node() == from) ++to;
  const Node target = cluster.server(to).node();
  const std::string number = std::to_string(slot);
  const auto source_id = co_await ask(client, from, {"CLUSTER", "MYID"});
  const auto target_id = co_await ask(client, target, {"CLUSTER", "MYID"});
  static_cast<void>(
      co_await ask(client, target, {"CLUSTER", "SETSLOT", number, "IMPORTING", source_id->text}));
  static_cast<void>(
      co_await ask(client, from, {"CLUSTER", "SETSLOT", number, "MIGRATING", target_id->text}));
  EXPECT_EQ(co_await count(client, 0), "counted")
      << "keys that have not moved; new ones are redirected with ASK";
  const auto keys = co_await ask(client, from, {"CLUSTER", "GETKEYSINSLOT", number, "1000"});
  for (const Reply& key : keys->items) {
    const auto moved = co_await ask(
        client, from,
        {"MIGRATE", "127.0.0.1", std::to_string(target.port), key.text, "0", "5000", "REPLACE"});
    EXPECT_FALSE(moved->is_error()) << moved->text;
  }
  EXPECT_EQ(co_await count(client, 0), "counted") << "ASK";
  for (const Node& node : {target, from}) {
    static_cast<void>(
        co_await ask(client, node, {"CLUSTER", "SETSLOT", number, "NODE", target_id->text}));
  }
  EXPECT_EQ(co_await count(client, 0), "counted") << "MOVED";
}

// Replaces the first server as soon as the client misses it. BORROWS: the client and the cluster.
Task<Result<void>> promote_replica(Client& client, RedisCluster& cluster) {
  const std::uint64_t before = client.counts().repeats;
  while (client.counts().repeats == before) {
    if (auto slept = co_await async::sleep(1ms); !slept) co_return slept;
  }
  const auto done = co_await ask(client, cluster.server(RedisCluster::kMasters).node(),
                                 {"CLUSTER", "FAILOVER", "TAKEOVER"});
  EXPECT_EQ(done->text, "OK");
  co_return {};
}

// BORROWS: the cluster.
Task<std::string> use_cluster(RedisCluster& cluster) {
  TestClient client({cluster.server(4).node()});
  const auto opened = co_await client->open(in_time());
  EXPECT_TRUE(opened.has_value());
  EXPECT_EQ(client->slots().masters().size(), 3u);
  EXPECT_EQ(co_await count(*client, 1), "counted");
  EXPECT_EQ(client->counts().redirections, 0u);

  co_await move_slot(*client, cluster, slot_of("key7"));
  EXPECT_GT(client->counts().redirections, 0u);
  const auto value = co_await client->run({.slot = slot_of("key7"), .words = {"GET", "key7"}},
                                          {.deadline = in_time()});
  EXPECT_EQ(value->text, "4");

  cluster.server(0).kill();
  async::Scope scope(async::OnFailure::keep_going);
  auto promoting = scope.spawn(promote_replica(*client, cluster));
  EXPECT_EQ(co_await count(*client, 0), "counted") << "the replica is promoted";
  EXPECT_TRUE(co_await promoting);
  cluster.server(0).start();
  EXPECT_EQ(co_await count(*client, 0), "counted");
  co_await client.close();
  co_return "";
}

TEST_F(RedisServerTest, AClusterMovesSlotsAndReplacesMasters) {
  RedisCluster cluster(RedisCluster::kSteady);
  ASSERT_NO_FATAL_FAILURE(cluster.form());
  run(use_cluster(cluster));
}

}  // namespace
}  // namespace gossamer::redis
