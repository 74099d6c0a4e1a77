// Tests the pace of hosts that an earlier process knew, and why hosts are parked.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>

#include "frontier/politeness.h"

namespace gossamer::crawler {
namespace {

constexpr Instant kRecalledAt = Instant(1000h);

// One request from start to end.
bool is_parked_after(HostPace& pace, Instant start, Duration took, HostSign sign,
                     std::optional<Duration> retry_after = std::nullopt) {
  pace.start(start);
  return pace.finish(start, took, start + took, sign, retry_after);
}

class RecalledPace : public testing::Test {
 protected:
  PolitenessOptions options;
};

TEST_F(RecalledPace, AnotherProcessKeepsWhatIsKnownOfAHost) {
  options.delay_min = 1s;
  HostPace pace(options);
  pace.set_own(true);
  pace.recall({.ready_at = kRecalledAt,
               .last_took = 200ms,
               .crawl_delay = 5s,
               .backoff = 20s,
               .throttle = 10s,
               .failures = 1,
               .refusals = 0,
               .is_own = false,
               .has_answered = true},
              kRecalledAt);
  EXPECT_FALSE(pace.is_own());
  EXPECT_EQ(pace.failures(), 1u);
  EXPECT_EQ(pace.spacing(), 5s);
  EXPECT_EQ(pace.delay(), 20s);
  EXPECT_EQ(pace.ready_at(), kRecalledAt + 5s) << "its last request may just have ended";
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 5s, 10ms, HostSign::answered));
  EXPECT_EQ(pace.delay(), Duration(10s) - Duration(10s) / 64) << "the throttle is left";
  EXPECT_TRUE(pace.memory().has_answered);
}

TEST_F(RecalledPace, AnotherProcessKnowsHowLongTheLastResponseTook) {
  HostPace pace(options);
  pace.recall({.last_took = 200ms}, kRecalledAt);
  EXPECT_EQ(pace.spacing(), 2s);
  EXPECT_EQ(pace.ready_at(), kRecalledAt + 2s);
}

TEST_F(RecalledPace, AnotherProcessMayAcceptOnlyAShorterCrawlDelay) {
  options.crawl_delay_max = 10s;
  HostPace pace(options);
  pace.recall({.crawl_delay = 300s}, kRecalledAt);
  EXPECT_EQ(pace.spacing(), 10s);
}

TEST_F(RecalledPace, AnotherProcessObeysThePausesThatAHostRequested) {
  HostPace pace(options);
  pace.recall({.ready_at = kRecalledAt + 1h, .refusals = 1}, kRecalledAt);
  EXPECT_EQ(pace.ready_at(), kRecalledAt + 1h);
  EXPECT_TRUE(pace.is_refusing());
  HostPace failed(options);
  failed.recall({.ready_at = kRecalledAt + 1h, .failures = 1, .refusals = 1}, kRecalledAt);
  EXPECT_EQ(failed.ready_at(), kRecalledAt + 1h) << "the pause is not ours alone";
}

TEST_F(RecalledPace, AnotherProcessTriesAHostThatNeverAnsweredImmediately) {
  options.delay = Duration::zero();
  for (const auto failures : std::to_array<std::uint16_t>({1, 2})) {
    HostPace pace(options);
    pace.recall({.ready_at = kRecalledAt + 1h, .backoff = 1h, .failures = failures}, kRecalledAt);
    EXPECT_LE(pace.ready_at(), kRecalledAt);
    EXPECT_EQ(pace.failures(), 0u);
    EXPECT_EQ(pace.delay(), Duration::zero());
  }
}

TEST_F(RecalledPace, AnotherProcessWaitsForAHostThatDidNotFail) {
  HostPace pace(options);
  pace.recall({.ready_at = kRecalledAt + 30s}, kRecalledAt);
  EXPECT_EQ(pace.ready_at(), kRecalledAt + 30s);
  HostPace failed(options);
  failed.recall({.ready_at = kRecalledAt + 30s, .failures = 1, .has_answered = true}, kRecalledAt);
  EXPECT_EQ(failed.ready_at(), kRecalledAt + 30s);
}

// --- why a host is parked

TEST_F(RecalledPace, SaysWhyAHostIsParked) {
  options.failures_max = 1;
  HostPace silent(options);
  EXPECT_TRUE(is_parked_after(silent, kRecalledAt, 1s, HostSign::failed));
  EXPECT_EQ(silent.park_reason(), ParkReason::silent);
  options.refusals_max = 1;
  HostPace refusing(options);
  EXPECT_TRUE(is_parked_after(refusing, kRecalledAt, 1s, HostSign::refused));
  EXPECT_EQ(refusing.park_reason(), ParkReason::refusing);
  HostPace asks(options);
  EXPECT_TRUE(is_parked_after(asks, kRecalledAt, 1s, HostSign::refused, options.wait_max + 1s));
  EXPECT_EQ(asks.park_reason(), ParkReason::asks_to_wait);
}

TEST_F(RecalledPace, TheLastTroubleSaysWhyAHostIsParked) {
  options.refusals_max = 2;
  HostPace pace(options);
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt, 1s, HostSign::failed));
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 1h, 1s, HostSign::refused));
  EXPECT_TRUE(is_parked_after(pace, kRecalledAt + 2h, 1s, HostSign::refused));
  EXPECT_EQ(pace.park_reason(), ParkReason::refusing) << "it has answered since it failed";
  options.failures_max = 1;
  options.outage_max = Duration::zero();
  HostPace asked(options);
  EXPECT_TRUE(is_parked_after(asked, kRecalledAt, 1s, HostSign::refused, options.wait_max + 1s));
  EXPECT_FALSE(is_parked_after(asked, kRecalledAt + 1h, 1s, HostSign::answered));
  EXPECT_TRUE(is_parked_after(asked, kRecalledAt + 2h, 1s, HostSign::failed));
  EXPECT_EQ(asked.park_reason(), ParkReason::silent) << "it has answered since it asked";
}

TEST_F(RecalledPace, AHostMayFailAnyNumberOfTimes) {
  options.outage_max = 100'000h;
  HostPace pace(options);
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt, 1s, HostSign::answered));
  for (int i = 1; i <= 70'000; ++i) {
    EXPECT_FALSE(is_parked_after(pace, kRecalledAt + i * 10s, 1s, HostSign::failed));
  }
  EXPECT_TRUE(pace.is_down());
  EXPECT_EQ(pace.failures(), 65'535u);
}

TEST_F(RecalledPace, AnOutageThatIsAsLongAsTheLimitParksAHost) {
  options.failures_max = 2;
  options.outage_max = 1min;
  HostPace pace(options);
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt, 1s, HostSign::answered));
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 1h, 1s, HostSign::failed));
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 1h + 1min - 1s, 1s - 1ns, HostSign::failed));
  EXPECT_TRUE(is_parked_after(pace, kRecalledAt + 1h + 1min, 1s, HostSign::failed));
}

TEST_F(RecalledPace, AnOutageBeginsWithItsFirstFailure) {
  options.failures_max = 2;
  options.outage_max = 1min;
  HostPace pace(options);
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt, 1s, HostSign::answered));
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 1h, 1s, HostSign::failed));
  EXPECT_TRUE(is_parked_after(pace, kRecalledAt + 2h, 1s, HostSign::failed))
      << "it was down for an hour";
}

TEST_F(RecalledPace, AServerErrorEndsAnOutage) {
  HostPace pace(options);
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt, 1s, HostSign::failed));
  EXPECT_FALSE(is_parked_after(pace, kRecalledAt + 1h, 1s, HostSign::erred));
  EXPECT_EQ(pace.failures(), 0u);
}

}  // namespace
}  // namespace gossamer::crawler
