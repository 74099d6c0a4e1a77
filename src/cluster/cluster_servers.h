// The servers of a Redis Cluster, as a command that moves slots sees and orders them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"
#include "redis/cluster_nodes.h"

namespace gossamer::cluster {

// Of two servers that claim a slot, the one with the higher epoch owns it. Messages in which the
// old owner claims it may arrive late.
class ClusterServers {
 public:
  // Between two looks at servers.
  static constexpr Duration kAgainPause = 50ms;

  // `patience` is for one step. BORROWS: the client.
  ClusterServers(redis::Client& client, Duration patience) : client_(client), patience_(patience) {}

  // Reads the servers. Fails with Errc::unavailable if a master that has slots has failed.
  // BORROWS: this, also the functions below that wait.
  async::Task<Result<void>> read();

  // As read() has found them.
  const std::vector<redis::ClusterNode>& all() const noexcept { return servers_; }
  // The ids of the masters that work.
  std::vector<std::string> masters() const;
  // Returns the id of a master, given as its id or HOST:PORT. Fails with Errc::invalid_argument.
  Result<std::string> find_master(std::string_view text) const;
  // Returns nullptr if it is not a master that works.
  const redis::Node* node_of(const std::string& id) const;
  // One that has failed counts.
  bool has_replica(const std::string& id) const;
  // The id of the owner, as the client knows it; empty: none.
  std::string owner_of(std::uint16_t slot) const;
  Instant deadline() const;

  // Runs one command on a master. Errors of the server are failures.
  async::Task<Result<redis::Reply>> ask(std::string id, std::vector<std::string> words);
  // The servers as a master sees them.
  async::Task<Result<std::vector<redis::ClusterNode>>> seen_by(std::string id);
  // Returns whether all servers that answer know the owner.
  async::Task<Result<bool>> agree_on(std::uint16_t slot, std::string owner);
  // Fails with Errc::unavailable if that master does not claim the slot.
  async::Task<Result<void>> check_claim(std::uint16_t slot, std::string id);
  // Waits until a master knows the epoch of another one.
  async::Task<Result<void>> learn_epoch(std::string of, std::string at);
  // Gives a master an epoch above any that a target can have which took a slot of it and failed
  // before others heard of it. Without a third master, only above those that are known.
  async::Task<Result<void>> raise_epoch(std::string owner, std::string target);

 private:
  async::Task<Result<redis::Reply>> ask_node(redis::Node node, std::vector<std::string> words);
  // Returns the id of the owner as a server knows it; empty: none.
  async::Task<Result<std::string>> owner_at(redis::Node node, std::uint16_t slot);
  // The highest epoch that a master knows.
  async::Task<Result<std::uint64_t>> highest_epoch();

  redis::Client& client_;
  const Duration patience_;
  std::vector<redis::ClusterNode> servers_;
  std::set<std::string> raised_;  // masters whose epoch is high enough
};

}  // namespace gossamer::cluster
