#include "node/address_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

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
  moments.add(kAddress, 1s, moments.spacing(), kBegin, kBegin);
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
  moments.add(kAddress, Duration::zero(), moments.spacing(), kBegin, kBegin);
  EXPECT_NE(moments.start(kAddress, kBegin + 900ms), std::nullopt);
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
}

TEST(AddressMomentsTest, AMomentIsUsedUntilItsLastInstant) {
  for (const Duration late : {100ms, 101ms}) {
    AddressMoments moments(400ms);
    moments.add(kAddress, Duration::zero(), moments.spacing(), kBegin, kBegin);
    EXPECT_EQ(moments.start(kAddress, kBegin + late) == std::nullopt, late == 100ms);
  }
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
    early.add(kAddress, Duration::zero(), early.spacing(), kBegin, kBegin + delay);
    late.add(kAddress, later, late.spacing(), kBegin + delay, kBegin + delay);
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

// Redis serves one address of two nodes and answers after `delay`. Returns when requests start.
std::vector<Instant> starts_with(Duration delay, Duration gap, Instant end) {
  struct Call {
    std::size_t node;
    Instant sent;
    Duration spacing;
    Duration wait;
  };
  std::vector<AddressMoments> nodes(2, AddressMoments(gap));
  std::multimap<Instant, Call> answers;
  Instant next_free = kBegin;
  std::vector<Instant> starts;
  for (Instant now = kBegin; now < end; now += 1ms) {
    for (; !answers.empty() && answers.begin()->first <= now; answers.erase(answers.begin())) {
      const Call& call = answers.begin()->second;
      nodes[call.node].add(kAddress, call.wait, call.spacing, call.sent, now);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!nodes[i].start(kAddress, now)) starts.push_back(now);
      if (nodes[i].take_wanted().empty()) continue;
      // Redis is half the delay away.
      const Instant served = now + delay / 2;
      const Instant first = std::max(served, next_free);
      const Duration spacing = nodes[i].spacing();
      next_free = first + spacing * int{AddressMoments::kAtOnce};
      answers.emplace(now + delay, Call{i, now, spacing, first - served});
    }
  }
  return starts;
}

TEST(AddressMomentsTest, SlowAnswersOnlyMakeThePauseLonger) {
  constexpr Duration kGap = 400ms;
  for (const Duration delay : {0ms, 90ms, 150ms, 400ms, 1500ms}) {
    const std::vector<Instant> starts = starts_with(delay, kGap, kBegin + 60s);
    EXPECT_GE(starts.size(), 10u) << delay.count();
    for (std::size_t i = 1; i < starts.size(); ++i) {
      EXPECT_GE(starts[i] - starts[i - 1], kGap) << delay.count();
    }
  }
}

TEST(AddressMomentsTest, OneLateAnswerDoesNotStopAnAddress) {
  AddressMoments moments(400ms);
  moments.add(kAddress, Duration::zero(), moments.spacing(), kBegin, kBegin + 20s);
  EXPECT_LE(moments.spacing(), 4s);
  moments.add(kAddress, Duration::zero(), moments.spacing(), kBegin, kBegin + 1ms);
  EXPECT_EQ(moments.spacing(), 500ms);
}

TEST(AddressMomentsTest, AFailedReservationIsRepeated) {
  AddressMoments moments(400ms);
  static_cast<void>(moments.start(kAddress, Instant(1s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
  moments.add(kAddress, std::nullopt, moments.spacing(), Instant(1s), Instant(1s));
  static_cast<void>(moments.start(kAddress, Instant(2s)));
  EXPECT_THAT(moments.take_wanted(), ElementsAre(kAddress));
}

// With kAddress there are so many that room is made for another one.
void fill(AddressMoments& moments, Instant now) {
  for (int i = 1; i < 10'000; ++i) {
    const std::string other = "host " + std::to_string(i);
    static_cast<void>(moments.start(other, now));
    moments.add(other, std::nullopt, moments.spacing(), now, now);
  }
  static_cast<void>(moments.take_wanted());
}

TEST(AddressMomentsTest, AMomentThatCanBeUsedIsNotForgottenForOtherAddresses) {
  for (const Duration late : {0ms, 1ms}) {
    AddressMoments moments(400ms);
    moments.add(kAddress, Duration::zero(), moments.spacing(), kBegin, kBegin);
    fill(moments, kBegin);
    // The second moment of the address can be used until then.
    const Instant now = kBegin + moments.spacing() + 100ms + late;
    static_cast<void>(moments.start("one more", now));
    EXPECT_EQ(moments.start(kAddress, now) == std::nullopt, late == 0ms);
  }
}

TEST(AddressMomentsTest, AnAddressThatIsAskedForIsNotAskedForAgain) {
  AddressMoments moments(400ms);
  static_cast<void>(moments.start(kAddress, kBegin));
  fill(moments, kBegin);
  static_cast<void>(moments.start("one more", kBegin));
  static_cast<void>(moments.start(kAddress, kBegin));
  EXPECT_THAT(moments.take_wanted(), ElementsAre("one more"));
}

}  // namespace
}  // namespace gossamer::node
