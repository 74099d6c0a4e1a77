#include "cluster/cluster_servers.h"

#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "redis/server_error.h"

namespace gossamer::cluster {
namespace {

using async::Task;

// A target that took a slot and failed before others heard of it has at most the next epoch. If two
// masters have the same one, either can get a higher one.
constexpr std::uint64_t kEpochsAhead = 2;

bool works(const redis::ClusterNode& server) { return server.is_master && !server.is_failed; }

std::uint64_t epoch_of(const std::vector<redis::ClusterNode>& servers, const std::string& id) {
  const auto found = std::ranges::find(servers, id, &redis::ClusterNode::id);
  return found == servers.end() ? 0 : found->epoch;
}

}  // namespace

Task<Result<void>> ClusterServers::read() {
  if (auto loaded = co_await client_.reload(deadline()); !loaded) co_return loaded;
  const redis::Node first = client_.slots().masters().front().node;
  auto reply = co_await ask_node(first, {"CLUSTER", "NODES"});
  if (!reply) co_return fail(std::move(reply).error());
  auto servers = redis::parse_cluster_nodes(reply->text, first);
  if (!servers) co_return fail(std::move(servers).error());
  servers_ = std::move(*servers);
  // It may have the only key that names a crawl, and its replica will have it.
  for (const redis::SlotMap::Master& master : client_.slots().masters()) {
    if (master.slots > 0 && node_of(master.id) == nullptr) {
      co_return fail(Errc::unavailable, "master " + master.node.to_string() +
                                            " has failed; run the command again when a replica "
                                            "has replaced it");
    }
  }
  co_return {};
}

std::vector<std::string> ClusterServers::masters() const {
  std::vector<std::string> ids;
  for (const redis::ClusterNode& server : servers_) {
    if (works(server)) ids.push_back(server.id);
  }
  return ids;
}

Result<std::string> ClusterServers::find_master(std::string_view text) const {
  for (const redis::ClusterNode& server : servers_) {
    const bool is_this = server.id == text || server.node.to_string() == text;
    if (is_this && works(server)) return server.id;
  }
  return fail(Errc::invalid_argument, std::string(text) + " is not a master of this cluster");
}

const redis::Node* ClusterServers::node_of(const std::string& id) const {
  const auto found = std::ranges::find(servers_, id, &redis::ClusterNode::id);
  return found == servers_.end() || !works(*found) ? nullptr : &found->node;
}

bool ClusterServers::has_replica(const std::string& id) const {
  return std::ranges::find(servers_, id, &redis::ClusterNode::master) != servers_.end();
}

std::string ClusterServers::owner_of(std::uint16_t slot) const {
  const redis::SlotMap::Master* const owner = client_.slots().master_of(slot);
  return owner == nullptr ? "" : owner->id;
}

Instant ClusterServers::deadline() const {
  return base::add_saturating(async::Loop::current().now(), patience_);
}

Task<Result<redis::Reply>> ClusterServers::ask_node(redis::Node node,
                                                    std::vector<std::string> words) {
  auto replies =
      co_await client_.run_on(node, redis::Commands().add(words), redis::Lane::quick, deadline());
  if (!replies) co_return fail(std::move(replies).error());
  if (replies->front().is_error()) co_return fail(redis::error_of(replies->front().text, node));
  co_return std::move(replies->front());
}

Task<Result<redis::Reply>> ClusterServers::ask(std::string id, std::vector<std::string> words) {
  const redis::Node* const node = node_of(id);
  if (node == nullptr) co_return fail(Errc::unavailable, "master " + id + " is gone");
  co_return co_await ask_node(*node, std::move(words));
}

Task<Result<std::vector<redis::ClusterNode>>> ClusterServers::seen_by(std::string id) {
  auto reply = co_await ask(id, {"CLUSTER", "NODES"});
  if (!reply) co_return fail(std::move(reply).error());
  co_return redis::parse_cluster_nodes(reply->text, *node_of(id));
}

Task<Result<std::string>> ClusterServers::owner_at(redis::Node node, std::uint16_t slot) {
  const auto reply = co_await ask_node(node, {"CLUSTER", "SLOTS"});
  if (!reply) co_return fail(reply.error().copy());
  const auto map = redis::SlotMap::parse(*reply, node);
  if (!map) co_return fail(map.error().copy());
  const redis::SlotMap::Master* const owner = map->master_of(slot);
  co_return owner == nullptr ? std::string() : owner->id;
}

Task<Result<bool>> ClusterServers::agree_on(std::uint16_t slot, std::string owner) {
  const std::vector<redis::ClusterNode> servers = servers_;
  for (const redis::ClusterNode& each : servers) {
    if (each.is_failed) continue;
    const auto known = co_await owner_at(each.node, slot);
    if (!known && known.error() == Errc::cancelled) co_return fail(Errc::cancelled);
    const bool is_silent = !known && each.id != owner;
    if (!is_silent && (!known || *known != owner)) co_return false;
  }
  co_return true;
}

Task<Result<void>> ClusterServers::check_claim(std::uint16_t slot, std::string id) {
  const redis::Node* const node = node_of(id);
  if (node == nullptr) co_return fail(Errc::unavailable, "master " + id + " is gone");
  const auto owner = co_await owner_at(*node, slot);
  if (!owner) co_return fail(owner.error().copy());
  if (*owner == id) co_return {};
  co_return fail(Errc::unavailable,
                 "slot " + std::to_string(slot) + " has another owner now; run the command again");
}

Task<Result<void>> ClusterServers::learn_epoch(std::string of, std::string at) {
  for (const Instant until = deadline();;) {
    const auto own = co_await seen_by(of);
    if (!own) co_return fail(own.error().copy());
    const auto heard = co_await seen_by(at);
    if (!heard) co_return fail(heard.error().copy());
    if (epoch_of(*heard, of) >= epoch_of(*own, of)) co_return {};
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, node_of(at)->to_string() + " does not hear of " + of);
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) co_return slept;
  }
}

Task<Result<std::uint64_t>> ClusterServers::highest_epoch() {
  std::uint64_t highest = 0;
  for (const std::string& master : masters()) {
    const auto servers = co_await seen_by(master);
    if (!servers) co_return fail(servers.error().copy());
    for (const redis::ClusterNode& each : *servers) highest = std::max(highest, each.epoch);
  }
  co_return highest;
}

Task<Result<void>> ClusterServers::raise_epoch(std::string owner, std::string target) {
  if (raised_.contains(owner)) co_return {};
  const auto highest = co_await highest_epoch();
  if (!highest) co_return fail(highest.error().copy());
  const std::vector<std::string> ids = masters();
  for (const std::string& each : ids) {
    if (each == owner) continue;
    if (auto heard = co_await learn_epoch(each, owner); !heard) co_return heard;
  }
  const auto other =
      std::ranges::find_if(ids, [&](const std::string& id) { return id != owner && id != target; });
  // A master that has the highest epoch it knows of gets no higher one, so two of them take turns.
  for (const Instant until = deadline();;) {
    if (other != ids.end()) {
      auto bumped = co_await ask(*other, {"CLUSTER", "BUMPEPOCH"});
      if (!bumped) co_return fail(std::move(bumped).error());
      if (auto heard = co_await learn_epoch(*other, owner); !heard) co_return heard;
    }
    auto bumped = co_await ask(owner, {"CLUSTER", "BUMPEPOCH"});
    if (!bumped) co_return fail(std::move(bumped).error());
    if (other == ids.end()) co_return {};
    const auto servers = co_await seen_by(owner);
    if (!servers) co_return fail(servers.error().copy());
    if (epoch_of(*servers, owner) >= *highest + kEpochsAhead) break;
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, "the owner does not get a higher epoch");
    }
    if (auto heard = co_await learn_epoch(owner, *other); !heard) co_return heard;
  }
  raised_.insert(owner);
  co_return {};
}

}  // namespace gossamer::cluster
