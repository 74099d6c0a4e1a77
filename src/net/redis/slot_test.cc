#include "redis/slot.h"

#include <gtest/gtest.h>

namespace gossamer::redis {
namespace {

TEST(Slot, IsTheChecksumOfTheKey) {
  EXPECT_EQ(slot_of("123456789"), 0x31c3) << "the example of the specification";
  EXPECT_EQ(slot_of("foo"), 12182);
  EXPECT_EQ(slot_of(""), 0);
}

TEST(Slot, OnlyTheTagCounts) {
  EXPECT_EQ(slot_of("{user1000}.following"), slot_of("user1000"));
  EXPECT_EQ(slot_of("foo{}{bar}"), slot_of("foo{}{bar}"));
  EXPECT_NE(slot_of("foo{}{bar}"), slot_of("bar"));
  EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
  EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
  EXPECT_EQ(slot_of("H{museum.3}x{y}"), slot_of("museum.3"));
}

}  // namespace
}  // namespace gossamer::redis
