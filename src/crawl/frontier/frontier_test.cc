#include "frontier/frontier.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/frontier_test_case.h>

#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;

TEST_F(FrontierTest, HostsTakeTurns) {
  open(free_options());
  for (const char* const host : {"a", "b", "c"}) {
    for (int i = 1; i <= 3; ++i) add(fmt::format("http://{}.example/{}", host, i));
  }
  std::vector<std::string> got;
  for (int i = 0; i < 9; ++i) got.push_back(next_url().substr(7));
  EXPECT_THAT(got,
              ElementsAre("a.example/1", "b.example/1", "c.example/1", "a.example/2", "b.example/2",
                          "c.example/2", "a.example/3", "b.example/3", "c.example/3"));
}

TEST_F(FrontierTest, ALargeHostDoesNotDelayASmallOne) {
  open(free_options());
  for (int i = 0; i < 10'000; ++i) add(fmt::format("http://large.example/{}", i));
  next_url();
  add("http://small.example/");
  EXPECT_EQ(next_url().substr(0, 20), "http://large.example");
  EXPECT_EQ(next_url(), "http://small.example/");
}

TEST_F(FrontierTest, AddsEachUrlOnce) {
  open(free_options());
  EXPECT_EQ(add("http://a.example/"), Verdict::added);
  EXPECT_EQ(add("http://a.example/"), Verdict::seen);
  EXPECT_TRUE(frontier->knows(base::hash64("http://a.example/"), 0));
  EXPECT_FALSE(frontier->knows(base::hash64("http://a.example/x"), 0));
  next_url();
  EXPECT_EQ(add("http://a.example/"), Verdict::seen);
  EXPECT_EQ(frontier->seen(), 1u);
  EXPECT_TRUE(is_idle());
}

TEST_F(FrontierTest, QueuesAUrlAgainOnRequest) {
  open(free_options());
  add("http://a.example/");
  next_url();
  frontier->discover_again(*url::Url::parse("http://a.example/#x"), {});
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_TRUE(is_idle());
}

TEST_F(FrontierTest, AnOriginIsResolvedThenReadsRobotsThenGivesPages) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  options.needs_robots = true;
  open(std::move(options));
  add("https://a.example:8443/1");
  add("https://a.example:8443/2");
  Claim resolve = next();
  EXPECT_EQ(resolve.work, Work::resolve);
  EXPECT_EQ(resolve.origin(), "https://a.example:8443");
  EXPECT_EQ(resolve.rules(), nullptr);
  EXPECT_FALSE(frontier->has_ready()) << "one is enough";
  frontier->resolved(std::move(resolve), kOwn, true);
  Claim robots = next();
  EXPECT_EQ(robots.work, Work::robots);
  EXPECT_FALSE(frontier->has_ready());
  frontier->has_rules(std::move(robots), {}, Duration::zero());
  Claim page = next();
  EXPECT_EQ(page.work, Work::page);
  EXPECT_NE(page.rules(), nullptr);
  finish(std::move(page));
  EXPECT_EQ(next_url(), "https://a.example:8443/2");
}

TEST_F(FrontierTest, PreparationIsRetriedWithItsTries) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  open(std::move(options));
  add("http://a.example/");
  for (std::uint8_t tries = 0; tries < 3; ++tries) {
    Claim claim = next();
    EXPECT_EQ(claim.work, Work::resolve);
    EXPECT_EQ(claim.target.tries, tries);
    ++claim.target.tries;
    EXPECT_FALSE(frontier->retry(std::move(claim), HostSign::failed, std::nullopt));
  }
  Claim claim = next();
  frontier->resolved(std::move(claim), kOwn, true);
  Claim page = next();
  EXPECT_EQ(page.work, Work::page);
  EXPECT_EQ(page.target.tries, 0u) << "these are of the page itself";
  finish(std::move(page));
}

TEST_F(FrontierTest, FetchesRobotsAgainWhenTheyAreOld) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  options.politeness.delay = 1h;
  open(std::move(options));
  for (int i = 0; i < 30; ++i) add(fmt::format("http://a.example/{}", i));
  int pages = 0;
  std::vector<int> robots_after;
  while (!is_idle()) {
    Claim claim = next();
    if (claim.work == Work::robots) {
      robots_after.push_back(pages);
      OriginRules rules;
      rules.good_until = now() + 24h;
      frontier->has_rules(std::move(claim), std::move(rules), Duration::zero());
    } else {
      ++pages;
      finish(std::move(claim));
    }
  }
  EXPECT_THAT(robots_after, ElementsAre(0, 23));
}

// Otherwise it would fetch them for ever.
TEST_F(FrontierTest, RobotsThatExpireBeforeTheNextRequestServeOnePage) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  options.politeness.delay = 1h;
  open(std::move(options));
  for (int i = 0; i < 3; ++i) add(fmt::format("http://a.example/{}", i));
  std::vector<Work> works;
  while (!is_idle() && works.size() < 10) {
    Claim claim = next();
    works.push_back(claim.work);
    if (claim.work == Work::page) {
      finish(std::move(claim));
      continue;
    }
    OriginRules rules;
    rules.good_until = now() + 1min;
    frontier->has_rules(std::move(claim), std::move(rules), Duration::zero());
  }
  EXPECT_THAT(works, ElementsAre(Work::robots, Work::page, Work::robots, Work::page, Work::robots,
                                 Work::page));
}

TEST_F(FrontierTest, ARetriedTargetKeepsItsTries) {
  open(free_options());
  add("http://a.example/", 3);
  Claim claim = next();
  claim.target.tries = 2;
  EXPECT_FALSE(frontier->retry(std::move(claim), HostSign::answered, std::nullopt));
  EXPECT_EQ(frontier->waiting(), 1u);
  Claim again = next();
  EXPECT_EQ(again.target.tries, 2u);
  EXPECT_EQ(again.target.depth, 3u);
  finish(std::move(again));
}

TEST_F(FrontierTest, ADestroyedClaimIsGivenUp) {
  open(free_options());
  add("http://a.example/");
  {
    const Claim claim = next();
  }
  EXPECT_TRUE(is_idle());
  EXPECT_EQ(frontier->claimed(), 0u);
  EXPECT_TRUE(world.run(frontier->join()).has_value());
}

// --- limits

TEST_F(FrontierTest, RespectsThePageLimit) {
  FrontierOptions options = free_options();
  options.pages_max = 3;
  open(std::move(options));
  bool is_spent = false;
  frontier->on_spent([&is_spent] { is_spent = true; });
  for (int i = 0; i < 5; ++i) add(fmt::format("http://a.example/{}", i));
  Claim first = next();
  EXPECT_FALSE(frontier->retry(std::move(first), HostSign::answered, std::nullopt));
  {
    const Claim given_up = next();
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(is_spent) << "retries and claims that are given up do not count";
    next_url();
  }
  EXPECT_TRUE(is_spent);
  EXPECT_EQ(frontier->waiting(), 1u);
}

// --- closed origins

TEST_F(FrontierTest, QueuedTargetsOfAParkedHostAreDropped) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2", 4);
  add("https://a.example/3");
  add("http://b.example/");
  std::vector<std::string> dropped;
  frontier->park_host("http://a.example", {.reason = SkipReason::host_parked, .detail = "why"},
                      [&](const Target& target, const OriginEnd& end) {
                        EXPECT_EQ(end.reason, SkipReason::host_parked);
                        EXPECT_EQ(end.detail, "why");
                        dropped.push_back(target.url);
                      });
  EXPECT_THAT(dropped,
              ElementsAre("http://a.example/1", "http://a.example/2", "https://a.example/3"));
  EXPECT_EQ(frontier->waiting(), 1u);
  EXPECT_EQ(add("https://a.example/4"), Verdict::closed);
  EXPECT_EQ(frontier->end_of(*url::Url::parse("https://a.example/4")).detail, "why");
  EXPECT_EQ(next_url(), "http://b.example/");
  EXPECT_TRUE(is_idle());
}

TEST_F(FrontierTest, AnOriginIsClosedSeparately) {
  open(free_options());
  add("http://a.example/1");
  add("https://a.example/2");
  std::vector<std::string> dropped;
  frontier->close_origin(
      "http://a.example", {.reason = SkipReason::none, .failure = Errc::dns_failed},
      [&](const Target& target, const OriginEnd&) { dropped.push_back(target.url); });
  EXPECT_THAT(dropped, ElementsAre("http://a.example/1"));
  EXPECT_EQ(add("http://a.example/3"), Verdict::closed);
  EXPECT_EQ(next_url(), "https://a.example/2");
}

TEST_F(FrontierTest, ClaimsOfAParkedHostMayStillFinish) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2");
  Claim one = next();
  Claim two = next();
  frontier->park_host("http://a.example", {.reason = SkipReason::host_parked},
                      [](const Target&, const OriginEnd&) { ADD_FAILURE() << "nothing waits"; });
  EXPECT_FALSE(is_idle());
  finish(std::move(one));
  finish(std::move(two));
  EXPECT_TRUE(is_idle());
}

TEST_F(FrontierTest, SaysWhenToParkAHost) {
  FrontierOptions options = free_options();
  options.politeness.failures_max = 2;
  open(std::move(options));
  add("http://a.example/");
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  EXPECT_TRUE(frontier->finish(next(), HostSign::failed, std::nullopt));
}

// --- waiting claims

// BORROWS: the frontier and the result.
async::Task<Result<void>> wait_for_one(Frontier& frontier, std::string name,
                                       std::vector<std::string>& got) {
  auto claim = co_await frontier.claim();
  if (!claim) {
    got.push_back(name + " " + std::string(base::name(claim.error().code())));
    co_return {};
  }
  got.push_back(name + " " + claim->target.url);
  EXPECT_FALSE(frontier.finish(std::move(*claim), HostSign::answered, std::nullopt));
  co_return {};
}

// BORROWS: all.
async::Task<Result<void>> serve_in_order(Frontier& frontier, std::vector<std::string>& got) {
  async::Scope scope;
  for (const char* const name : {"first", "second", "third"}) {
    scope.spawn(wait_for_one(frontier, name, got));
  }
  auto cancelled = scope.spawn(wait_for_one(frontier, "cancelled", got));
  scope.spawn(wait_for_one(frontier, "late", got));
  static_cast<void>(co_await async::sleep(1s));
  cancelled.cancel();
  for (const char* const url : {"http://a.example/1", "http://b.example/2", "http://a.example/3"}) {
    frontier.discover(*url::Url::parse(url), base::hash64(url), {});
  }
  static_cast<void>(co_await frontier.join());
  frontier.close();
  co_return co_await scope.join();
}

TEST_F(FrontierTest, ServesWaitingClaimsInOrder) {
  open(free_options());
  std::vector<std::string> got;
  EXPECT_TRUE(world.run(serve_in_order(*frontier, got)).has_value());
  EXPECT_THAT(got, testing::UnorderedElementsAre(
                       "first http://a.example/1", "second http://b.example/2",
                       "third http://a.example/3", "cancelled cancelled", "late closed"));
}

TEST_F(FrontierTest, AllowsNoClaimsAfterClose) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2");
  Claim held = next();
  frontier->close();
  EXPECT_FALSE(frontier->has_ready());
  EXPECT_EQ(world.run(frontier->claim()).error(), Errc::closed);
  finish(std::move(held));
  EXPECT_EQ(frontier->waiting(), 1u);
}

TEST_F(FrontierTest, JoinReturnsImmediatelyIfThereIsNothing) {
  open(free_options());
  EXPECT_TRUE(world.run(frontier->join()).has_value());
}

TEST_F(FrontierTest, SaysWhenAWorkerIsNeeded) {
  open(free_options());
  int wanted = 0;
  frontier->on_unclaimed([&] { ++wanted; });
  add("http://a.example/1");
  EXPECT_GT(wanted, 0);
  wanted = 0;
  frontier->close();
  add("http://a.example/2");
  EXPECT_EQ(wanted, 0);
}

// --- leased hosts

TEST_F(FrontierTest, ABlockedHostIsWithdrawnWhenNothingIsInFlight) {
  open(free_options());
  add("http://a.example/");
  Claim claim = next();
  frontier->block_host("a.example", {.reason = SkipReason::blocked},
                       [](const Target&, const OriginEnd&) {});
  EXPECT_FALSE(frontier->withdraw_host("a.example"));
  finish(std::move(claim));
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
}

TEST_F(FrontierTest, UnblockingOpensOnlyWhatWasBlocked) {
  open(free_options());
  const auto ignore = [](const Target&, const OriginEnd&) {};
  add("http://a.example/");
  add("https://a.example/");
  frontier->close_origin("http://a.example", {.failure = Errc::dns_failed}, ignore);
  frontier->block_host("a.example", {.reason = SkipReason::blocked}, ignore);
  EXPECT_EQ(add("https://a.example/2"), Verdict::closed);
  frontier->unblock_host("a.example");
  EXPECT_EQ(add("http://a.example/3"), Verdict::closed) << "it was closed before";
  EXPECT_EQ(add("https://a.example/3"), Verdict::added);
  EXPECT_EQ(next_url(), "https://a.example/3");
  EXPECT_TRUE(is_idle());
}

// --- many

TEST_F(FrontierTest, WaitingHostsCostOnlyMemoryAndOneTimer) {
  constexpr std::size_t kHosts = 200'000;
  FrontierOptions options = free_options();
  options.politeness.delay = 1h;
  open(std::move(options));
  for (std::size_t i = 0; i < kHosts; ++i) {
    const std::string root = fmt::format("http://host-{}.example/", i);
    add(root);
    add(root + "next", 1);
  }
  for (std::size_t i = 0; i < kHosts; ++i) finish(next());
  EXPECT_EQ(frontier->hosts(), kHosts);
  EXPECT_EQ(frontier->waiting(), kHosts);
  EXPECT_EQ(world.loop().timers().size(), kHosts);
  EXPECT_FALSE(frontier->has_ready());
  const std::size_t each = frontier->memory_bytes() / kHosts;
  fmt::print("{} bytes per sleeping host\n", each);
  EXPECT_LT(each, 1100u);
  // They all wake in order, each at its time.
  const Instant asleep = now();
  EXPECT_EQ(next_url(), "http://host-0.example/next");
  EXPECT_EQ(now() - asleep, 1h);
  frontier->close();
}

}  // namespace
}  // namespace gossamer::crawler
