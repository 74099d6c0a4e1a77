#include "cluster/reshard.h"

#include <algorithm>
#include <set>
#include <string_view>
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
std::string frozen_for(const std::string& target) { return std::string(kFrozenBy) + target; }

Error no_replica(const redis::Node& node) {
  return Error(Errc::unavailable,
               "no replica of " + node.to_string() +
                   " answers in time; start or add one, and run the command again");
}

// Returns whether a server is not ready yet: one that has just joined, for example.
bool is_not_ready(const Error& error) {
  const std::string_view text = error.detail();
  return text.contains("CLUSTERDOWN") || text.contains("LOADING") || text.contains("TRYAGAIN");
}

}  // namespace

Reshard::Reshard(redis::Client& client, ReshardOptions options)
    : client_(client),
      options_(options),
      servers_(client, options.step_patience),
      copies_(client, servers_, options.keys_in_step) {}

std::vector<OwnedSlot> Reshard::used_slots() const {
  std::vector<OwnedSlot> slots;
  for (const auto& [slot, keys] : keys_)
    slots.push_back({.slot = slot, .owner = servers_.owner_of(slot)});
  return slots;
}

Task<Result<void>> Reshard::open() {
  if (!client_.is_cluster()) {
    co_return fail(Errc::unsupported, "this is one server, not a cluster");
  }
  if (auto read = co_await servers_.read(); !read) co_return read;
  co_return co_await read_crawls();
}

Task<Result<void>> Reshard::read_crawls() {
  // A master that does not own the key of a crawl can have the only one: another program, and
  // older versions, move keys without copying them.
  std::vector<redis::Node> nodes;
  for (const std::string& id : servers_.masters()) nodes.push_back(*servers_.node_of(id));
  auto names = co_await list_crawls(client_, std::move(nodes), options_.step_patience);
  if (!names) co_return fail(std::move(names).error());
  keys_.clear();
  replicated_.clear();
  for (const std::string& name : *names) {
    if (auto read = co_await read_crawl(name); !read) co_return read;
  }
  co_return {};
}

Task<Result<void>> Reshard::read_crawl(std::string name) {
  std::string key = crawl_key(name);
  const std::uint16_t slot = redis::slot_of(key);
  auto facts = co_await client_.run({.slot = slot, .words = {"HGETALL", key}},
                                    {.deadline = servers_.deadline(), .lane = redis::Lane::quick});
  if (!facts) co_return fail(std::move(facts).error());
  // An old copy at another master is no crawl.
  if (facts->items.empty()) co_return co_await check_only_here(slot, servers_.owner_of(slot));
  bool is_replicated = false;
  for (std::size_t i = 0; i + 1 < facts->items.size(); i += 2) {
    if (facts->items[i].text == "r") is_replicated = facts->items[i + 1].as_integer(0) > 0;
  }
  std::vector<std::string> keys = {std::move(key)};
  for (std::uint32_t partition = 0; partition < kPartitions; ++partition) {
    keys.push_back(partition_key(name, partition));
  }
  for (std::string& each : keys) {
    const std::uint16_t its = redis::slot_of(each);
    keys_[its].push_back(std::move(each));
    if (is_replicated) replicated_.insert(its);
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
                                  {.deadline = servers_.deadline(), .lane = redis::Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  std::vector<SlotMove> moves;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::string& frozen = (*replies)[i].text;
    if (!frozen.starts_with(kFrozenBy)) continue;
    if (!moves.empty() && moves.back().slot == slots[i]) continue;
    moves.push_back({.slot = slots[i],
                     .from = servers_.owner_of(slots[i]),
                     .to = frozen.substr(kFrozenBy.size())});
  }
  co_return moves;
}

Task<Result<void>> Reshard::finish_interrupted() {
  auto moves = co_await interrupted();
  if (!moves) co_return fail(std::move(moves).error());
  std::vector<SlotMove> possible;
  for (SlotMove& each : *moves) {
    if (servers_.node_of(each.to) != nullptr) {
      possible.push_back(std::move(each));
    } else if (auto done = co_await give_up(std::move(each)); !done) {
      co_return done;
    }
  }
  result_.finished += possible.size();
  if (auto moved = co_await move(std::move(possible)); !moved) co_return moved;
  co_return co_await sweep();
}

Task<Result<void>> Reshard::abandon() {
  auto moves = co_await interrupted();
  if (!moves) co_return fail(std::move(moves).error());
  for (SlotMove& each : *moves) {
    if (each.from == each.to) continue;  // the target owns the slot already
    if (auto done = co_await give_up(std::move(each)); !done) co_return done;
  }
  co_return {};
}

Task<Result<void>> Reshard::give_up(SlotMove move) {
  if (auto done = co_await check_only_here(move.slot, move.from); !done) co_return done;
  if (auto done = co_await servers_.raise_epoch(move.from, move.to); !done) co_return done;
  // A target that hung may have taken the slot meanwhile.
  if (auto done = co_await servers_.check_claim(move.slot, move.from); !done) co_return done;
  ++result_.abandoned;
  co_return co_await settle(move.slot, move.from, {});
}

Task<Result<void>> Reshard::move(std::vector<SlotMove> moves) {
  std::set<std::string> ready;  // targets that have the functions
  for (const SlotMove& each : moves) {
    const redis::Node* const target = servers_.node_of(each.to);
    if (target == nullptr) co_return fail(Errc::unavailable, each.to + " is no master");
    if (ready.insert(each.to).second) {
      auto installed = co_await install_functions_on(client_, *target, servers_.deadline());
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
  const std::string former = servers_.owner_of(move.slot);
  if (auto done = co_await check_only_here(move.slot, former); !done) co_return done;
  if (former != move.to) {
    const auto was_frozen = co_await freeze(move);
    if (!was_frozen) co_return fail(was_frozen.error().copy());
    const auto old_keys = co_await announce(move);
    if (!old_keys) co_return fail(old_keys.error().copy());
    if (!*was_frozen) result_.replaced += *old_keys;
    const auto copied = co_await copy_keys(move);
    if (!copied) co_return fail(copied.error().copy());
    result_.keys += *copied;
    if (auto done = co_await secure(move, move.to); !done) co_return done;
    // It may have been replaced by a server that is not frozen.
    if (auto done = co_await secure(move, move.from); !done) co_return done;
    if (auto done = co_await servers_.learn_epoch(move.from, move.to); !done) co_return done;
  }
  auto taken = co_await servers_.ask(move.to, set_slot(move.slot, "NODE", move.to));
  if (!taken) co_return fail(std::move(taken).error());
  std::vector<std::string> formers = {former};
  if (former == move.to) formers = servers_.masters();  // it was interrupted: any of them
  co_return co_await settle(move.slot, move.to, std::move(formers));
}

Task<Result<bool>> Reshard::freeze(SlotMove move) {
  const redis::SlotMap::Master* const known = client_.slots().master_of(move.slot);
  if (known == nullptr) co_return fail(Errc::unavailable, "no server owns the slot");
  const redis::SlotMap::Master owner = *known;
  redis::Commands commands;
  for (const std::string& key : keys_[move.slot]) {
    commands.add({"HSETNX", key, "f", frozen_for(move.to)});
    commands.add({"HGET", key, "f"});
  }
  // If the owner fails, its replica must be frozen too: the keys are copied as they are now.
  const bool waits = needs_replica(move.slot, owner.id);
  if (waits) commands.add({"WAIT", "1", kReplicaTimeout});
  auto replies = co_await client_.run_on(owner.node, std::move(commands), redis::Lane::waiting,
                                         servers_.deadline());
  if (!replies) co_return fail(std::move(replies).error());
  bool was_frozen = false;
  for (std::size_t i = 1; i < 2 * keys_[move.slot].size(); i += 2) {
    const Reply& reply = (*replies)[i];
    if ((*replies)[i - 1].as_integer(0) == 0) was_frozen = true;
    if (reply.is_error()) co_return fail(redis::error_of(reply.text, owner.node));
    if (reply.text != frozen_for(move.to)) {
      co_return fail(Errc::exists, "it is frozen already: " + reply.text);
    }
  }
  if (waits && replies->back().as_integer(0) < 1) {
    co_return fail(no_replica(owner.node));
  }
  co_return was_frozen;
}

Task<Result<void>> Reshard::check_only_here(std::uint16_t slot, std::string owner) {
  const auto servers = co_await servers_.seen_by(std::move(owner));
  if (!servers) co_return fail(servers.error().copy());
  for (const redis::ClusterNode& each : *servers) {
    if (std::ranges::find(each.leaving, slot) == each.leaving.end()) continue;
    co_return fail(Errc::exists, "another program is moving slot " + std::to_string(slot) +
                                     "; finish that move first (redis-cli --cluster fix)");
  }
  co_return {};
}

bool Reshard::needs_replica(std::uint16_t slot, const std::string& id) const {
  // One that has failed counts: nothing may be lost because of it.
  return replicated_.contains(slot) || servers_.has_replica(id);
}

Task<Result<std::size_t>> Reshard::announce(SlotMove move) {
  auto removed = co_await copies_.remove({.slot = move.slot,
                                          .holder = move.to,
                                          .owner = move.from,
                                          .lost = {},
                                          .last = keys_[move.slot]});
  if (!removed) co_return removed;
  auto importing = co_await servers_.ask(move.to, set_slot(move.slot, "IMPORTING", move.from));
  if (!importing) co_return fail(std::move(importing).error());
  co_return removed;
}

Task<void> Reshard::clean(std::uint16_t slot, std::string id, std::string owner,
                          std::vector<std::string> lost) {
  const auto removed = co_await copies_.remove_with_patience({.slot = slot,
                                                              .holder = id,
                                                              .owner = std::move(owner),
                                                              .lost = std::move(lost),
                                                              .last = keys_[slot]});
  if (removed || removed.error() == Errc::cancelled) co_return;
  const redis::Node* const node = servers_.node_of(id);
  result_.unclean.insert(node == nullptr ? id : node->to_string());
}

Task<Result<void>> Reshard::sweep() {
  std::vector<std::uint16_t> used;
  for (const auto& [slot, keys] : keys_) used.push_back(slot);
  const std::vector<redis::ClusterNode> servers = servers_.all();
  for (const redis::ClusterNode& server : servers) {
    if (server.is_failed) continue;
    const std::string& master = server.is_master ? server.id : server.master;
    if (servers_.node_of(master) == nullptr) continue;
    const auto slots = co_await copies_.slots_on(server.node, used);
    if (!slots && slots.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    if (!slots) continue;
    for (const std::uint16_t slot : *slots) {
      if (servers_.owner_of(slot) != master) co_await sweep_slot(server, slot);
    }
  }
  co_return {};
}

Task<void> Reshard::sweep_slot(redis::ClusterNode server, std::uint16_t slot) {
  const std::string owner = servers_.owner_of(slot);
  const std::string master = server.is_master ? server.id : server.master;
  // Else they may be the only ones.
  if (!co_await servers_.check_claim(slot, owner)) co_return;
  if (!co_await check_only_here(slot, owner)) co_return;
  if (server.is_master) {
    const auto is_ours = co_await has_frozen_copies(slot, master, owner);
    if (!is_ours || !*is_ours) co_return;
  }
  auto keys = co_await copies_.keys_on(slot, server.node);
  if (!keys || keys->empty()) co_return;
  ++result_.swept;
  co_await clean(slot, master, owner, std::move(*keys));
}

Task<Result<bool>> Reshard::has_frozen_copies(std::uint16_t slot, std::string id,
                                              std::string owner) {
  auto importing = co_await servers_.ask(id, set_slot(slot, "IMPORTING", std::move(owner)));
  if (!importing) co_return fail(std::move(importing).error());
  redis::Commands commands;
  for (const std::string& key : keys_[slot]) commands.add({"ASKING"}).add({"HGET", key, "f"});
  const auto replies = co_await client_.run_on(*servers_.node_of(id), std::move(commands),
                                               redis::Lane::quick, servers_.deadline());
  static_cast<void>(co_await servers_.ask(id, set_slot(slot, "STABLE")));
  if (!replies) co_return fail(replies.error().copy());
  co_return std::ranges::any_of(*replies, [](const Reply& reply) {
    return !reply.is_error() && reply.text.starts_with(kFrozenBy);
  });
}

Task<Result<std::size_t>> Reshard::copy_keys(SlotMove move) {
  auto keys = co_await copies_.keys_in(move.slot, move.from);
  if (!keys) co_return fail(std::move(keys).error());
  for (auto next = keys->begin(); next != keys->end();) {
    const auto left = static_cast<std::size_t>(keys->end() - next);
    const auto end = next + static_cast<std::ptrdiff_t>(std::min(left, options_.keys_in_step));
    auto copied = co_await copy(move, {next, end});
    if (!copied) co_return fail(std::move(copied).error());
    next = end;
  }
  co_return keys->size();
}

Task<Result<void>> Reshard::copy(SlotMove move, std::vector<std::string> keys) {
  const redis::Node* const target = servers_.node_of(move.to);
  if (target == nullptr) co_return fail(Errc::unavailable, "master " + move.to + " is gone");
  std::string host = target->host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const redis::Credentials& credentials = client_.credentials();
  std::vector<std::string> words = {"MIGRATE", host,     std::to_string(target->port),
                                    "",        "0",      std::string(kMigrateTimeout),
                                    "COPY",    "REPLACE"};
  if (!credentials.password.empty() && credentials.user.empty()) {
    words.insert(words.end(), {"AUTH", credentials.password});
  } else if (!credentials.password.empty()) {
    words.insert(words.end(), {"AUTH2", credentials.user, credentials.password});
  }
  words.emplace_back("KEYS");
  words.insert(words.end(), keys.begin(), keys.end());
  for (const Instant until = servers_.deadline();;) {
    auto copied = co_await servers_.ask(move.from, words);
    if (copied) co_return {};
    if (!is_not_ready(copied.error()) || async::Loop::current().now() >= until) {
      co_return fail(std::move(copied).error());
    }
    if (auto slept = co_await async::sleep(ClusterServers::kAgainPause); !slept) co_return slept;
  }
}

Task<Result<void>> Reshard::secure(SlotMove move, std::string id) {
  const redis::Node* const known = servers_.node_of(id);
  if (known == nullptr) co_return fail(Errc::unavailable, "master " + id + " is gone");
  const redis::Node node = *known;
  const bool waits = needs_replica(move.slot, id);
  // WAIT covers everything before the last write of its connection.
  redis::Commands commands;
  commands.add({"ASKING"});
  commands.add({"HSET", keys_[move.slot].front(), "f", frozen_for(move.to)});
  if (waits) commands.add({"WAIT", "1", kReplicaTimeout});
  auto replies =
      co_await client_.run_on(node, std::move(commands), redis::Lane::waiting, servers_.deadline());
  if (!replies) co_return fail(std::move(replies).error());
  if ((*replies)[1].is_error()) co_return fail(redis::error_of((*replies)[1].text, node));
  if (waits && (*replies)[2].as_integer(0) < 1) co_return fail(no_replica(node));
  co_return {};
}

Task<Result<void>> Reshard::settle(std::uint16_t slot, std::string owner,
                                   std::vector<std::string> formers) {
  // The others hear of it soon, but not those that were the target of an interrupted move. The old
  // owner refuses to be told while it has keys. It deletes them when it hears of the new owner.
  for (const std::string& master : servers_.masters()) {
    if (master == owner) continue;
    static_cast<void>(co_await servers_.ask(master, set_slot(slot, "STABLE")));
    static_cast<void>(co_await servers_.ask(master, set_slot(slot, "NODE", owner)));
  }
  // A replica of the owner must know it, too, before the slot is used: it may have to replace it.
  for (const Instant until = servers_.deadline();;) {
    auto known = co_await servers_.agree_on(slot, owner);
    if (!known) co_return fail(std::move(known).error());
    if (*known) break;
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, "the servers do not agree on the owner of the slot");
    }
    if (auto slept = co_await async::sleep(ClusterServers::kAgainPause); !slept) co_return slept;
  }
  std::vector<std::string> lost;
  if (!formers.empty()) {
    auto keys = co_await copies_.keys_in(slot, owner);
    if (!keys) co_return fail(std::move(keys).error());
    lost = std::move(*keys);
  }
  // A server that does not answer keeps its copies, see sweep().
  for (const std::string& master : servers_.masters()) {
    if (master == owner) continue;
    const bool is_former = std::ranges::find(formers, master) != formers.end();
    co_await clean(slot, master, owner, is_former ? lost : std::vector<std::string>());
  }
  if (auto loaded = co_await client_.reload(servers_.deadline()); !loaded) co_return loaded;
  co_return co_await thaw(slot, std::move(owner));
}

Task<Result<void>> Reshard::thaw(std::uint16_t slot, std::string owner) {
  std::vector<redis::Command> commands;
  for (const std::string& key : keys_[slot]) {
    commands.push_back({.slot = slot, .words = {"HSET", key, "n", owner}});
    commands.push_back({.slot = slot, .words = {"HDEL", key, "f"}});
  }
  // A replica that replaces the owner must know it, or the slot is frozen again.
  const std::uint32_t replicas = needs_replica(slot, owner) ? 1 : 0;
  auto replies = co_await run_all(client_, std::move(commands),
                                  {.deadline = servers_.deadline(),
                                   .lane = redis::Lane::waiting,
                                   .replicas = replicas,
                                   .is_persistent = true});
  if (replies) co_return {};
  const auto is_frozen = co_await has_frozen_keys(slot);
  if (!is_frozen || *is_frozen) co_return fail(std::move(replies).error());
  co_return fail(std::move(replies).error(),
                 "the slot has its owner and is in use again, but no replica of the owner knows "
                 "that; if one replaces it, run the command again");
}

Task<Result<bool>> Reshard::has_frozen_keys(std::uint16_t slot) {
  std::vector<redis::Command> commands;
  for (const std::string& key : keys_[slot]) {
    commands.push_back({.slot = slot, .words = {"HGET", key, "f"}});
  }
  auto replies = co_await run_all(client_, std::move(commands),
                                  {.deadline = servers_.deadline(), .lane = redis::Lane::quick});
  if (!replies) co_return fail(std::move(replies).error());
  co_return std::ranges::any_of(*replies, [](const Reply& reply) { return !reply.text.empty(); });
}

}  // namespace gossamer::cluster
