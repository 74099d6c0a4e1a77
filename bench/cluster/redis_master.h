#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/scope.h"
#include "async/task.h"
#include "bench/http/no_names.h"
#include "bench/support/child_process.h"
#include "bench/support/temporary_folder.h"
#include "net/connector.h"
#include "redis/client.h"

namespace gossamer::bench {

// Returns the path of redis-server; empty if it is not installed.
std::string redis_program();

// A master with appendonly and, if wanted, a replica, on loopback. They end with this object.
class RedisMaster {
 public:
  explicit RedisMaster(bool has_replica);

  redis::Node node() const { return {.host = "127.0.0.1", .port = kPort}; }

 private:
  static constexpr std::uint16_t kPort = 17'811;

  TemporaryFolder folder_;
  TemporaryFolder replica_folder_;
  std::vector<ChildProcess> servers_;
};

// A client of it, on the current loop.
class BenchClient {
 public:
  explicit BenchClient(redis::Node node);
  redis::Client& operator*() { return client_; }
  redis::Client* operator->() { return &client_; }

  // Waits until the server answers and has this many replicas; loads the functions. BORROWS: this.
  async::Task<void> open(int replicas);
  // BORROWS: this.
  async::Task<void> close();
  // Runs a command and returns its reply. Ends the program if it fails. BORROWS: this.
  async::Task<redis::Reply> ask(std::vector<std::string> words);
  // A number of INFO. BORROWS: this.
  async::Task<double> info(std::string section, std::string name);

 private:
  NoNames names_;
  net::Connector connector_{names_};
  async::Scope scope_{async::OnFailure::keep_going};
  const redis::Node node_;
  redis::Client client_;
};

}  // namespace gossamer::bench
