#include "cluster/slot_copies.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "async/sleep.h"
#include "redis/resp.h"
#include "redis/server_error.h"

namespace gossamer::cluster {
namespace {

using async::Task;
using redis::Reply;

// One reply names the keys of a slot.
constexpr std::size_t kKeysInSlotMax = 900'000;

}  // namespace

std::vector<std::string> set_slot(std::uint16_t slot, std::string state, std::string id) {
  std::vector<std::string> words = {"CLUSTER", "SETSLOT", std::to_string(slot), std::move(state)};
  if (!id.empty()) words.push_back(std::move(id));
  return words;
}

Task<Result<std::vector<std::string>>> SlotCopies::keys_in(std::uint16_t slot, std::string id) {
  const redis::Node* const node = servers_.node_of(id);
  if (node == nullptr) co_return fail(Errc::unavailable, "master " + id + " is gone");
  co_return co_await keys_on(slot, *node);
}

Task<Result<std::vector<std::string>>> SlotCopies::keys_on(std::uint16_t slot, redis::Node node) {
  auto replies = co_await client_.run_on(
      node,
      redis::Commands().add(
          {"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), std::to_string(kKeysInSlotMax + 1)}),
      redis::Lane::quick, servers_.deadline());
  if (!replies) co_return fail(std::move(replies).error());
  Reply& listed = replies->front();
  if (listed.is_error()) co_return fail(redis::error_of(listed.text, node));
  if (listed.items.size() > kKeysInSlotMax) co_return fail(Errc::over_limit, "too many keys");
  std::vector<std::string> keys;
  for (Reply& key : listed.items) keys.push_back(std::move(key.text));
  co_return keys;
}

Task<Result<std::vector<std::uint16_t>>> SlotCopies::slots_on(redis::Node node,
                                                              std::vector<std::uint16_t> slots) {
  if (slots.empty()) co_return slots;
  redis::Commands commands;
  for (const std::uint16_t slot : slots) {
    commands.add({"CLUSTER", "COUNTKEYSINSLOT", std::to_string(slot)});
  }
  auto counts =
      co_await client_.run_on(node, std::move(commands), redis::Lane::quick, servers_.deadline());
  if (!counts) co_return fail(std::move(counts).error());
  std::vector<std::uint16_t> found;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if ((*counts)[i].as_integer(0) > 0) found.push_back(slots[i]);
  }
  co_return found;
}

Task<Result<std::size_t>> SlotCopies::remove(SlotCopy copy) {
  auto keys = co_await keys_in(copy.slot, copy.holder);
  if (!keys) co_return fail(std::move(keys).error());
  const std::size_t count = keys->size();
  const std::set<std::string_view> there(keys->begin(), keys->end());
  std::erase_if(copy.lost, [&there](const std::string& key) { return there.contains(key); });
  if (keys->empty() && copy.lost.empty()) co_return 0u;
  // A server that owns the slot refuses this, so the keys are copies.
  auto importing = co_await servers_.ask(copy.holder, set_slot(copy.slot, "IMPORTING", copy.owner));
  if (!importing) co_return fail(std::move(importing).error());
  const redis::Node node = *servers_.node_of(copy.holder);
  std::ranges::partition(*keys, [&copy](const std::string& key) {
    return std::ranges::find(copy.last, key) == copy.last.end();
  });
  auto removed = co_await remove_keys(node, std::move(copy.lost), false);
  if (removed) removed = co_await remove_keys(node, std::move(*keys), true);
  if (!removed) co_return fail(std::move(removed).error());
  auto stable = co_await servers_.ask(copy.holder, set_slot(copy.slot, "STABLE"));
  if (!stable) co_return fail(std::move(stable).error());
  co_return count;
}

Task<Result<std::size_t>> SlotCopies::remove_with_patience(SlotCopy copy) {
  auto removed = co_await remove(copy);
  if (removed || removed.error() == Errc::cancelled) co_return removed;
  if (auto slept = co_await async::sleep(ClusterServers::kAgainPause); !slept) {
    co_return fail(std::move(slept).error());
  }
  removed = co_await remove(copy);
  if (!removed) {
    static_cast<void>(co_await servers_.ask(copy.holder, set_slot(copy.slot, "STABLE")));
  }
  co_return removed;
}

Task<Result<void>> SlotCopies::remove_keys(redis::Node node, std::vector<std::string> keys,
                                           bool is_there) {
  for (std::size_t next = 0; next < keys.size();) {
    redis::Commands commands;
    for (std::size_t i = 0; i < keys_in_step_ && next < keys.size(); ++i, ++next) {
      if (!is_there) commands.add({"ASKING"}).add({"SET", keys[next], ""});
      commands.add({"ASKING"}).add({"DEL", keys[next]});
    }
    auto replies =
        co_await client_.run_on(node, std::move(commands), redis::Lane::quick, servers_.deadline());
    if (!replies) co_return fail(std::move(replies).error());
    const auto error = std::ranges::find_if(*replies, &Reply::is_error);
    if (error != replies->end()) co_return fail(redis::error_of(error->text, node));
  }
  co_return {};
}

}  // namespace gossamer::cluster
