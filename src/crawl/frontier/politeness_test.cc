#include "frontier/politeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace gossamer::crawler {
namespace {

constexpr Instant kBegin = Instant(1000h);

// One request from start to end. Returns true if the host must be parked.
bool ask(HostPace& pace, Instant start, Duration took, HostSign sign,
         std::optional<Duration> retry_after = std::nullopt) {
  pace.start(start);
  return pace.finish(start, took, start + took, sign, retry_after);
}

// The same at the next allowed time. Returns the pause that follows.
Duration pause_after(HostPace& pace, HostSign sign,
                     std::optional<Duration> retry_after = std::nullopt) {
  const Instant start = std::max(pace.ready_at(), kBegin);
  static_cast<void>(ask(pace, start, 10ms, sign, retry_after));
  return pace.ready_at() - (start + 10ms);
}

class Pace : public testing::Test {
 protected:
  Pace() { options.concurrency_first = options.own_concurrency; }  // except in tests of this limit

  HostPace stranger() const { return HostPace(options); }
  HostPace own() const {
    HostPace pace(options);
    pace.set_own(true);
    return pace;
  }

  PolitenessOptions options;
};

TEST_F(Pace, ANewHostIsReady) {
  const HostPace pace = stranger();
  EXPECT_LE(pace.ready_at(), kBegin);
  EXPECT_TRUE(pace.has_room());
  EXPECT_EQ(pace.in_flight(), 0u);
}

TEST_F(Pace, APublicHostHasOneRequestAtATime) {
  HostPace pace = stranger();
  EXPECT_EQ(pace.in_flight_max(), 1u);
  pace.start(kBegin);
  EXPECT_EQ(pace.in_flight(), 1u);
  EXPECT_FALSE(pace.has_room());
}

TEST_F(Pace, APublicHostPausesTenTimesTheResponseTimeWithinBounds) {
  struct Row {
    Duration took;
    Duration rest;
  };
  for (const Row& row : {Row{1ms, 1s}, Row{99ms, 1s}, Row{200ms, 2s}, Row{3s, 30s}, Row{1h, 30s}}) {
    HostPace pace = stranger();
    EXPECT_FALSE(ask(pace, kBegin, row.took, HostSign::answered));
    EXPECT_EQ(pace.delay(), row.rest);
    EXPECT_EQ(pace.ready_at(), kBegin + row.took + row.rest) << "counted from the end";
  }
}

TEST_F(Pace, TheLastResponseCountsNotTheSlowestOne) {
  HostPace pace = stranger();
  EXPECT_FALSE(ask(pace, kBegin, 2s, HostSign::answered));
  EXPECT_EQ(pace.delay(), 20s);
  EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::answered));
  EXPECT_EQ(pace.delay(), 1s);
}

TEST_F(Pace, LocalHostsHaveNoPauseAndManyRequests) {
  HostPace pace = own();
  EXPECT_EQ(pace.in_flight_max(), options.own_concurrency);
  for (std::uint32_t i = 0; i < options.own_concurrency; ++i) pace.start(kBegin);
  EXPECT_FALSE(pace.has_room());
  EXPECT_LE(pace.ready_at(), kBegin);
  EXPECT_FALSE(pace.finish(kBegin, 5s, kBegin + 5s, HostSign::answered));
  EXPECT_TRUE(pace.has_room());
  EXPECT_LE(pace.ready_at(), kBegin + 5s);
  EXPECT_EQ(pace.delay(), Duration::zero());
}

TEST_F(Pace, AHostStartsWithFewRequestsAndGetsMore) {
  options.concurrency_first = 4;
  HostPace pace = own();
  EXPECT_EQ(pace.in_flight_max(), 4u);
  EXPECT_FALSE(ask(pace, kBegin, 1ms, HostSign::answered));
  EXPECT_EQ(pace.in_flight_max(), 4u) << "a response alone is not a reason";
  for (std::uint32_t more = 1; more <= 8; ++more) {
    pace.make_room();
    EXPECT_EQ(pace.in_flight_max(), 4 + more);
  }
  EXPECT_FALSE(ask(pace, kBegin, 1ms, HostSign::failed));
  EXPECT_EQ(pace.in_flight_max(), 8u) << "half of the increase";
  for (int i = 0; i < 200; ++i) pace.make_room();
  EXPECT_EQ(pace.in_flight_max(), options.own_concurrency);
  HostPace other = stranger();
  for (int i = 0; i < 200; ++i) other.make_room();
  EXPECT_EQ(other.in_flight_max(), 1u);
}

TEST_F(Pace, TheDelayOptionAppliesToLocalHostsToo) {
  options.delay = 7s;
  for (HostPace pace : {stranger(), own()}) {
    EXPECT_EQ(pace.in_flight_max(), 1u);
    EXPECT_FALSE(ask(pace, kBegin, 10s, HostSign::answered));
    EXPECT_EQ(pace.ready_at(), kBegin + 17s);
  }
}

TEST_F(Pace, NoDelayTreatsAPublicHostLikeALocalOne) {
  options.delay = Duration::zero();
  HostPace pace = stranger();
  EXPECT_EQ(pace.in_flight_max(), options.own_concurrency);
  EXPECT_EQ(pace.delay(), Duration::zero());
}

TEST_F(Pace, WithSeveralInFlightTheDelayIsBetweenTheirStarts) {
  options.delay = 2s;
  options.host_concurrency = 3;
  HostPace pace = stranger();
  pace.start(kBegin);
  EXPECT_EQ(pace.ready_at(), kBegin + 2s);
  pace.start(kBegin + 2s);
  pace.start(kBegin + 4s);
  EXPECT_FALSE(pace.has_room());
  EXPECT_FALSE(pace.finish(kBegin, 20s, kBegin + 20s, HostSign::answered));
  EXPECT_EQ(pace.ready_at(), kBegin + 6s) << "success adds no pause";
}

TEST_F(Pace, ACrawlDelayIsTheLeastPauseWithOneRequestAtATime) {
  HostPace pace = own();
  pace.set_crawl_delay(10s);
  EXPECT_EQ(pace.in_flight_max(), 1u);
  EXPECT_FALSE(ask(pace, kBegin, 1ms, HostSign::answered));
  EXPECT_EQ(pace.ready_at(), kBegin + 1ms + 10s);

  HostPace slow = stranger();
  slow.set_crawl_delay(2s);
  EXPECT_FALSE(ask(slow, kBegin, 1s, HostSign::answered));
  EXPECT_EQ(slow.delay(), 10s) << "the longer one wins";
}

TEST_F(Pace, TheUserMayAllowMoreInFlightThanACrawlDelay) {
  options.host_concurrency = 2;
  HostPace pace = stranger();
  pace.set_crawl_delay(10s);
  pace.start(kBegin);
  EXPECT_TRUE(pace.has_room());
  EXPECT_EQ(pace.ready_at(), kBegin + 10s) << "but never sooner";
}

TEST_F(Pace, FailuresDoubleThePauseAndAGoodAnswerEndsThat) {
  options.failures_max = 100;
  HostPace pace = stranger();
  std::vector<Duration> pauses;
  for (int i = 0; i < 5; ++i) pauses.push_back(pause_after(pace, HostSign::failed));
  EXPECT_EQ(pauses, (std::vector<Duration>{1s, 2s, 4s, 8s, 16s}));
  EXPECT_EQ(pause_after(pace, HostSign::answered), 1s);
  EXPECT_EQ(pause_after(pace, HostSign::failed), 1s) << "it starts again";
}

TEST_F(Pace, ThePauseAfterFailuresIsBounded) {
  options.failures_max = 60'000;
  HostPace pace = stranger();
  for (int i = 0; i < 1000; ++i)
    EXPECT_LE(pause_after(pace, HostSign::failed), options.probe_gap_max);
  EXPECT_EQ(pace.delay(), options.probe_gap_max);
}

TEST_F(Pace, LocalHostsAreRetriedSooner) {
  HostPace pace = own();
  EXPECT_EQ(pause_after(pace, HostSign::failed), 100ms);
  EXPECT_EQ(pause_after(pace, HostSign::failed), 200ms);
}

TEST_F(Pace, ANewHostIsParkedAfterRepeatedFailures) {
  HostPace pace = stranger();
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(ask(pace, pace.ready_at(), 1s, HostSign::failed));
  EXPECT_TRUE(ask(pace, pace.ready_at(), 1s, HostSign::failed));
}

TEST_F(Pace, AKnownHostIsProbedUntilItsOutageIsTooLong) {
  for (HostPace pace : {stranger(), own()}) {
    EXPECT_FALSE(ask(pace, kBegin, 1ms, HostSign::answered));
    const Instant first = pace.ready_at() + 1ms;
    EXPECT_FALSE(ask(pace, pace.ready_at(), 1ms, HostSign::failed));
    int probes = 0;
    Instant last = first;
    while (!ask(pace, pace.ready_at(), 1ms, HostSign::failed)) {
      ASSERT_LT(++probes, 100);
      last = pace.ready_at() + 1ms;
    }
    EXPECT_GE(last - first, options.outage_max);
    EXPECT_LE(last - first, options.outage_max + options.probe_gap_max);
    EXPECT_GT(probes, 10) << "short outages are detected soon";
  }
}

TEST_F(Pace, AHostThatIsDownHasOneRequestAtATime) {
  HostPace pace = own();
  for (int i = 0; i < 8; ++i) pace.start(kBegin);
  EXPECT_FALSE(pace.finish(kBegin, 1ms, kBegin + 1ms, HostSign::answered));
  for (int i = 0; i < 7; ++i) {
    EXPECT_FALSE(pace.finish(kBegin, 1ms, kBegin + 2ms, HostSign::failed));
  }
  EXPECT_FALSE(pace.is_down()) << "they have the same cause";
  EXPECT_FALSE(ask(pace, pace.ready_at(), 1ms, HostSign::failed));
  EXPECT_TRUE(pace.is_down());
  EXPECT_EQ(pace.in_flight_max(), 1u);
  EXPECT_FALSE(ask(pace, pace.ready_at(), 1ms, HostSign::answered));
  EXPECT_EQ(pace.in_flight_max(), options.own_concurrency);
}

TEST_F(Pace, AnotherProcessProbesAHostThatWasParked) {
  HostPace pace = stranger();
  EXPECT_FALSE(ask(pace, kBegin, 1ms, HostSign::answered));
  while (!ask(pace, pace.ready_at(), 1ms, HostSign::failed)) continue;
  HostPace next = stranger();
  const Instant now = pace.ready_at() - 20s;
  next.recall(pace.memory(), now);
  EXPECT_TRUE(next.memory().has_answered);
  EXPECT_EQ(next.ready_at(), now + 1s) << "it may be back";
  const Instant begun = next.ready_at();
  while (!ask(next, next.ready_at(), 1ms, HostSign::failed)) continue;
  EXPECT_GE(next.ready_at() - begun, options.outage_max);
}

TEST_F(Pace, AnyResponseResetsTheCountOfFailures) {
  for (const HostSign sign : {HostSign::answered, HostSign::erred, HostSign::refused}) {
    HostPace pace = stranger();
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(ask(pace, pace.ready_at(), 1s, HostSign::failed));
    EXPECT_FALSE(ask(pace, pace.ready_at(), 1s, sign));
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(ask(pace, pace.ready_at(), 1s, HostSign::failed));
  }
}

TEST_F(Pace, ConcurrentFailuresCountOnce) {
  HostPace pace = own();
  for (int i = 0; i < 60; ++i) pace.start(kBegin);
  for (int i = 0; i < 60; ++i) {
    EXPECT_FALSE(pace.finish(kBegin, 1s, kBegin + 1s + i * 1ms, HostSign::failed)) << i;
  }
  EXPECT_EQ(pace.delay(), 100ms);
}

TEST_F(Pace, ConcurrentRefusalsCountOnce) {
  HostPace pace = own();
  for (int i = 0; i < 60; ++i) pace.start(kBegin);
  for (int i = 0; i < 60; ++i) {
    EXPECT_FALSE(pace.finish(kBegin, 1s, kBegin + 1s + i * 1ms, HostSign::refused)) << i;
  }
  EXPECT_EQ(pace.delay(), 100ms);
}

TEST_F(Pace, ServerErrorsSlowPublicHostsDownUpToTheLongestDelay) {
  HostPace pace = stranger();
  std::vector<Duration> pauses;
  for (int i = 0; i < 7; ++i) pauses.push_back(pause_after(pace, HostSign::erred));
  EXPECT_EQ(pauses, (std::vector<Duration>{1s, 2s, 4s, 8s, 16s, 30s, 30s}));
  HostPace mine = own();
  EXPECT_EQ(pause_after(mine, HostSign::erred), Duration::zero());
}

TEST_F(Pace, RetryAfterIsObeyed) {
  HostPace pace = stranger();
  EXPECT_EQ(pause_after(pace, HostSign::refused, 120s), 120s);
  HostPace mine = own();
  EXPECT_EQ(pause_after(mine, HostSign::refused, 120s), 120s);
}

TEST_F(Pace, RetryAfterOfZeroKeepsTheUsualPause) {
  HostPace pace = stranger();
  EXPECT_EQ(pause_after(pace, HostSign::refused, Duration::zero()), 1s);
}

TEST_F(Pace, RetryAfterIsBounded) {
  HostPace pace = stranger();
  EXPECT_EQ(pause_after(pace, HostSign::refused, Duration::max()), options.retry_after_max);
}

TEST_F(Pace, AHostWithTooLongARetryAfterIsParked) {
  options.wait_max = 10min;
  HostPace pace = stranger();
  EXPECT_FALSE(ask(pace, kBegin, 1s, HostSign::refused, 10min));
  EXPECT_TRUE(pace.is_refusing());
  EXPECT_TRUE(ask(pace, pace.ready_at(), 1s, HostSign::refused, 11min));
  EXPECT_EQ(pace.park_reason(), ParkReason::asks_to_wait);
}

TEST_F(Pace, ALateRetryAfterIsObeyedEvenIfItDoesNotCount) {
  HostPace pace = own();
  pace.start(kBegin);
  pace.start(kBegin);
  EXPECT_FALSE(pace.finish(kBegin, 1s, kBegin + 1s, HostSign::refused, 10s));
  EXPECT_FALSE(pace.finish(kBegin, 2s, kBegin + 2s, HostSign::refused, 60s));
  EXPECT_EQ(pace.ready_at(), kBegin + 62s);
}

TEST_F(Pace, RefusalsWithoutATimeDoubleThePauseAndAreForgottenSlowly) {
  HostPace pace = stranger();
  EXPECT_EQ(pause_after(pace, HostSign::refused), 2s);
  EXPECT_EQ(pause_after(pace, HostSign::refused), 4s);
  EXPECT_EQ(pause_after(pace, HostSign::refused), 8s);
  const Duration after_one = pause_after(pace, HostSign::answered);
  EXPECT_LT(after_one, 8s);
  EXPECT_GT(after_one, 7s) << "one good answer proves little";
  int answers = 0;
  while (pause_after(pace, HostSign::answered) > 1s && answers < 1000) ++answers;
  EXPECT_GT(answers, 50);
  EXPECT_LT(answers, 500) << "but it is forgotten at last";
}

TEST_F(Pace, ALongThrottleIsHalvedByEveryGoodAnswer) {
  HostPace pace = stranger();
  for (int i = 0; i < 7; ++i) pause_after(pace, HostSign::refused);
  EXPECT_EQ(pace.delay(), 128s);
  EXPECT_EQ(pause_after(pace, HostSign::answered), 64s);
  EXPECT_EQ(pause_after(pace, HostSign::answered), 32s);
}

TEST_F(Pace, AThrottledHostHasOneRequestAtATime) {
  HostPace pace = own();
  EXPECT_GT(pause_after(pace, HostSign::refused), Duration::zero());
  EXPECT_EQ(pace.in_flight_max(), 1u);
  for (int i = 0; i < 500; ++i) pause_after(pace, HostSign::answered);
  EXPECT_EQ(pace.in_flight_max(), options.own_concurrency);
  EXPECT_EQ(pace.delay(), Duration::zero());
}

TEST_F(Pace, AHostIsParkedAfterRepeatedRefusals) {
  HostPace pace = stranger();
  for (int i = 0; i < 11; ++i) EXPECT_FALSE(ask(pace, pace.ready_at(), 1s, HostSign::refused, 1s));
  EXPECT_TRUE(ask(pace, pace.ready_at(), 1s, HostSign::refused, 1s));
  HostPace saved = stranger();
  for (int i = 0; i < 11; ++i) EXPECT_FALSE(ask(saved, saved.ready_at(), 1s, HostSign::refused));
  EXPECT_FALSE(ask(saved, saved.ready_at(), 1s, HostSign::answered));
  EXPECT_FALSE(ask(saved, saved.ready_at(), 1s, HostSign::refused));
}

TEST_F(Pace, ARefusalThatWasTheFaultOfAPageIsForgotten) {
  for (HostPace pace : {stranger(), own()}) {
    const Duration usual = pace.spacing();
    EXPECT_GT(pause_after(pace, HostSign::unavailable), usual);
    static_cast<void>(pause_after(pace, HostSign::answered));
    EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::broken_page));
    pace.clear_of_page();
    EXPECT_EQ(pace.delay(), pace.spacing());
    EXPECT_FALSE(pace.is_refusing());
  }
}

TEST_F(Pace, BrokenPagesDoNotCountAsRefusals) {
  HostPace pace = stranger();
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::broken_page, 5s)) << i;
    EXPECT_EQ(pace.delay(), 1s);
  }
}

// Broken pages must not hide that the host is overloaded.
TEST_F(Pace, KnownBrokenPagesExplainASingleRefusalOnly) {
  HostPace pace = own();
  for (int i = 0; i < 3; ++i) pace.clear_of_page();
  EXPECT_EQ(pause_after(pace, HostSign::unavailable), Duration::zero());
  EXPECT_EQ(pause_after(pace, HostSign::unavailable), 100ms);
  EXPECT_EQ(pause_after(pace, HostSign::unavailable), 200ms);
  EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::answered));
  pace.trust_pages();
  EXPECT_GT(pause_after(pace, HostSign::unavailable), 200ms) << "a page was not to blame";
  HostPace limited = own();
  limited.clear_of_page();
  EXPECT_EQ(pause_after(limited, HostSign::refused), 100ms) << "429 is never about a page";
}

TEST_F(Pace, ThePauseStopsGrowingWhileRobotsTxtIsAnswered) {
  HostPace pace = stranger();
  for (int i = 0; i < 3; ++i) static_cast<void>(pause_after(pace, HostSign::unavailable));
  EXPECT_EQ(pause_after(pace, HostSign::alive), 8s);
  int refusals = 3;
  for (; !ask(pace, pace.ready_at(), 10ms, HostSign::unavailable); ++refusals) {
    EXPECT_EQ(pace.delay(), 8s);
  }
  EXPECT_EQ(refusals + 1, 12) << "it is parked as soon";
  HostPace limited = stranger();
  for (int i = 0; i < 3; ++i) static_cast<void>(pause_after(limited, HostSign::refused));
  static_cast<void>(pause_after(limited, HostSign::alive));
  EXPECT_EQ(pause_after(limited, HostSign::refused), 16s) << "429 still counts";
}

TEST_F(Pace, OnlyARetryAfterIsARequestToWait) {
  HostPace pace = stranger();
  EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::unavailable));
  EXPECT_FALSE(pace.asks_to_wait());
  static_cast<void>(ask(pace, pace.ready_at(), 10ms, HostSign::unavailable, 5s));
  EXPECT_TRUE(pace.asks_to_wait());
  EXPECT_FALSE(ask(pace, pace.ready_at(), 10ms, HostSign::answered));
  EXPECT_FALSE(pace.asks_to_wait());
}

TEST_F(Pace, AWithdrawnRequestLeavesNoTrace) {
  HostPace pace = stranger();
  pace.start(kBegin);
  pace.withdraw();
  EXPECT_TRUE(pace.has_room());
  EXPECT_LE(pace.ready_at(), kBegin);
}

TEST_F(Pace, APauseNeverMakesAnotherOneShorter) {
  HostPace pace = stranger();
  pace.pause_until(kBegin + 1h);
  pace.pause_until(kBegin);
  EXPECT_EQ(pace.ready_at(), kBegin + 1h);
}

TEST_F(Pace, TimesDoNotOverflow) {
  options.retry_after_max = Duration::max();
  options.wait_max = Duration::max();
  HostPace pace = stranger();
  EXPECT_FALSE(ask(pace, kBegin, 1s, HostSign::refused, Duration::max()));
  EXPECT_EQ(pace.ready_at(), Instant::max());
}

using Passed = std::optional<Instant>;

// Starts a request if allowed; else returns when to come back.
Passed pass(SharedGap& gap, Instant now, Duration least) {
  if (!gap.is_free(now, least)) return gap.reserve(now, least);
  gap.start(now, least);
  return std::nullopt;
}

TEST(SharedGap, TheFirstStartsImmediatelyAndTheNextAfterTheGap) {
  SharedGap gap;
  EXPECT_EQ(pass(gap, kBegin, 500ms), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin + 500ms, 500ms), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin + 999ms, 500ms), Passed(kBegin + 1s));
}

TEST(SharedGap, EachEarlyHostGetsItsOwnTime) {
  SharedGap gap;
  EXPECT_EQ(pass(gap, kBegin, 1s), std::nullopt);
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(pass(gap, kBegin, 1s), Passed(kBegin + i * 1s));
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(pass(gap, kBegin + i * 1s, 1s), std::nullopt) << i;
}

TEST(SharedGap, ALateHostWaitsAfterTheOthers) {
  SharedGap gap;
  EXPECT_EQ(pass(gap, kBegin, 1s), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin, 1s), Passed(kBegin + 1s));
  EXPECT_EQ(pass(gap, kBegin + 1s, 1s), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin + 1500ms, 1s), Passed(kBegin + 2s));
}

TEST(SharedGap, AfterALongRestThereIsNoDebt) {
  SharedGap gap;
  EXPECT_EQ(pass(gap, kBegin, 1s), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin + 1h, 1s), std::nullopt);
  EXPECT_EQ(pass(gap, kBegin + 1h, 1s), Passed(kBegin + 1h + 1s)) << "and no credit either";
}

TEST_F(Pace, APauseFollowsADelayThatChanges) {
  options.delay = 1h;
  HostPace pace = stranger();
  EXPECT_EQ(pause_after(pace, HostSign::answered), 1h);
  const Instant end = pace.ready_at() - 1h;
  const Duration before = pace.spacing();
  options.delay = 2s;
  pace.follow(before);
  EXPECT_EQ(pace.ready_at(), end + 2s);
}

TEST_F(Pace, APauseAfterAFailureDoesNotFollow) {
  options.delay = 1s;
  HostPace pace = stranger();
  static_cast<void>(pause_after(pace, HostSign::refused, 10min));
  const Instant until = pace.ready_at();
  const Duration before = pace.spacing();
  options.delay = Duration::zero();
  pace.follow(before);
  EXPECT_EQ(pace.ready_at(), until);
  HostPace fresh = stranger();
  fresh.follow(1s);
  EXPECT_LE(fresh.ready_at(), kBegin) << "a new host";
}

TEST(SharedGap, WithoutAGapAllStartImmediately) {
  SharedGap gap;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(pass(gap, kBegin, Duration::zero()), std::nullopt);
}

}  // namespace
}  // namespace gossamer::crawler
