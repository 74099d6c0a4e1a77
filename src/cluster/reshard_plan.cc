#include "cluster/reshard_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gossamer::cluster {

std::vector<SlotMove> plan_even(const std::vector<OwnedSlot>& slots,
                                const std::vector<std::string>& masters) {
  std::map<std::string, std::vector<std::uint16_t>> owned;
  for (const std::string& master : masters) owned[master];
  std::size_t total = 0;
  for (const OwnedSlot& each : slots) {
    const auto place = owned.find(each.owner);
    if (place == owned.end()) continue;
    place->second.push_back(each.slot);
    ++total;
  }
  if (owned.empty()) return {};
  // Those with the most slots keep one more, if they cannot be divided evenly.
  std::vector<std::pair<std::string, std::vector<std::uint16_t>>> by_size(owned.begin(),
                                                                          owned.end());
  std::ranges::sort(by_size, [](const auto& one, const auto& other) {
    return std::pair(other.second.size(), one.first) < std::pair(one.second.size(), other.first);
  });
  const std::size_t share = total / by_size.size();
  const std::size_t with_one_more = total % by_size.size();
  std::vector<SlotMove> moves;
  for (std::size_t i = 0; i < by_size.size(); ++i) {
    auto& [master, its] = by_size[i];
    const std::size_t quota = share + (i < with_one_more ? 1 : 0);
    for (; its.size() > quota; its.pop_back()) {
      moves.push_back({.slot = its.back(), .from = master, .to = {}});
    }
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < by_size.size(); ++i) {
    const std::size_t quota = share + (i < with_one_more ? 1 : 0);
    for (std::size_t has = by_size[i].second.size(); has < quota && next < moves.size(); ++has) {
      moves[next++].to = by_size[i].first;
    }
  }
  return moves;
}

std::vector<SlotMove> plan_from(const std::vector<OwnedSlot>& slots, const std::string& from,
                                const std::string& to, std::size_t count) {
  std::vector<SlotMove> moves;
  for (const OwnedSlot& each : slots) {
    if (moves.size() == count) break;
    if (each.owner == from && from != to) {
      moves.push_back({.slot = each.slot, .from = from, .to = to});
    }
  }
  return moves;
}

}  // namespace gossamer::cluster
