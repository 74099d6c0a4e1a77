// Moves slots of a Redis Cluster while crawls run.
//
// Functions use keys that they do not declare, so a slot that moves under them loses URLs. Here the
// partitions of a slot are frozen first: functions refuse them before they write, and nodes repeat
// their calls. A slot takes these steps:
//
//   0. prepare      load the functions at the target; no other program may be moving the slot
//   1. freeze       HSETNX f in every partition and crawl of the slot, on its owner; WAIT until a
//                   replica of it has that
//   2. announce     remove old copies at the target; CLUSTER SETSLOT IMPORTING there
//   3. copy         MIGRATE COPY, some keys at a time
//   4. secure       WAIT at the target, until a replica of it has the keys; and at the owner, which
//                   shows that it was not replaced
//   5. hand over    wait until the target knows the epoch of the owner; CLUSTER SETSLOT NODE there
//   6. settle       CLUSTER SETSLOT STABLE and NODE at the others, wait until all servers know the
//                   owner, and remove copies elsewhere
//   7. thaw         HSET n, HDEL f, on the owner; WAIT until a replica of it knows that
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
//
// When Redis 7.0 hears that another server owns a slot, it deletes its keys, but neither those of
// its replicas nor those of its append-only file. After a restart, it takes the slot for one that
// is being moved, and ignores a server that replaces the owner. So step 6 sets each key of the slot
// at a former owner and deletes it again, which reaches both. If a server refuses that, or does not
// answer, it keeps copies while the slot is used. The next reshard() removes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "cluster/cluster_servers.h"
#include "cluster/reshard_plan.h"
#include "cluster/slot_copies.h"
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
  // Slots that an earlier reshard() had left in servers that do not own them. They are removed.
  std::size_t swept = 0;
  // HOST:PORT of masters that may still have copies, or whose replicas may. Repeat it.
  std::set<std::string> unclean;
};

class Reshard {
 public:
  // BORROWS: the client.
  Reshard(redis::Client& client, ReshardOptions options);

  // Reads the servers and all crawls in them. Call it first. Fails with Errc::unsupported if it is
  // not a cluster, and with Errc::unavailable if a master that has slots has failed. BORROWS: this.
  async::Task<Result<void>> open();
  // Finishes moves that were interrupted. If the target of one is not a master any more, the slot
  // stays with its owner. Then removes copies that earlier moves have left. BORROWS: this.
  async::Task<Result<void>> finish_interrupted();
  // BORROWS: this.
  async::Task<Result<void>> move(std::vector<SlotMove> moves);
  // Gives up interrupted moves whose target does not own the slot yet. BORROWS: this.
  async::Task<Result<void>> abandon();

  // The slots that partitions of crawls use, with their owners.
  std::vector<OwnedSlot> used_slots() const;
  // As open() has read them.
  const ClusterServers& servers() const noexcept { return servers_; }
  const ReshardResult& result() const noexcept { return result_; }

 private:
  async::Task<Result<void>> read_crawls();
  async::Task<Result<void>> read_crawl(std::string name);
  async::Task<Result<void>> move_slot(SlotMove move);
  // Returns whether it was frozen before, so the move was interrupted.
  async::Task<Result<bool>> freeze(SlotMove move);
  // Returns the number of keys that the target had.
  async::Task<Result<std::size_t>> announce(SlotMove move);
  // Returns their number.
  async::Task<Result<std::size_t>> copy_keys(SlotMove move);
  async::Task<Result<void>> copy(SlotMove move, std::vector<std::string> keys);
  // Waits until a replica of that master, if it needs one, has what the master has.
  async::Task<Result<void>> secure(SlotMove move, std::string id);
  // Fails with Errc::exists if keys of the slot leave its owner, so another server can have the
  // only ones.
  async::Task<Result<void>> check_only_here(std::uint16_t slot, std::string owner);
  // Ends a move: a slot is used again only when all servers know its owner. `formers` may have
  // owned it before. BORROWS: this.
  async::Task<Result<void>> settle(std::uint16_t slot, std::string owner,
                                   std::vector<std::string> formers);
  async::Task<Result<void>> give_up(SlotMove move);
  // Removes copies. `lost` are keys that the master had before. A failure is noted in the result.
  async::Task<void> clean(std::uint16_t slot, std::string id, std::string owner,
                          std::vector<std::string> lost);
  // Removes copies that earlier moves have left.
  async::Task<Result<void>> sweep();
  async::Task<void> sweep_slot(redis::ClusterNode server, std::uint16_t slot);
  // Returns whether a master has copies that a move has made: they are frozen.
  async::Task<Result<bool>> has_frozen_copies(std::uint16_t slot, std::string id,
                                              std::string owner);
  // If it fails after the slot is in use again, the error says so.
  async::Task<Result<void>> thaw(std::uint16_t slot, std::string owner);
  // Returns whether functions refuse a part of the slot, at its owner.
  async::Task<Result<bool>> has_frozen_keys(std::uint16_t slot);
  // The interrupted moves: what frozen keys say.
  async::Task<Result<std::vector<SlotMove>>> interrupted();
  // Returns whether a move must wait for a replica of that master: it has one, even if that has
  // failed, or a crawl in the slot waits for replicas.
  bool needs_replica(std::uint16_t slot, const std::string& id) const;

  redis::Client& client_;
  const ReshardOptions options_;
  ClusterServers servers_;
  SlotCopies copies_;
  // By slot: the keys that freeze what is in it, C and G.
  std::map<std::uint16_t, std::vector<std::string>> keys_;
  std::set<std::uint16_t> replicated_;  // slots of crawls that wait for replicas
  ReshardResult result_;
};

}  // namespace gossamer::cluster
