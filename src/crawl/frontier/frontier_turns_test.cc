// Tests the turns of hosts: levels of depth, pauses of hosts, gaps of addresses.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/frontier_test_case.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"

namespace gossamer::crawler {
namespace {

async::Task<Result<void>> wait(Duration duration) { co_return co_await async::sleep(duration); }

// --- levels

class LevelTest : public FrontierTest {
 protected:
  LevelTest() {
    FrontierOptions options = free_options();
    options.is_level_by_level = true;
    open(std::move(options));
  }
};

TEST_F(LevelTest, ALevelStartsAfterTheOneBeforeIsFinished) {
  add("http://a.example/", 0);
  add("http://b.example/", 0);
  Claim a = next();
  Claim b = next();
  add("http://a.example/1", 1);
  add("http://c.example/1", 1);
  finish(std::move(a));
  EXPECT_FALSE(frontier->has_ready()) << "b may still have links";
  finish(std::move(b));
  EXPECT_TRUE(frontier->has_ready());
  EXPECT_EQ(next_url(), "http://a.example/1");
  EXPECT_EQ(next_url(), "http://c.example/1");
}

TEST_F(LevelTest, ARetryHoldsItsLevel) {
  add("http://a.example/", 0);
  add("http://b.example/1", 1);
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_EQ(next_url(), "http://b.example/1");
}

TEST_F(LevelTest, AClaimThatIsGivenUpEndsItsLevel) {
  add("http://a.example/", 0);
  add("http://b.example/5", 5);
  {
    const Claim given_up = next();
  }
  EXPECT_EQ(next_url(), "http://b.example/5") << "levels may be empty";
}

TEST_F(LevelTest, AParkedHostEndsItsLevel) {
  add("http://a.example/1", 0);
  add("http://a.example/2", 0);
  add("http://b.example/", 1);
  Claim claim = next();
  frontier->park_host("http://a.example", {.reason = SkipReason::host_parked},
                      [](const Target&, const OriginEnd&) {});
  finish(std::move(claim));
  EXPECT_EQ(next_url(), "http://b.example/");
  EXPECT_TRUE(is_idle());
}

TEST_F(LevelTest, ARedirectLowersTheDepthOfAPage) {
  add("http://a.example/", 0);
  add("http://b.example/", 0);
  Claim a = next();
  Claim b = next();
  EXPECT_EQ(add("http://c.example/x", 1), Verdict::added);
  finish(std::move(a));
  EXPECT_FALSE(frontier->knows(base::hash64("http://c.example/x"), 0));
  EXPECT_EQ(add("http://c.example/x", 0), Verdict::added) << "b redirects there";
  EXPECT_EQ(add("http://c.example/x", 0), Verdict::seen);
  EXPECT_EQ(add("http://c.example/x", 1), Verdict::seen);
  finish(std::move(b));
  Claim c = next();
  EXPECT_EQ(c.target.depth, 0u);
  EXPECT_EQ(add("http://c.example/y", 1), Verdict::added);
  finish(std::move(c));
  EXPECT_EQ(next_url(), "http://c.example/y") << "and x does not come again";
  EXPECT_TRUE(is_idle());
  EXPECT_TRUE(world.run(frontier->join()).has_value());
}

TEST_F(LevelTest, ATargetMovedTwiceIsClaimedOnce) {
  add("http://a.example/", 0);
  Claim a = next();
  for (const std::uint16_t depth : std::to_array<std::uint16_t>({5, 1, 0})) {
    EXPECT_EQ(add("http://a.example/x", depth), Verdict::added) << depth;
  }
  add("http://a.example/z", 6);
  finish(std::move(a));
  EXPECT_EQ(next_url(), "http://a.example/x");
  EXPECT_EQ(next_url(), "http://a.example/z") << "and x comes neither from 1 nor from 5";
  EXPECT_TRUE(is_idle());
}

TEST_F(LevelTest, MovingTheLastTargetEndsItsLevel) {
  add("http://a.example/", 0);
  Claim a = next();
  add("http://a.example/x", 1);
  add("http://a.example/z", 2);
  EXPECT_EQ(add("http://a.example/x", 0), Verdict::added);
  finish(std::move(a));
  EXPECT_EQ(next_url(), "http://a.example/x");
  EXPECT_EQ(next_url(), "http://a.example/z");
  EXPECT_TRUE(is_idle());
}

TEST_F(LevelTest, AMovedTargetIsDroppedOnceWhenItsOriginCloses) {
  add("http://a.example/", 0);
  Claim a = next();
  add("http://b.example/x", 2);
  EXPECT_EQ(add("http://b.example/x", 1), Verdict::added);
  add("http://b.example/y", 2);
  std::vector<std::string> dropped;
  frontier->close_origin(
      "http://b.example", {.reason = SkipReason::host_parked},
      [&](const Target& target, const OriginEnd&) { dropped.push_back(target.url); });
  EXPECT_EQ(dropped, (std::vector<std::string>{"http://b.example/x", "http://b.example/y"}));
  EXPECT_EQ(add("http://b.example/y", 1), Verdict::seen) << "it was dropped already";
  finish(std::move(a));
  EXPECT_TRUE(is_idle());
}

// The host has one request at a time. A stale target is not a request.
TEST_F(LevelTest, AStaleTargetTakesNoSlotOfItsHost) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  options.politeness.host_concurrency = 1;
  open(std::move(options));
  add("http://a.example/", 0);
  Claim a = next();
  add("http://b.example/x", 1);
  add("http://b.example/z", 2);
  EXPECT_EQ(add("http://b.example/x", 0), Verdict::added);
  finish(std::move(a));
  EXPECT_EQ(next_url(), "http://b.example/x");
  EXPECT_EQ(next_url(), "http://b.example/z") << "after the stale one of the level before";
  EXPECT_TRUE(is_idle());
}

// A root may be added while deeper pages are fetched.
TEST_F(LevelTest, ATargetOfTheCurrentLevelStaysThere) {
  add("http://a.example/", 0);
  add("http://a.example/x", 1);
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_EQ(add("http://a.example/x", 0), Verdict::seen) << "it is about to be fetched";
  EXPECT_EQ(add("http://a.example/y", 1), Verdict::added);
  EXPECT_EQ(add("http://a.example/y", 0), Verdict::seen);
  EXPECT_EQ(next_url(), "http://a.example/x");
  EXPECT_EQ(next_url(), "http://a.example/y");
  EXPECT_TRUE(is_idle());
}

TEST_F(LevelTest, ATargetFoundAgainAtItsDepthStaysThere) {
  add("http://a.example/", 0);
  EXPECT_EQ(add("http://a.example/x", 2), Verdict::added);
  EXPECT_EQ(add("http://a.example/x", 2), Verdict::seen);
  EXPECT_EQ(add("http://a.example/x", 1), Verdict::added);
  EXPECT_EQ(add("http://a.example/z", 3), Verdict::added);
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_EQ(next_url(), "http://a.example/x");
  EXPECT_EQ(next_url(), "http://a.example/z") << "x comes once";
  EXPECT_TRUE(is_idle());
}

// --- pauses

TEST_F(FrontierTest, BothSchemesAndAllPortsOfAHostShareItsPace) {
  FrontierOptions options;
  open(std::move(options));
  add("http://a.example/");
  add("https://a.example/");
  add("http://a.example:8080/");
  EXPECT_EQ(frontier->hosts(), 1u);
  std::vector<Instant> starts;
  while (!is_idle()) {
    Claim claim = next();
    if (answer(std::move(claim), kStranger)) starts.push_back(now());
  }
  ASSERT_EQ(starts.size(), 6u);
  for (std::size_t i = 1; i < starts.size(); ++i) EXPECT_EQ(starts[i] - starts[i - 1], 1s) << i;
}

TEST_F(FrontierTest, HostsOfOneAddressShareItsGap) {
  open({});
  for (int i = 0; i < 5; ++i) add(fmt::format("http://h{}.example/", i));
  std::vector<Instant> starts;
  while (!is_idle()) {
    if (answer(next(), kStranger)) starts.push_back(now());
  }
  ASSERT_EQ(starts.size(), 10u);
  for (std::size_t i = 1; i < starts.size(); ++i) {
    EXPECT_GE(starts[i] - starts[i - 1], 500ms) << i;
  }
  EXPECT_LE(starts.back() - starts.front(), 6s);
}

// A request that ends must not change the reserved times of others.
TEST_F(FrontierTest, TheGapOfAnAddressIsFullyUsed) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  open(std::move(options));
  for (int i = 0; i < 20; ++i) add(fmt::format("http://a.example/{}", i));
  frontier->resolved(next(), kStranger, false);
  const Instant begun = now();
  for (int i = 0; i < 20; ++i) {
    Claim claim = next();
    world.driver().advance(100ms);
    finish(std::move(claim));
  }
  EXPECT_LE(now() - begun, 19 * 500ms + 100ms);
  EXPECT_GE(now() - begun, 19 * 500ms);
}

// A busy loop gains nothing from more concurrent requests.
TEST_F(FrontierTest, AHostGetsMoreConcurrentRequestsOnlyWhileTheLoopIsIdle) {
  open(free_options());
  for (int i = 0; i < 100; ++i) add(fmt::format("http://a.example/{}", i));
  const auto claim_all = [&] {
    std::vector<Claim> claims;
    while (frontier->has_ready()) claims.push_back(next());
    return claims;
  };
  const auto pass = [&](Duration worked, Duration waited) {
    world.driver().advance(worked);
    EXPECT_TRUE(world.run(wait(waited)));
  };
  for (int i = 0; i < 100; ++i) pass(20ms, 100us);
  auto claims = claim_all();
  EXPECT_EQ(claims.size(), 4u);
  pass(20ms, 100us);
  for (Claim& claim : claims) finish(std::move(claim));
  claims = claim_all();
  EXPECT_EQ(claims.size(), 4u) << "the loop is busy";
  for (int i = 0; i < 100; ++i) pass(20ms, 10ms);
  for (Claim& claim : claims) finish(std::move(claim));
  EXPECT_EQ(claim_all().size(), 8u);
}

// Responses come in bursts; the loop is idle between request and response.
TEST_F(FrontierTest, AHostThatAnswersInBurstsGetsMoreRequests) {
  open(free_options());
  for (int i = 0; i < 100; ++i) add(fmt::format("http://a.example/{}", i));
  std::vector<Claim> claims;
  for (const std::size_t expected : {4U, 8U, 16U, 32U}) {
    while (frontier->has_ready()) claims.push_back(next());
    EXPECT_EQ(claims.size(), expected);
    EXPECT_TRUE(world.run(wait(900ms)));
    for (int i = 0; i < 20; ++i) {
      world.driver().advance(5ms);
      EXPECT_TRUE(world.run(wait(1us)));
    }
    for (Claim& claim : claims) finish(std::move(claim));
    claims.clear();
  }
}

TEST_F(FrontierTest, TheGapOfTheWholeCrawlIsFullyUsed) {
  FrontierOptions options = free_options();
  options.global_gap = 100ms;
  open(std::move(options));
  for (int i = 0; i < 20; ++i) add(fmt::format("http://h{}.example/", i % 4) + std::to_string(i));
  const Instant begun = now();
  for (int i = 0; i < 20; ++i) {
    Claim claim = next();
    world.driver().advance(10ms);
    finish(std::move(claim));
  }
  EXPECT_LE(now() - begun, 19 * 100ms + 10ms);
  EXPECT_GE(now() - begun, 19 * 100ms);
}

TEST_F(FrontierTest, AHostKeepsTheLongestCrawlDelayOfItsOrigins) {
  FrontierOptions options;
  options.needs_address = false;
  open(std::move(options));
  add("http://a.example/1");
  frontier->has_rules(next(), {}, 10s);
  finish(next());
  add("https://a.example/2");
  frontier->has_rules(next(), {}, Duration::zero());
  const Instant before = now();
  finish(next());
  EXPECT_GE(now() - before, 10s);
}

TEST_F(FrontierTest, AnOriginClosedDuringPreparationStaysClosed) {
  FrontierOptions options;
  options.needs_address = false;
  open(std::move(options));
  add("http://a.example/1");
  Claim robots = next();
  std::size_t dropped = 0;
  frontier->park_host("http://a.example", {.reason = SkipReason::host_parked},
                      [&dropped](Target, const OriginEnd&) { ++dropped; });
  frontier->has_rules(std::move(robots), {}, Duration::zero());
  EXPECT_EQ(dropped, 1u);
  const auto late = *url::Url::parse("http://a.example/2");
  EXPECT_EQ(frontier->discover(late, 12345, {}), Verdict::closed);
  EXPECT_TRUE(is_idle());
}

TEST_F(FrontierTest, ALocalAddressHasNoGap) {
  open({});
  for (int i = 0; i < 10; ++i) add(fmt::format("http://h{}.example/", i));
  while (!is_idle()) answer(next(), kOwn);
  EXPECT_EQ(now(), sim::World(sim::calm_options()).loop().now());
}

TEST_F(FrontierTest, ARefusalPausesOnlyItsHost) {
  open(free_options());
  for (const char* const host : {"a", "b"}) {
    for (int i = 0; i < 3; ++i) add(fmt::format("http://{}.example/{}", host, i));
  }
  Claim claim = next();
  EXPECT_FALSE(frontier->retry(std::move(claim), HostSign::refused, 1h));
  const Instant begun = now();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(next_url().substr(7, 1), "b");
  EXPECT_EQ(now(), begun);
  EXPECT_EQ(next_url().substr(7, 1), "a");
  EXPECT_EQ(now() - begun, 1h);
}

}  // namespace
}  // namespace gossamer::crawler
