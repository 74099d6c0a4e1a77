// Moves slots of a Redis Cluster while crawls run.
//
// Functions use keys that they do not declare, so a slot that moves under them loses URLs. Here the
// partitions of a slot are frozen first: functions refuse them before they write, and nodes repeat
// their calls. A slot takes these steps:
//
//   1. freeze       HSET f in every partition and crawl of the slot, on its owner
//   2. announce     CLUSTER SETSLOT IMPORTING at the target, without old copies
//   3. copy         MIGRATE COPY, some keys at a time
//   4. secure       WAIT at the target, until a replica of it has the keys; and at the owner, which
//                   shows that it was not replaced
//   5. hand over    CLUSTER SETSLOT NODE at the target
//   6. settle       wait until all servers know the owner, and remove copies elsewhere
//   7. thaw         HSET n, HDEL f, on the owner
//
// Until step 5 the old owner has everything, and after step 4 a replica of the target has it too.
// So a master that fails loses nothing, and a move can be given up before step 5.
//
// Of two servers that claim a slot, the one with the higher epoch owns it, and messages in which
// the old owner claims it may arrive late. So the target takes the slot only when it knows the
// epoch of the old owner: it then gives itself a higher one. Otherwise a late message would return
// the slot to a server that does not claim it any more, and nobody would own it.
//
// A move that was interrupted leaves frozen partitions, whose field f names the target. Every step
// can be repeated, so the next reshard() finishes it before it begins other moves. If the target is
// gone, the owner keeps the slot: it gets an epoch above any that the target can have, and steps 6
// and 7 follow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/reshard_plan.h"
#include "redis/client.h"
#include "redis/cluster_nodes.h"

namespace gossamer::cluster {

struct ReshardOptions {
  Duration step_patience = 20s;  // for one step of one slot
  std::size_t keys_in_step = 100;
};

struct ReshardResult {
  std::size_t slots = 0;
  std::size_t finished = 0;   // of them: interrupted moves
  std::size_t abandoned = 0;  // interrupted moves whose slot stays with its owner
  std::uint64_t keys = 0;
  // Keys that the target had before the slot was frozen for the first time. After a move without
  // freezing they can contain URLs that are now lost.
  std::uint64_t replaced = 0;
};

class Reshard {
 public:
  // BORROWS: the client.
  Reshard(redis::Client& client, ReshardOptions options);

  // Reads the servers and all crawls in them. Call it first. Fails with Errc::unsupported if it is
  // not a cluster, and with Errc::unavailable if a master that has slots has failed. BORROWS: this.
  async::Task<Result<void>> open();
  // Finishes moves that were interrupted. If the target of one is not a master any more, the slot
  // stays with its owner. BORROWS: this.
  async::Task<Result<void>> finish_interrupted();
  // BORROWS: this.
  async::Task<Result<void>> move(std::vector<SlotMove> moves);
  // Gives up interrupted moves whose target does not own the slot yet. BORROWS: this.
  async::Task<Result<void>> abandon();

  // The slots that partitions of crawls use, with their owners.
  std::vector<OwnedSlot> used_slots() const;
  // The ids of the masters that work.
  std::vector<std::string> masters() const;
  // Returns the id of a master, given as its id or HOST:PORT. Fails with Errc::invalid_argument.
  Result<std::string> find_master(std::string_view text) const;
  const ReshardResult& result() const noexcept { return result_; }

 private:
  // Between two looks at servers.
  static constexpr Duration kAgainPause = 50ms;

  async::Task<Result<void>> read_servers();
  async::Task<Result<void>> read_crawls();
  async::Task<Result<void>> read_crawl(std::string name);
  async::Task<Result<void>> move_slot(SlotMove move);
  async::Task<Result<void>> freeze(SlotMove move);
  async::Task<Result<void>> announce(SlotMove move);
  async::Task<Result<void>> copy_keys(SlotMove move);
  async::Task<Result<void>> copy(SlotMove move, std::vector<std::string> keys);
  // Waits until a replica of that master, if it needs one, has what the master has.
  async::Task<Result<void>> secure(SlotMove move, std::string id);
  // Waits until a master knows the epoch of another one.
  async::Task<Result<void>> learn_epoch(std::string of, std::string at);
  // The highest epoch that a master knows.
  async::Task<Result<std::uint64_t>> highest_epoch();
  // Gives the owner an epoch above any that the target can have. Without a third master, only above
  // those that are known. BORROWS: this.
  async::Task<Result<void>> raise_epoch(SlotMove move);
  // Fails with Errc::exists if keys of the slot leave its owner, so another server can have the
  // only ones.
  async::Task<Result<void>> check_only_here(std::uint16_t slot, std::string owner);
  // Ends a move: a slot is used again only when all servers know its owner. BORROWS: this.
  async::Task<Result<void>> settle(std::uint16_t slot, std::string owner);
  async::Task<Result<void>> give_up(SlotMove move);
  // Returns whether all servers that answer know the owner. BORROWS: this.
  async::Task<Result<bool>> is_known(std::uint16_t slot, std::string owner);
  async::Task<Result<std::vector<std::string>>> keys_in(std::uint16_t slot, std::string id);
  // Removes the keys of a slot from a master that does not own it. Returns their number.
  async::Task<Result<std::size_t>> remove_copies(std::uint16_t slot, std::string id,
                                                 std::string owner);
  // The servers as one of them sees them.
  async::Task<Result<std::vector<redis::ClusterNode>>> servers_of(redis::Node node);
  async::Task<Result<void>> thaw(std::uint16_t slot, std::string owner);
  // The interrupted moves: what frozen keys say.
  async::Task<Result<std::vector<SlotMove>>> interrupted();
  // Runs one command on the server of that id. Errors of the server are failures.
  async::Task<Result<redis::Reply>> ask(std::string id, std::vector<std::string> words);
  // Returns whether a move must wait for a replica of that master: it has one, even if that has
  // failed, or a crawl in the slot waits for replicas.
  bool needs_replica(std::uint16_t slot, const std::string& id) const;
  const redis::Node* node_of(const std::string& id) const;
  std::string owner_of(std::uint16_t slot) const;
  Instant deadline() const;

  redis::Client& client_;
  const ReshardOptions options_;
  std::vector<redis::ClusterNode> servers_;
  // By slot: the keys that freeze what is in it, C and G.
  std::map<std::uint16_t, std::vector<std::string>> keys_;
  std::set<std::uint16_t> replicated_;  // slots of crawls that wait for replicas
  std::set<std::string> raised_;        // owners whose epoch is high enough
  bool is_first_try_ = true;            // the slot that is moved was not frozen before
  ReshardResult result_;
};

}  // namespace gossamer::cluster
