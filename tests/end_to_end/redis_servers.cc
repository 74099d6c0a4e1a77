#include "tests/end_to_end/redis_servers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "async/sleep.h"
#include "redis/slot_map.h"
#include "tests/support/patience.h"

namespace gossamer::redis {

using async::Task;

RedisServer::RedisServer(std::vector<std::string> words, bool is_tls) {
  const std::string port = std::to_string(port_);
  words_ = {kRedisServer, "--bind", "127.0.0.1",  "--dir",   folder_.path().string(),
            "--save",     "",       "--loglevel", "warning", "--enable-debug-command",
            "yes"};
  if (is_tls) {
    words_.insert(words_.end(), {"--port", "0", "--tls-port", port});
  } else {
    words_.insert(words_.end(), {"--port", port});
  }
  words_.insert(words_.end(), words.begin(), words.end());
  for (std::string& word : words_) {
    if (word == "BUS_PORT") word = std::to_string(bus_port_);
  }
  start();
}

void RedisServer::start() {
  program_ = std::make_unique<support::Program>(words_, folder_.file("log"));
  program_->wait_until_listening(port_);
}

RedisCluster::RedisCluster(std::string node_timeout) : node_timeout_(std::move(node_timeout)) {
  for (std::size_t i = 0; i < 2 * kMasters; ++i) start_one();
}

void RedisCluster::start_one() {
  servers_.push_back(
      std::make_unique<RedisServer>(std::vector<std::string>{"--cluster-enabled",
                                                             "yes",
                                                             "--cluster-port",
                                                             "BUS_PORT",
                                                             "--cluster-node-timeout",
                                                             node_timeout_,
                                                             "--appendonly",
                                                             "yes",
                                                             "--cluster-require-full-coverage",
                                                             "no",
                                                             "--cluster-config-file",
                                                             "nodes.conf",
                                                             "--repl-diskless-sync-delay",
                                                             "0",
                                                             "--cluster-announce-ip",
                                                             "127.0.0.1",
                                                             "--protected-mode",
                                                             "no",
                                                             "--bind-source-addr",
                                                             source(servers_.size())}));
}

RedisServer& RedisCluster::add() {
  start_one();
  return *servers_.back();
}

std::vector<Node> RedisCluster::seeds() const {
  std::vector<Node> seeds;
  for (const auto& server : servers_) seeds.push_back(server->node());
  return seeds;
}

Task<Result<void>> RedisCluster::connect_all(Client& client) {
  const auto share = [](std::size_t index) { return std::to_string(index * kSlots / kMasters); };
  std::vector<std::vector<std::string>> commands(servers_.size());
  for (std::size_t i = 0; i < kMasters; ++i) {
    const std::size_t last = (i + 1) * kSlots / kMasters - 1;
    auto added = co_await ask(client, servers_[i]->node(),
                              {"CLUSTER", "ADDSLOTSRANGE", share(i), std::to_string(last)});
    if (!added) co_return fail(std::move(added).error());
    EXPECT_FALSE(added->is_error()) << added->text;
  }
  for (const auto& server : servers_) {
    auto met = co_await ask(client, servers_[0]->node(),
                            {"CLUSTER", "MEET", "127.0.0.1", std::to_string(server->port()),
                             std::to_string(server->bus_port())});
    if (!met) co_return fail(std::move(met).error());
    EXPECT_FALSE(met->is_error()) << met->text;
  }
  for (std::size_t i = kMasters; i < servers_.size(); ++i) {
    auto master = co_await ask(client, servers_[i - kMasters]->node(), {"CLUSTER", "MYID"});
    if (!master) co_return fail(std::move(master).error());
    // The replica must hear of its master first.
    for (;;) {
      auto done = co_await ask(client, servers_[i]->node(), {"CLUSTER", "REPLICATE", master->text});
      if (!done) co_return fail(std::move(done).error());
      if (!done->is_error()) break;
      if (auto slept = co_await async::sleep(20ms); !slept) co_return slept;
    }
  }
  co_return {};
}

namespace {

// BORROWS: the client.
Task<Result<SlotMap>> slots_of(Client& client, Node node) {
  auto slots = co_await ask(client, node, {"CLUSTER", "SLOTS"});
  if (!slots) co_return fail(std::move(slots).error());
  co_return SlotMap::parse(*slots, node);
}

}  // namespace

// True if every server knows all masters and their replicas, and the replicas are connected.
Task<Result<bool>> RedisCluster::is_whole(Client& client) {
  for (const auto& server : servers_) {
    const Node node = server->node();
    auto info = co_await ask(client, node, {"CLUSTER", "INFO"});
    if (!info) co_return fail(std::move(info).error());
    if (!info->text.contains("cluster_state:ok")) co_return false;
    const auto map = co_await slots_of(client, node);
    if (!map || map->masters().size() != kMasters || map->slots_covered() != kSlots) {
      co_return false;
    }
    for (const SlotMap::Master& master : map->masters()) {
      if (master.replicas.size() != 1) co_return false;
    }
    auto state = co_await ask(client, node, {"INFO", "replication"});
    if (!state) co_return fail(std::move(state).error());
    const bool is_master = state->text.contains("role:master");
    if (!state->text.contains(is_master ? "state=online" : "master_link_status:up")) {
      co_return false;
    }
  }
  co_return true;
}

void RedisCluster::form() {
  const auto connect = [](RedisCluster* self) -> Task<Result<void>> {
    TestClient client(self->seeds());
    auto connected = co_await self->connect_all(*client);
    co_await client.close();
    co_return connected;
  };
  async::Loop loop;
  const auto connected = loop.run(connect(this));
  ASSERT_TRUE(connected.has_value()) << connected.error().to_string();
  wait_until_whole();
}

void RedisCluster::wait_until_whole() {
  const auto look = [](RedisCluster* self) -> Task<Result<bool>> {
    TestClient client(self->seeds());
    auto whole = co_await self->is_whole(*client);
    co_await client.close();
    co_return whole;
  };
  support::wait_until([&] { return async::Loop().run(look(this)).value_or(false); });
}

void RedisCluster::wait_until_replaced(std::size_t master) {
  const auto look = [](Node killed, Node other) -> Task<bool> {
    TestClient client({other});
    const auto map = co_await slots_of(*client, other);
    co_await client.close();
    if (!map || map->slots_covered() != kSlots) co_return false;
    for (const SlotMap::Master& found : map->masters()) {
      if (found.node == killed) co_return false;
    }
    co_return true;
  };
  const Node other = server((master + 1) % size()).node();
  support::wait_until([&] { return async::Loop().run(look(server(master).node(), other)); });
}

std::size_t RedisCluster::index_of(const Node& node) const {
  const auto found =
      std::ranges::find(servers_, node.port, [](const auto& server) { return server->port(); });
  return static_cast<std::size_t>(found - servers_.begin());
}

std::vector<RedisCluster::Pair> RedisCluster::pairs() {
  const auto read = [](Node node) -> Task<Result<SlotMap>> {
    TestClient client({node});
    auto map = co_await slots_of(*client, node);
    co_await client.close();
    co_return map;
  };
  const auto map = async::Loop().run(read(server(0).node()));
  std::vector<Pair> pairs;
  EXPECT_TRUE(map.has_value()) << map.error().to_string();
  for (const SlotMap::Master& master : map ? map->masters() : std::vector<SlotMap::Master>()) {
    pairs.push_back({index_of(master.node), index_of(master.replicas.at(0))});
  }
  return pairs;
}

TestClient::TestClient(std::vector<Node> seeds, Credentials credentials,
                       std::shared_ptr<net::TlsContext> tls) {
  client_.emplace(
      Access{
          .connector = &connector_, .tls = std::move(tls), .credentials = std::move(credentials)},
      ClientOptions{.seeds = std::move(seeds), .connection = {}}, scope_);
}

Task<void> TestClient::close() {
  client_->close();
  static_cast<void>(co_await scope_.join());
}

Task<Result<net::Addresses>> TestClient::NoNames::look_up(std::string host) {
  if (auto literal = net::literal_address(host)) co_return net::addresses_of_literal(*literal);
  co_return fail(Errc::dns_failed, host);
}

}  // namespace gossamer::redis
