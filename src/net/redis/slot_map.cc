#include "redis/slot_map.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gossamer::redis {
namespace {

Error malformed() { return Error(Errc::malformed, "the reply to CLUSTER SLOTS"); }

// [host, port, id, ...]. The host is null or empty if the server does not know it, "?" if it is
// configured to have a name and has none.
Result<Node> read_node(const Reply& reply, const Node& sender) {
  if (!reply.is_array() || reply.items.size() < 2) return fail(malformed());
  const Reply& host = reply.items[0];
  const std::int64_t port = reply.items[1].as_integer(0);
  if (port < 1 || port > 65535) return fail(malformed());
  const bool is_known = !host.is_null() && !host.text.empty() && host.text != "?";
  auto node = parse_node((is_known ? host.text : sender.host) + ":" + std::to_string(port));
  if (!node) return fail(malformed());
  return node;
}

}  // namespace

SlotMap SlotMap::single(Node node) {
  SlotMap map;
  map.masters_.push_back({.node = std::move(node), .slots = kSlots});
  std::ranges::fill(map.owners_, std::uint16_t{0});
  return map;
}

Result<SlotMap> SlotMap::parse(const Reply& reply, const Node& sender) {
  if (!reply.is_array() || reply.items.size() > kSlots) return fail(malformed());
  SlotMap map;
  std::size_t slots_left = kSlots;  // ranges do not overlap
  for (const Reply& range : reply.items) {
    auto added = map.add_range(range, sender, slots_left);
    if (!added) return fail(std::move(added).error());
  }
  return map;
}

Result<void> SlotMap::add_range(const Reply& range, const Node& sender, std::size_t& slots_left) {
  if (!range.is_array() || range.items.size() < 3) return fail(malformed());
  const std::int64_t first = range.items[0].as_integer(-1);
  const std::int64_t last = range.items[1].as_integer(-1);
  if (first < 0 || last < first || last >= kSlots) return fail(malformed());
  const auto slots = static_cast<std::size_t>(last - first + 1);
  if (slots > slots_left) return fail(malformed());
  slots_left -= slots;
  auto node = read_node(range.items[2], sender);
  if (!node) return fail(std::move(node).error());
  const auto index = index_of(*node);
  if (!index || range.items.size() > kNodesMax) return fail(Errc::over_limit, "too many nodes");
  Master& master = masters_[*index];
  if (const Reply& owner = range.items[2]; owner.items.size() > 2) master.id = owner.items[2].text;
  if (master.replicas.empty()) {
    for (std::size_t i = 3; i < range.items.size(); ++i) {
      auto replica = read_node(range.items[i], sender);
      if (!replica) return fail(std::move(replica).error());
      master.replicas.push_back(std::move(*replica));
    }
  }
  for (std::int64_t slot = first; slot <= last; ++slot) {
    assign(static_cast<std::uint16_t>(slot), *index);
  }
  return {};
}

std::optional<std::uint16_t> SlotMap::index_of(const Node& node) {
  const auto found = std::ranges::find(masters_, node, &Master::node);
  if (found != masters_.end()) return static_cast<std::uint16_t>(found - masters_.begin());
  if (masters_.size() >= kNodesMax) return std::nullopt;
  masters_.push_back({.node = node});
  return static_cast<std::uint16_t>(masters_.size() - 1);
}

const SlotMap::Master* SlotMap::master_of(std::uint16_t slot) const {
  const std::uint16_t index = owners_[slot];
  return index == kNobody ? nullptr : &masters_[index];
}

std::optional<Node> SlotMap::owner(std::uint16_t slot) const {
  const Master* const master = master_of(slot);
  if (master == nullptr) return std::nullopt;
  return master->node;
}

void SlotMap::move(std::uint16_t slot, const Node& to) {
  if (const auto index = index_of(to)) assign(slot, *index);
}

void SlotMap::assign(std::uint16_t slot, std::uint16_t index) {
  if (owners_[slot] != kNobody) --masters_[owners_[slot]].slots;
  owners_[slot] = index;
  ++masters_[index].slots;
}

std::size_t SlotMap::slots_covered() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(owners_, [](std::uint16_t owner) { return owner != kNobody; }));
}

}  // namespace gossamer::redis
