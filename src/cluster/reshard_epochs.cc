// The epochs of masters, which decide who owns a slot, and giving up a move.
#include <algorithm>
#include <utility>

#include "async/loop.h"
#include "async/sleep.h"
#include "cluster/reshard.h"

namespace gossamer::cluster {
namespace {

using async::Task;

// A target that took a slot and failed before others heard of it has at most the next epoch. If two
// masters have the same one, either can get a higher one.
constexpr std::uint64_t kEpochsAhead = 2;

std::uint64_t epoch_of(const std::vector<redis::ClusterNode>& servers, const std::string& id) {
  const auto found = std::ranges::find(servers, id, &redis::ClusterNode::id);
  return found == servers.end() ? 0 : found->epoch;
}

}  // namespace

Task<Result<void>> Reshard::learn_epoch(std::string of, std::string at) {
  for (const Instant until = deadline();;) {
    const redis::Node* const owner = node_of(of);
    const redis::Node* const target = node_of(at);
    if (owner == nullptr || target == nullptr)
      co_return fail(Errc::unavailable, "a master is gone");
    const redis::Node target_node = *target;
    const auto of_owner = co_await servers_of(*owner);
    if (!of_owner) co_return fail(of_owner.error().copy());
    const auto of_target = co_await servers_of(target_node);
    if (!of_target) co_return fail(of_target.error().copy());
    if (epoch_of(*of_target, of) >= epoch_of(*of_owner, of)) co_return {};
    if (async::Loop::current().now() >= until) {
      co_return fail(Errc::timed_out, target_node.to_string() + " does not hear of " + of);
    }
    if (auto slept = co_await async::sleep(kAgainPause); !slept) co_return slept;
  }
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
  if (auto done = co_await raise_epoch(move); !done) co_return done;
  ++result_.abandoned;
  co_return co_await settle(move.slot, move.from);
}

Task<Result<std::uint64_t>> Reshard::highest_epoch() {
  std::uint64_t highest = 0;
  for (const std::string& master : masters()) {
    const auto servers = co_await servers_of(*node_of(master));
    if (!servers) co_return fail(servers.error().copy());
    for (const redis::ClusterNode& each : *servers) highest = std::max(highest, each.epoch);
  }
  co_return highest;
}

Task<Result<void>> Reshard::raise_epoch(SlotMove move) {
  const std::string owner = move.from;
  if (raised_.contains(owner)) co_return {};
  const auto highest = co_await highest_epoch();
  if (!highest) co_return fail(highest.error().copy());
  const std::vector<std::string> ids = masters();
  for (const std::string& each : ids) {
    if (each == owner) continue;
    if (auto heard = co_await learn_epoch(each, owner); !heard) co_return heard;
  }
  const auto other = std::ranges::find_if(
      ids, [&](const std::string& id) { return id != owner && id != move.to; });
  // A master that has the highest epoch it knows of gets no higher one, so two of them take turns.
  for (const Instant until = deadline();;) {
    if (other != ids.end()) {
      auto bumped = co_await ask(*other, {"CLUSTER", "BUMPEPOCH"});
      if (!bumped) co_return fail(std::move(bumped).error());
      if (auto heard = co_await learn_epoch(*other, owner); !heard) co_return heard;
    }
    auto bumped = co_await ask(owner, {"CLUSTER", "BUMPEPOCH"});
    if (!bumped) co_return fail(std::move(bumped).error());
    const redis::Node* const node = node_of(owner);
    if (node == nullptr) co_return fail(Errc::unavailable, "master " + owner + " is gone");
    const auto servers = co_await servers_of(*node);
    if (!servers) co_return fail(servers.error().copy());
    if (other == ids.end()) co_return {};
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
