#include "cluster/reshard.h"

#include <algorithm>
#include <set>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "cluster/function_call.h"
#include "cluster/key_scan.h"
#include "cluster/layout.h"
#include "cluster/shared_crawl.h"
#include "redis/server_error.h"
#include "redis/slot.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Reply;

// The value of f: who froze it, and the target.
constexpr std::string_view kFrozenBy = "reshard ";
// How long MIGRATE may take, less than a reply may.
constexpr std::string_view kMigrateTimeout = "4000";
// How long a replica of the target may take to get the keys of a slot.
constexpr std::string_view kReplicaTimeout = "4000";
// Before the owner of a slot is read again.
constexpr Duration kAgainPause = 50ms;

std::string frozen_for(const std::string& target) { return std::string(kFrozenBy) + target; }

Error no_replica(const redis::Node& node) {
  return Error(Errc::unavailable, "no replica of " + node.to_string() +
                                      " answers in time; run the command again later");
}

// Returns whether a server is not ready yet: one that has just joined, for example.
bool is_not_ready(const Error& error) {
  const std::string_view text = error.detail();
  return text.contains("CLUSTERDOWN") || text.contains("LOADING") || text.contains("TRYAGAIN");
}

std::uint64_t epoch_of(const std::vector<redis::ClusterNode>& servers, const std::string& id) {
  const auto found = std::ranges::find(servers, id, &redis::ClusterNode::id);
  return found == servers.end() ? 0 : found->epoch;
}

}  // namespace

Reshard::Reshard(redis::Client& client, ReshardOptions options)
    : client_(client), options_(std::move(options)) {}

Instant Reshard::deadline() const {
  return base::add_saturating(async::Loop::current().now(), options_.step_patience);
}

const redis::Node* Reshard::node_of(const std::string& id) const {
  const auto found = std::ranges::find(servers_, id, &redis::ClusterNode::id);
  return found == servers_.end() || found->is_failed || !found->is_master ? nullptr : &found->node;
}

std::string Reshard::owner_of(std::uint16_t slot) const {
  const redis::SlotMap::Master* const owner = client_.slots().master_of(slot);
  return owner == nullptr ? "" : owner->id;
}

std::vector<std::string> Reshard::masters() const {
  std::vector<std::string> ids;
  for (const redis::ClusterNode& server : servers_) {
    if (server.is_master && !server.is_failed) ids.push_back(server.id);
  }
  return ids;
}

Result<std::string> Reshard::find_master(std::string_view text) const {
  for (const redis::ClusterNode& server : servers_) {
    const bool is_this = server.id == text || server.node.to_string() == text;
    if (is_this && server.is_master && !server.is_failed) return server.id;
  }
  return fail(Errc::invalid_argument, std::string(text) + " is not a master of this cluster");
}

std::vector<OwnedSlot> Reshard::used_slots() const {
  std::vector<OwnedSlot> slots;
  for (const auto& [slot, keys] : keys_) slots.push_back({.slot = slot, .owner = owner_of(slot)});
  return slots;
}

Task<Result<Reply>> Reshard::ask(std::string id, std::vector<std::string> words) {
  const redis::Node* const known = node_of(id);
  if (known == nullptr) co_return fail(Errc::unavailable, "master " + id + " is gone");
  const redis::Node node = *known;
  auto replies =
      co_await client_.run_on(node, redis::Commands().add(words), redis::Lane::quick, deadline());
  if (!replies) co_return fail(std::move(replies).error());
  if (replies->front().is_error()) co_return fail(redis::error_of(replies->front().text, node));
  co_return std::move(replies->front());
}

Task<Result<void>> Reshard::open() {
  if (!client_.is_cluster()) {
    co_return fail(Errc::unsupported, "this is one server, not a cluster");
  }
  if (auto read = co_await read_servers(); !read) co_return read;
  co_return co_await read_crawls();
}

Task<Result<std::vector<redis::ClusterNode>>> Reshard::servers_of(redis::Node node) {
  auto replies = co_await client_.run_on(node, redis::Commands().add({"CLUSTER", "NODES"}),
                                         redis::Lane::quick, deadline());
  if (!replies) co_return fail(std::move(replies).error());
  if (replies->front().is_error()) co_return fail(redis::error_of(replies->front().text, node));
  co_return redis::parse_cluster_nodes(replies->front().text, node);
}

Task<Result<void>> Reshard::read_servers() {
  if (auto loaded = co_await client_.reload(deadline()); !loaded) co_return loaded;
  auto servers = co_await servers_of(client_.slots().masters().front().node);
  if (!servers) co_return fail(std::move(servers).error());
  servers_ = std::move(*servers);
  co_return {};
}

Task<Result<void>> Reshard::read_crawls() {
  // Also a master without slots can have the key of a crawl: if its first move was interrupted.
  std::vector<redis::Node> nodes;
  for (const std::string& id : masters()) nodes.push_back(*node_of(id));
  auto names = co_await list_crawls(client_, std::move(nodes), options_.step_patience);
  if (!names) co_return fail(std::move(names).error());
  keys_.clear();
  for (const std::string& name : *names) {
    std::string key = crawl_key(name);
    keys_[redis::slot_of(key)].push_back(std::move(key));
    for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
      key = partition_key(name, partition);
      keys_[redis::slot_of(key)].push_back(std::move(key));
    }
  }
  co_return {};
}

Task<Result<std::vector<SlotMove>>> Reshard::interrupted() {
  std::vector<redis::Command> commands;
  std::vector<std::uint16_t> slots;
  for (const auto& [slot, keys] : keys_) {
    for (const std::string& key : keys) {
      commands.push_back({.slot = slot, .words = {"HGET", key, "f"}});
      slots.push_back(slot);
    }
  }
  auto replies = co_await run_all(client_, std::move(commands),
                                  {.deadline = deadline(), .lane = redis::Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  std::vector<SlotMove> moves;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string& frozen = (*replies)[i].text;
    if (!frozen.starts_with(kFrozenBy)) continue;
    if (!moves.empty() && moves.back().slot == slots[i]) continue;
    moves.push_back(
        {.slot = slots[i], .from = owner_of(slots[i]), .to = frozen.substr(kFrozenBy.size())});
  }
  co_return moves;
}

Task<Result<void>> Reshard::finish_interrupted() {
  auto moves = co_await interrupted();
  if (!moves) co_return fail(std::move(moves).error());
  for (const SlotMove& each : *moves) {
    if (node_of(each.to) == nullptr) {
      co_return fail(Errc::unavailable,
                     "slot " + std::to_string(each.slot) + " is frozen for a move to " + each.to +
                         ", which is no master any more; start that server, or use --abandon");
    }
  }
  result_.finished += moves->size();
  co_return co_await move(std::move(*moves));
}

Task<Result<std::size_t>> Reshard::abandon() {
  auto moves = co_await interrupted();
  if (!moves) co_return fail(std::move(moves).error());
  std::size_t abandoned = 0;
  for (const SlotMove& each : *moves) {
    if (node_of(each.to) != nullptr) continue;  // it can be finished
    auto stable =
        co_await ask(each.from, {"CLUSTER", "SETSLOT", std::to_string(each.slot), "STABLE"});
    if (!stable) co_return fail(std::move(stable).error());
    auto thawed = co_await thaw(each.slot, each.from);
    if (!thawed) co_return fail(std::move(thawed).error());
    ++abandoned;
  }
  co_return abandoned;
}

Task<Result<void>> Reshard::move(std::vector<SlotMove> moves) {
  std::set<std::string> ready;  // targets that have the functions
  for (const SlotMove& each : moves) {
    const redis::Node* const target = node_of(each.to);
    if (target == nullptr) co_return fail(Errc::unavailable, each.to + " is no master");
    if (ready.insert(each.to).second) {
      auto installed = co_await install_functions_on(client_, *target, deadline());
      if (!installed) co_return installed;
    }
    auto moved = co_await move_slot(each);
    if (!moved) {
      co_return fail(std::move(moved).error(), "while moving slot " + std::to_string(each.slot));
    }
    ++result_.slots;
  }
  co_return {};
}

Task<Result<void>> Reshard::move_slot(SlotMove move) {
  if (owner_of(move.slot) != move.to) {
    if (auto done = co_await freeze(move); !done) co_return done;
    if (auto done = co_await announce(move); !done) co_return done;
    if (auto done = co_await move_keys(move); !done) co_return done;
    if (auto done = co_await secure(move); !done) co_return done;
    if (auto done = co_await learn_epoch(move); !done) co_return done;
  }
  if (auto done = co_await hand_over(move); !done) co_return done;
  co_return co_await thaw(move.slot, move.to);
}

Task<Result<void>> Reshard::freeze(SlotMove move) {
  const redis::SlotMap::Master* const known = client_.slots().master_of(move.slot);
  if (known == nullptr) co_return fail(Errc::unavailable, "no server owns the slot");
  const redis::SlotMap::Master owner = *known;
  redis::Commands commands;
  for (const std::string& key : keys_[move.slot]) {
    commands.add({"HSETNX", key, "f", frozen_for(move.to)});
    commands.add({"HGET", key, "f"});
  }
  // If the owner fails, its replica must be frozen too: it may have keys that were moved.
  if (!owner.replicas.empty()) commands.add({"WAIT", "1", kReplicaTimeout});
  auto replies =
      co_await client_.run_on(owner.node, std::move(commands), redis::Lane::waiting, deadline());
  if (!replies) co_return fail(std::move(replies).error());
  for (std::size_t i = 1; i < 2 * keys_[move.slot].size(); i += 2) {
    const Reply& reply = (*replies)[i];
    // An interrupted move has moved it already, frozen.
    if (reply.is_error() && reply.text.starts_with("ASK ")) continue;
    if (reply.is_error()) co_return fail(redis::error_of(reply.text, owner.node));
    if (reply.text != frozen_for(move.to)) {
      co_return fail(Errc::exists, "it is frozen already: " + reply.text);
    }
  }
  if (!owner.replicas.empty() && replies->back().as_integer(0) < 1) {
    co_return fail(no_replica(owner.node));
  }
  co_return {};
}

Task<Result<void>> Reshard::announce(SlotMove move) {
  const std::string slot = std::to_string(move.slot);
  auto importing = co_await ask(move.to, {"CLUSTER", "SETSLOT", slot, "IMPORTING", move.from});
  if (!importing) co_return fail(std::move(importing).error());
  auto migrating = co_await ask(move.from, {"CLUSTER", "SETSLOT", slot, "MIGRATING", move.to});
  if (!migrating) co_return fail(std::move(migrating).error());
  co_return {};
}

Task<Result<void>> Reshard::move_keys(SlotMove move) {
  // The keys that say "frozen" move last: until then, an interrupted move is found and continued.
  const std::vector<std::string>& marks = keys_[move.slot];
  for (;;) {
    auto listed = co_await ask(move.from, {"CLUSTER", "GETKEYSINSLOT", std::to_string(move.slot),
                                           std::to_string(options_.keys_in_step + marks.size())});
    if (!listed) co_return fail(std::move(listed).error());
    if (listed->items.empty()) co_return {};
    std::vector<std::string> keys;
    std::vector<std::string> last;
    for (Reply& key : listed->items) {
      const bool is_mark = std::ranges::find(marks, key.text) != marks.end();
      (is_mark ? last : keys).push_back(std::move(key.text));
    }
    if (keys.empty()) keys = std::move(last);
    result_.keys += keys.size();
    if (auto moved = co_await migrate(move, std::move(keys)); !moved) co_return moved;
  }
}

Task<Result<void>> Reshard::migrate(SlotMove move, std::vector<std::string> keys) {
  const redis::Node* const target = node_of(move.to);
  if (target == nullptr) co_return fail(Errc::unavailable, "master " + move.to + " is gone");
  std::string host = target->host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const redis::Credentials& credentials = client_.credentials();
  const Instant until = deadline();
  for (bool replaces = false;;) {
    std::vector<std::string> words = {"MIGRATE", host, std::to_string(target->port),
                                      "",        "0",  std::string(kMigrateTimeout)};
    if (replaces) words.emplace_back("REPLACE");
    if (!credentials.password.empty() && credentials.user.empty()) {
      words.insert(words.end(), {"AUTH", credentials.password});
    } else if (!credentials.password.empty()) {
      words.insert(words.end(), {"AUTH2", credentials.user, credentials.password});
    }
    words.emplace_back("KEYS");
    words.insert(words.end(), keys.begin(), keys.end());
    auto moved = co_await ask(move.from, std::move(words));
    if (moved) co_return {};
    const bool is_busy = moved.error().detail().contains("BUSYKEY");
    if (is_busy && !replaces) {
      replaces = true;
      result_.replaced += keys.size();
      continue;
    }
    if (!is_not_ready(moved.error()) || async::Loop::current().now() >= until) {
      co_return fail(std::move(moved).error());
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) co_return slept;
  }
}

Task<Result<void>> Reshard::secure(SlotMove move) {
  const bool has_replica = std::ranges::any_of(servers_, [&move](const redis::ClusterNode& each) {
    return each.master == move.to && !each.is_failed;
  });
  if (!has_replica || keys_[move.slot].empty()) co_return {};
  const redis::Node* const known = node_of(move.to);
  if (known == nullptr) co_return fail(Errc::unavailable, "master " + move.to + " is gone");
  const redis::Node target = *known;
  // WAIT covers everything before the last write of its connection.
  redis::Commands commands;
  commands.add({"ASKING"});
  commands.add({"HSET", keys_[move.slot].front(), "f", frozen_for(move.to)});
  commands.add({"WAIT", "1", kReplicaTimeout});
  auto replies =
      co_await client_.run_on(target, std::move(commands), redis::Lane::waiting, deadline());
  if (!replies) co_return fail(std::move(replies).error());
  if ((*replies)[1].is_error()) co_return fail(redis::error_of((*replies)[1].text, target));
  if ((*replies)[2].as_integer(0) >= 1) co_return {};
  co_return fail(no_replica(target));
}

Task<Result<void>> Reshard::learn_epoch(SlotMove move) {
  for (const Instant until = deadline();;) {
    const redis::Node* const owner = node_of(move.from);
    const redis::Node* const target = node_of(move.to);
    if (owner == nullptr || target == nullptr)
      co_return fail(Errc::unavailable, "a master is gone");
    const redis::Node target_node = *target;
    const auto of_owner = co_await servers_of(*owner);
    if (!of_owner) co_return fail(of_owner.error().copy());
    const auto of_target = co_await servers_of(target_node);
    if (!of_target) co_return fail(of_target.error().copy());
    if (epoch_of(*of_target, move.from) >= epoch_of(*of_owner, move.from)) co_return {};
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, target_node.to_string() + " does not hear of the old owner");
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) co_return slept;
  }
}

Task<Result<bool>> Reshard::is_known(SlotMove move) {
  const std::vector<redis::ClusterNode> servers = servers_;
  for (const redis::ClusterNode& each : servers) {
    if (each.is_failed) continue;
    const auto replies = co_await client_.run_on(
        each.node, redis::Commands().add({"CLUSTER", "SLOTS"}), redis::Lane::quick, deadline());
    if (!replies && replies.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!replies || replies->front().is_error()) {
      if (each.id == move.to) co_return false;
      continue;
    }
    const auto map = redis::SlotMap::parse(replies->front(), each.node);
    if (!map) co_return fail(map.error().copy());
    const redis::SlotMap::Master* const owner = map->master_of(move.slot);
    if (owner == nullptr || owner->id != move.to) co_return false;
  }
  co_return true;
}

Task<Result<void>> Reshard::hand_over(SlotMove move) {
  const std::vector<std::string> words = {"CLUSTER", "SETSLOT", std::to_string(move.slot), "NODE",
                                          move.to};
  auto done = co_await ask(move.to, words);
  if (!done) co_return fail(std::move(done).error());
  // The others hear of it soon. If the owner is told now, no call is sent there in vain.
  for (const std::string& master : masters()) {
    if (master != move.to) static_cast<void>(co_await ask(master, words));
  }
  // A replica of the target must know it, too, before the slot is used: it may have to replace it.
  for (const Instant until = deadline();;) {
    auto known = co_await is_known(move);
    if (!known) co_return fail(std::move(known).error());
    if (*known) co_return co_await client_.reload(until);
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, "the cluster does not learn of the move");
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) co_return slept;
  }
}

Task<Result<void>> Reshard::thaw(std::uint16_t slot, std::string owner) {
  std::vector<redis::Command> commands;
  for (const std::string& key : keys_[slot]) {
    commands.push_back({.slot = slot, .words = {"HSET", key, "n", owner}});
    commands.push_back({.slot = slot, .words = {"HDEL", key, "f"}});
  }
  auto replies = co_await run_all(client_, std::move(commands),
                                  {.deadline = deadline(), .lane = redis::Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  co_return {};
}

}  // namespace gossamer::cluster
