// Redis on free ports of 127.0.0.1, for end-to-end tests. Every server writes to its own
// temporary folder.
#pragma once

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "redis/client.h"
#include "redis/server_url.h"
#include "tests/support/patience.h"
#include "tests/support/redis_play.h"
#include "tests/support/server_program.h"

namespace gossamer::redis {

inline constexpr const char* kRedisServer = "/usr/bin/redis-server";

// One server.
class RedisServer {
 public:
  // `words` are further arguments: "--requirepass", "x". REQUIRES: kRedisServer is installed.
  explicit RedisServer(std::vector<std::string> words = {}, bool is_tls = false);

  std::uint16_t port() const { return port_; }
  std::uint16_t bus_port() const { return bus_port_; }
  Node node() const { return {.host = "127.0.0.1", .port = port_}; }
  // Ends it with SIGKILL.
  void kill() { program_.reset(); }
  // Starts it again, with its data.
  void start();
  // It does nothing until resume(). REQUIRES: it runs.
  void pause() { program_->send_signal(SIGSTOP); }
  void resume() { program_->send_signal(SIGCONT); }
  const support::TestFolder& folder() const { return folder_; }

 private:
  support::TestFolder folder_;
  const std::uint16_t port_ = support::free_port();
  const std::uint16_t bus_port_ = support::free_port();
  std::vector<std::string> words_;
  std::unique_ptr<support::Program> program_;
};

// A Redis Cluster: three masters, each with a replica.
class RedisCluster {
 public:
  static constexpr std::size_t kMasters = 3;

  // No server is replaced because the machine is busy.
  static constexpr const char* kSteady = "600000";
  // A server that does not answer for this many milliseconds is replaced.
  explicit RedisCluster(std::string node_timeout = "2000");
  // Connects them. Fails the test if that takes too long.
  void form();

  // Starts another server, which must still meet the others.
  RedisServer& add();

  RedisServer& server(std::size_t index) { return *servers_[index]; }
  std::size_t size() const { return servers_.size(); }
  std::vector<Node> seeds() const;
  // The address from which a server connects to the others.
  static std::string source(std::size_t index) { return "127.0.1." + std::to_string(index + 1); }

  struct Pair {
    std::size_t master;
    std::size_t replica;
  };
  // Who is whose replica. REQUIRES: it is whole.
  std::vector<Pair> pairs();
  // Waits until every master has a replica again, and all servers know it. Fails the test if that
  // takes too long.
  void wait_until_whole();
  // The same until a replica has replaced this server, which was killed.
  void wait_until_replaced(std::size_t master);

 private:
  void start_one();
  std::size_t index_of(const Node& node) const;
  async::Task<Result<void>> connect_all(Client& client);
  async::Task<Result<bool>> is_whole(Client& client);

  const std::string node_timeout_;
  std::vector<std::unique_ptr<RedisServer>> servers_;
};

// A client for one test, with a resolver that knows only addresses. It must be made and used on a
// loop.
class TestClient {
 public:
  explicit TestClient(std::vector<Node> seeds, Credentials credentials = {},
                      std::shared_ptr<net::TlsContext> tls = nullptr);

  Client& operator*() { return *client_; }
  Client* operator->() { return &*client_; }
  // Call it at the end. BORROWS: the client.
  async::Task<void> close();

 private:
  class NoNames final : public net::Resolver {
   public:
    async::Task<Result<net::Addresses>> look_up(std::string host) override;
  };

  NoNames names_;
  net::Connector connector_{names_};
  async::Scope scope_{async::OnFailure::keep_going};
  std::optional<Client> client_;
};

}  // namespace gossamer::redis
