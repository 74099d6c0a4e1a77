// Which slots to move so that masters have equal parts of a crawl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::cluster {

// A slot that moves from one master to another. Both are ids in the cluster.
struct SlotMove {
  std::uint16_t slot = 0;
  std::string from;
  std::string to;

  friend bool operator==(const SlotMove&, const SlotMove&) = default;
};

struct OwnedSlot {
  std::uint16_t slot = 0;
  std::string owner;
};

// Returns the fewest moves after which the numbers of these slots on any two masters differ by at
// most one. An owner that is not one of the masters keeps its slots.
std::vector<SlotMove> plan_even(const std::vector<OwnedSlot>& slots,
                                const std::vector<std::string>& masters);
// Returns moves of the first slots of one master, at most `count`.
std::vector<SlotMove> plan_from(const std::vector<OwnedSlot>& slots, const std::string& from,
                                const std::string& to, std::size_t count);

}  // namespace gossamer::cluster
