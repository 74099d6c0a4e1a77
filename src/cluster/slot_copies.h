#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "cluster/cluster_servers.h"
#include "redis/client.h"
#include "redis/server_url.h"

namespace gossamer::cluster {

// Keys of a slot in a master that does not own it.
struct SlotCopy {
  std::uint16_t slot = 0;
  std::string holder;  // the ids of both
  std::string owner;
  // Keys that it had before: its replicas and its file may still have them.
  std::vector<std::string> lost;
  // Keys that are removed after all others. They show whose copy it is.
  std::vector<std::string> last;
};

// Finds and removes keys of slots in servers that do not own them.
class SlotCopies {
 public:
  // Works on so many keys at a time. BORROWS: both.
  SlotCopies(redis::Client& client, ClusterServers& servers, std::size_t keys_in_step)
      : client_(client), servers_(servers), keys_in_step_(keys_in_step) {}

  // The keys of a slot in a master, or in any server. Fails with Errc::over_limit if there are more
  // than one reply can name. BORROWS: this, also the functions below.
  async::Task<Result<std::vector<std::string>>> keys_in(std::uint16_t slot, std::string id);
  async::Task<Result<std::vector<std::string>>> keys_on(std::uint16_t slot, redis::Node node);
  // Returns those of the slots of which a server has keys.
  async::Task<Result<std::vector<std::uint16_t>>> slots_on(redis::Node node,
                                                           std::vector<std::uint16_t> slots);
  // Removes the keys from the master, from its replicas, and from its file. Returns the number of
  // keys that it had. If it fails, some may be left, and the master may import the slot.
  async::Task<Result<std::size_t>> remove(SlotCopy copy);
  // The same, twice if necessary. If it fails, the master does not import the slot, unless it does
  // not answer.
  async::Task<Result<std::size_t>> remove_with_patience(SlotCopy copy);

 private:
  // Removes keys from a server that imports their slot. Those that it does not have, it gets first.
  async::Task<Result<void>> remove_keys(redis::Node node, std::vector<std::string> keys,
                                        bool is_there);

  redis::Client& client_;
  ClusterServers& servers_;
  const std::size_t keys_in_step_;
};

// CLUSTER SETSLOT, with the id of a server if the state needs one.
std::vector<std::string> set_slot(std::uint16_t slot, std::string state, std::string id = {});

}  // namespace gossamer::cluster
