#include "node/address_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gossamer::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(AddressMomentsTest, RequestsWaitForReservedMoments) {
  AddressMoments moments(400ms);
  const Instant begin(10s);
  EXPECT_GT(moments.start("192.0.2.1", begin), begin);
  EXPECT_GT(moments.start("192.0.2.1", begin), begin);
  EXPECT_THAT(moments.take_wanted(), ElementsAre("192.0.2.1")) << "it is asked once";
  moments.add("192.0.2.1", begin + 1s);
  EXPECT_EQ(moments.start("192.0.2.1", begin), begin + 1s) << "another node has the time before";
  EXPECT_EQ(moments.start("192.0.2.1", begin + 1s), std::nullopt);
  EXPECT_EQ(moments.start("192.0.2.1", begin + 1s), begin + 1400ms);
  EXPECT_EQ(moments.start("192.0.2.1", begin + 1400ms), std::nullopt);
  EXPECT_THAT(moments.take_wanted(), IsEmpty());
}

TEST(AddressMomentsTest, AMomentThatHasPassedIsNotUsed) {
  AddressMoments moments(400ms);
  const Instant begin(10s);
  static_cast<void>(moments.start("192.0.2.1", begin));
  static_cast<void>(moments.take_wanted());
  moments.add("192.0.2.1", begin);
  EXPECT_NE(moments.start("192.0.2.1", begin + 900ms), std::nullopt);
  EXPECT_THAT(moments.take_wanted(), ElementsAre("192.0.2.1"));
}

TEST(AddressMomentsTest, AFailedReservationIsRepeated) {
  AddressMoments moments(400ms);
  static_cast<void>(moments.start("192.0.2.1", Instant(1s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre("192.0.2.1"));
  moments.add("192.0.2.1", std::nullopt);
  static_cast<void>(moments.start("192.0.2.1", Instant(2s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre("192.0.2.1"));
}

}  // namespace
}  // namespace gossamer::node
