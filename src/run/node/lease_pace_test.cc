#include "node/lease_pace.h"

#include <gtest/gtest.h>

namespace gossamer::node {
namespace {

TEST(LeasePaceTest, NodesShareTheHosts) {
  LeasePace pace(256);
  EXPECT_EQ(pace.wanted(), 256U);
  EXPECT_EQ(pace.share(1000, 1), 320U) << "a single node takes all it can";
  EXPECT_EQ(pace.wanted(), 256U);
  EXPECT_EQ(pace.share(30, 4), 10U) << "a node keeps a quarter more than its share";
  EXPECT_EQ(pace.wanted(), 8U);
  static_cast<void>(pace.share(0, 4));
  EXPECT_EQ(pace.wanted(), 1U);
}

TEST(LeasePaceTest, LooksLessOftenWhileItFindsNothing) {
  LeasePace pace(256);
  Instant now = Instant(Duration(1h));
  pace.note(now, false, false);
  EXPECT_FALSE(pace.is_due(now + 49ms));
  EXPECT_TRUE(pace.is_due(now + 50ms));
  for (int i = 0; i < 10; ++i) pace.note(now, false, false);
  EXPECT_FALSE(pace.is_due(now + 999ms));
  EXPECT_TRUE(pace.is_due(now + 1s));
  pace.note(now, true, true);
  EXPECT_TRUE(pace.is_due(now + 50ms));
}

TEST(LeasePaceTest, LeasesMoreOfAPartitionWhileHostsAreShort) {
  LeasePace pace(256);
  const Instant now = Instant(Duration(1h));
  for (int i = 0; i < 3; ++i) pace.note(now, true, false);
  EXPECT_EQ(pace.per_partition(), 8U);
  for (int i = 0; i < 20; ++i) pace.note(now, true, false);
  EXPECT_EQ(pace.per_partition(), 256U);
  pace.note(now, true, true);
  EXPECT_EQ(pace.per_partition(), 1U);
}

TEST(LeasePaceTest, WaitsLongerEachTimeNoHostAnswers) {
  LeasePace pace(256);
  const Instant now = Instant(Duration(1h));
  EXPECT_TRUE(pace.put_off(now));
  EXPECT_FALSE(pace.put_off(now + 1s)) << "it is the same outage";
  EXPECT_FALSE(pace.is_due(now + 9s));
  EXPECT_TRUE(pace.is_due(now + 10s));
  EXPECT_TRUE(pace.put_off(now + 10s));
  EXPECT_FALSE(pace.is_due(now + 29s));
  EXPECT_TRUE(pace.is_due(now + 30s));
  pace.trust();
  EXPECT_TRUE(pace.put_off(now + 40s));
  EXPECT_TRUE(pace.is_due(now + 50s)) << "an answer begins a new count";
}

TEST(LeasePaceTest, AnAnswerEndsTheWait) {
  LeasePace pace(256);
  const Instant now = Instant(Duration(1h));
  for (Instant then = now; then < now + 1h; then += 5min) EXPECT_TRUE(pace.put_off(then));
  EXPECT_FALSE(pace.is_due(now + 1h - 1s));
  pace.trust();
  EXPECT_TRUE(pace.is_due(now + 1h - 1s));
  pace.note(now + 1h, false, false);
  pace.trust();
  EXPECT_FALSE(pace.is_due(now + 1h)) << "it was not an outage";
}

}  // namespace
}  // namespace gossamer::node
