#include "cluster/reshard_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace gossamer::cluster {
namespace {

std::vector<OwnedSlot> owned(std::initializer_list<std::pair<const char*, int>> counts) {
  std::vector<OwnedSlot> slots;
  std::uint16_t next = 0;
  for (const auto& [owner, count] : counts) {
    for (int i = 0; i < count; ++i) slots.push_back({.slot = next++, .owner = owner});
  }
  return slots;
}

// Applies the moves and returns the number of slots of each master.
std::map<std::string, int> after(const std::vector<OwnedSlot>& slots,
                                 const std::vector<SlotMove>& moves) {
  std::map<std::uint16_t, std::string> owners;
  for (const OwnedSlot& each : slots) owners[each.slot] = each.owner;
  for (const SlotMove& move : moves) {
    EXPECT_EQ(owners[move.slot], move.from);
    owners[move.slot] = move.to;
  }
  std::map<std::string, int> counts;
  for (const auto& [slot, owner] : owners) ++counts[owner];
  return counts;
}

TEST(ReshardPlanTest, EvenGivesANewMasterItsShare) {
  const auto slots = owned({{"a", 86}, {"b", 85}, {"c", 85}});
  const auto moves = plan_even(slots, {"a", "b", "c", "d"});
  EXPECT_EQ(moves.size(), 64u);
  EXPECT_EQ(after(slots, moves),
            (std::map<std::string, int>{{"a", 64}, {"b", 64}, {"c", 64}, {"d", 64}}));
}

TEST(ReshardPlanTest, WhatIsEvenStays) {
  EXPECT_TRUE(plan_even(owned({{"a", 3}, {"b", 4}, {"c", 3}}), {"a", "b", "c"}).empty());
  EXPECT_TRUE(plan_even({}, {"a", "b"}).empty());
  EXPECT_TRUE(plan_even(owned({{"a", 3}}), {}).empty());
}

TEST(ReshardPlanTest, AnUnknownOwnerKeepsItsSlots) {
  const auto slots = owned({{"a", 4}, {"x", 9}});
  EXPECT_EQ(after(slots, plan_even(slots, {"a", "b"})),
            (std::map<std::string, int>{{"a", 2}, {"b", 2}, {"x", 9}}));
}

TEST(ReshardPlanTest, FromTakesAtMostTheCount) {
  const auto slots = owned({{"a", 4}, {"b", 4}});
  EXPECT_EQ(plan_from(slots, "b", "a", 2), (std::vector<SlotMove>{{4, "b", "a"}, {5, "b", "a"}}));
  EXPECT_EQ(plan_from(slots, "b", "a", 100).size(), 4u);
  EXPECT_TRUE(plan_from(slots, "b", "b", 100).empty());
}

}  // namespace
}  // namespace gossamer::cluster
