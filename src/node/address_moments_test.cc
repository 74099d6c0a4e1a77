#include "node/address_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace gossamer::node {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kAddress = "192.0.2.1";
const Instant kBegin(10s);

TEST(AddressMomentsTest, RequestsWaitForReservedMoments) {
  AddressMoments moments(400ms);
  EXPECT_GT(moments.start(kAddress, kBegin), kBegin);
  EXPECT_GT(moments.start(kAddress, kBegin), kBegin);
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress)) << "it is asked once";
  moments.add(kAddress, 1s, kBegin, kBegin);
  EXPECT_EQ(moments.start(kAddress, kBegin), kBegin + 1s) << "another node has the time before";
  EXPECT_EQ(moments.start(kAddress, kBegin + 1s), std::nullopt);
  EXPECT_EQ(moments.start(kAddress, kBegin + 1s), kBegin + 1500ms);
  EXPECT_EQ(moments.start(kAddress, kBegin + 1500ms), std::nullopt);
  EXPECT_THAT(moments.take_wanted(), IsEmpty());
}

TEST(AddressMomentsTest, AMomentThatHasPassedIsNotUsed) {
  AddressMoments moments(400ms);
  static_cast<void>(moments.start(kAddress, kBegin));
  static_cast<void>(moments.take_wanted());
  moments.add(kAddress, Duration::zero(), kBegin, kBegin);
  EXPECT_NE(moments.start(kAddress, kBegin + 900ms), std::nullopt);
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
}

// Two nodes share the address. Redis is `delay` away, and reserves moments one after another.
TEST(AddressMomentsTest, ThePauseIsNeverShorter) {
  constexpr Duration kGap = 400ms;
  for (const Duration delay : {0ms, 30ms, 90ms}) {
    AddressMoments early(kGap);
    AddressMoments late(kGap);
    // Redis reserves two moments for one node, then two for the other.
    const Instant first = kBegin + delay;
    const Duration later = early.spacing() * int{AddressMoments::kAtOnce};
    early.add(kAddress, Duration::zero(), kBegin, kBegin + delay);
    late.add(kAddress, later, kBegin + delay, kBegin + delay);
    Instant last = Instant::min();
    for (Instant now = first; now < first + later; now += 1ms) {
      // A busy node starts requests at any time from the moment on.
      if ((now - first) % 9ms == 0ms && !early.start(kAddress, now)) last = now;
    }
    EXPECT_GT(last, first);
    Instant next = first;
    while (late.start(kAddress, next)) next += 1ms;
    EXPECT_GE(next - last, kGap) << delay.count();
  }
}

TEST(AddressMomentsTest, AFailedReservationIsRepeated) {
  AddressMoments moments(400ms);
  static_cast<void>(moments.start(kAddress, Instant(1s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
  moments.add(kAddress, std::nullopt, Instant(1s), Instant(1s));
  static_cast<void>(moments.start(kAddress, Instant(2s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
}

}  // namespace
}  // namespace gossamer::node
