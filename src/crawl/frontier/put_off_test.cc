#include "frontier/put_off.h"

#include <gtest/gtest.h>

#include <string>

namespace gossamer::crawler {
namespace {

constexpr Instant kNow = Instant(100s);

Target failed_target(std::string url, Fault fault = Fault::unknown) {
  Target made;
  made.url = std::move(url);
  made.fault = fault;
  return made;
}

TEST(PutOffTargets, WaitForTheirTimeAndForAnAnswerOfAnother) {
  PutOffTargets targets;
  EXPECT_TRUE(targets.empty());
  targets.add(failed_target("a"), kNow, kNow + 2s);
  EXPECT_EQ(targets.first_due(), kNow + 2s);
  EXPECT_FALSE(targets.take_due(kNow + 1s, kNow + 1s)) << "too early";
  EXPECT_FALSE(targets.take_due(kNow + 2s, kNow)) << "nothing was answered since";
  const auto taken = targets.take_due(kNow + 2s, kNow + 1s);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->fault, Fault::likely);
  EXPECT_TRUE(targets.empty());
}

TEST(PutOffTargets, NeedNoAnswerOfAnotherOnceTheirFaultIsProven) {
  PutOffTargets targets;
  targets.add(failed_target("a", Fault::proven), kNow, kNow + 2s);
  EXPECT_FALSE(targets.take_due(kNow + 1s, Instant::min()));
  const auto taken = targets.take_due(kNow + 2s, Instant::min());
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->fault, Fault::proven);
}

TEST(PutOffTargets, CanBeTakenInDoubt) {
  PutOffTargets targets;
  targets.add(failed_target("a"), kNow, kNow + 2s);
  targets.add(failed_target("b"), kNow, kNow + 1s);
  EXPECT_FALSE(targets.take_due(kNow));
  const auto taken = targets.take_due(kNow + 1s);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->url, "b");
  EXPECT_EQ(taken->fault, Fault::unknown);
  EXPECT_EQ(targets.pop().url, "a");
}

TEST(PutOffTargets, TheOldestThatIsDueIsFirst) {
  PutOffTargets targets;
  for (const char* const url : {"a", "b", "c"}) targets.add(failed_target(url), kNow, kNow);
  EXPECT_EQ(targets.take_due(kNow, kNow + 1s)->url, "a");
  EXPECT_EQ(targets.take_due(kNow, kNow + 1s)->url, "b");
  EXPECT_EQ(targets.size(), 1u);
}

}  // namespace
}  // namespace gossamer::crawler
