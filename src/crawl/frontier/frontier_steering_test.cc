// Tests the control of a frontier from outside: limits, pauses, workers, several loops.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/frontier_test_case.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "frontier/frontier.h"

namespace gossamer::crawler {
namespace {

using testing::IsEmpty;

const auto kDropNothing = [](const Target&, const OriginEnd&) {};

TEST_F(FrontierTest, WantsNoWorkerWithoutWork) {
  open(free_options());
  int wanted = 0;
  frontier->on_unclaimed([&wanted] { ++wanted; });
  frontier->set_claims_max(5);
  EXPECT_EQ(wanted, 0) << "nothing is queued";
  frontier->set_claims_max(0);
  add("http://a.example/");
  EXPECT_EQ(wanted, 0) << "no claim is allowed";
  frontier->set_claims_max(5);
  EXPECT_EQ(wanted, 1);
}

TEST_F(FrontierTest, WantsNoWorkerWithoutPages) {
  FrontierOptions options = free_options();
  options.pages_max = 1;
  open(std::move(options));
  add("http://a.example/1");
  add("http://a.example/2");
  Claim claim = next();
  int wanted = 0;
  frontier->on_unclaimed([&wanted] { ++wanted; });
  add("http://b.example/");
  EXPECT_EQ(wanted, 0);
  finish(std::move(claim));
}

// BORROWS: all.
async::Task<Result<void>> claim_while_paused(Frontier& frontier, bool& has_claimed) {
  Result<Claim> claim = co_await frontier.claim();
  EXPECT_TRUE(claim.has_value());
  has_claimed = true;
  co_return {};
}

// BORROWS: all.
async::Task<Result<void>> give_claims(Frontier& frontier, int& wanted) {
  async::Scope scope;
  bool has_claimed = false;
  scope.spawn(claim_while_paused(frontier, has_claimed));
  static_cast<void>(co_await async::sleep(1s));
  EXPECT_FALSE(has_claimed);
  EXPECT_EQ(wanted, 0);
  frontier.set_claims_max(1);
  static_cast<void>(co_await async::sleep(1s));
  EXPECT_TRUE(has_claimed);
  EXPECT_EQ(wanted, 0) << "a worker waited";
  co_return co_await scope.join();
}

TEST_F(FrontierTest, ServesWaitingWorkersWhenAPauseEnds) {
  open(free_options());
  int wanted = 0;
  frontier->on_unclaimed([&wanted] { ++wanted; });
  frontier->set_claims_max(0);
  add("http://a.example/");
  EXPECT_TRUE(world.run(give_claims(*frontier, wanted)).has_value());
}

TEST_F(FrontierTest, OtherLoopsGetPagesThatAreGivenBack) {
  FrontierOptions options = free_options();
  options.pages_max = 1;
  const auto share = std::make_shared<FrontierShare>(options);
  Frontier other(world.loop(), options, share);
  frontier.emplace(world.loop(), options, share);
  const auto url = *url::Url::parse("http://b.example/");
  other.discover(url, 1, {});
  add("http://a.example/");
  int wanted = 0;
  other.on_unclaimed([&wanted] { ++wanted; });
  {
    const Claim given_up = next();
  }
  EXPECT_EQ(wanted, 1) << "a page is left";
  Claim claim = std::move(*world.run(other.claim()));
  EXPECT_EQ(claim.target.url, "http://b.example/");
  EXPECT_FALSE(other.finish(std::move(claim), HostSign::answered, std::nullopt));
}

TEST_F(FrontierTest, OtherLoopsServeTheirWorkersWhenPagesAreGivenBack) {
  FrontierOptions options = free_options();
  options.pages_max = 1;
  const auto share = std::make_shared<FrontierShare>(options);
  Frontier other(world.loop(), options, share);
  frontier.emplace(world.loop(), options, share);
  other.discover(*url::Url::parse("http://b.example/"), 1, {});
  add("http://a.example/");
  std::optional<Claim> held(next());
  bool has_claimed = false;
  const auto give_up = [](std::optional<Claim>& claim) -> async::Task<Result<void>> {
    static_cast<void>(co_await async::sleep(1s));
    claim.reset();
    co_return {};
  };
  const auto both = [](Frontier& waits, async::Task<Result<void>> ends,
                       bool& claimed) -> async::Task<Result<void>> {
    async::Scope scope;
    scope.spawn(claim_while_paused(waits, claimed));
    scope.spawn(std::move(ends));
    co_return co_await scope.join();
  };
  EXPECT_TRUE(world.run(both(other, give_up(held), has_claimed)).has_value());
  EXPECT_TRUE(has_claimed);
}

TEST_F(FrontierTest, TheFirstLevelIsTheLowestOfTheFirstTargets) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  open(std::move(options));
  add("http://a.example/", 3);
  add("http://b.example/", 5);
  EXPECT_FALSE(frontier->has_ready()) << "more may be added";
  frontier->has_begun();
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_EQ(next_url(), "http://b.example/");
}

// --- closed origins

TEST_F(FrontierTest, AClosedOriginIsNotReady) {
  open(free_options());
  add("http://a.example/1");
  Claim claim = next();
  EXPECT_FALSE(frontier->is_closed(claim));
  add("http://a.example/2");
  EXPECT_TRUE(frontier->has_ready());
  frontier->close_origin("http://a.example", {.failure = Errc::dns_failed}, kDropNothing);
  EXPECT_FALSE(frontier->has_ready());
  EXPECT_TRUE(frontier->is_closed(claim));
  EXPECT_FALSE(frontier->is_kept(claim));
  finish(std::move(claim));
  EXPECT_FALSE(frontier->has_ready());
}

TEST_F(FrontierTest, CountsDroppedUrlsThatMightBeReachedLater) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2");
  add("http://b.example/");
  next_url();
  const OriginEnd end = {.reason = SkipReason::host_parked, .may_pass = true};
  frontier->park_host("http://a.example", OriginEnd(end), kDropNothing);
  EXPECT_EQ(add("http://a.example/3"), Verdict::closed);
  next_url();
  frontier->park_host("http://b.example", OriginEnd(end), kDropNothing);
  EXPECT_EQ(frontier->unreached().urls_dropped, 2u);
  EXPECT_EQ(frontier->unreached().urls_queued, 0u);
  EXPECT_EQ(frontier->unreached().hosts, 1u) << "each URL of b was fetched";
}

TEST_F(FrontierTest, ADrainedFrontierLeavesNoTimer) {
  open(free_options());
  add("http://a.example/1");
  EXPECT_FALSE(frontier->retry(next(), HostSign::refused, 1h));
  EXPECT_EQ(world.loop().timers().size(), 1u);
  frontier->close();
  std::vector<std::string> drained;
  frontier->drain([&drained](const Target& target) { drained.push_back(target.url); });
  EXPECT_THAT(drained, testing::ElementsAre("http://a.example/1"));
  EXPECT_EQ(world.loop().timers().size(), 0u);
}

// --- preparation

TEST_F(FrontierTest, AnOriginIsPreparedOnceAtATime) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  options.needs_robots = true;
  open(std::move(options));
  add("http://a.example/1");
  Claim resolve = next();
  EXPECT_EQ(resolve.work, Work::resolve);
  add("http://a.example/2");
  EXPECT_FALSE(frontier->has_ready()) << "a worker resolves it";
  frontier->resolved(std::move(resolve), kOwn, true);
  {
    const Claim given_up = next();
    EXPECT_EQ(given_up.work, Work::robots);
    add("http://a.example/3");
    EXPECT_FALSE(frontier->has_ready()) << "a worker fetches robots.txt";
  }
  Claim robots = next();
  EXPECT_EQ(robots.work, Work::robots) << "it was given up";
  frontier->has_rules(std::move(robots), {}, Duration::zero());
  EXPECT_EQ(next_url(), "http://a.example/1");
}

TEST_F(FrontierTest, EachPreparationHasItsOwnTries) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  options.needs_robots = true;
  open(std::move(options));
  add("http://a.example/1");
  add("http://a.example/2");
  Claim resolve = next();
  resolve.target.tries = 2;
  EXPECT_FALSE(frontier->retry(std::move(resolve), HostSign::none, std::nullopt));
  frontier->resolved(next(), kOwn, true);
  Claim robots = next();
  EXPECT_EQ(robots.target.tries, 0u);
  robots.target.tries = 3;
  EXPECT_FALSE(frontier->retry(std::move(robots), HostSign::none, std::nullopt));
  Claim again = next();
  EXPECT_EQ(again.target.tries, 3u);
  OriginRules rules;
  rules.good_until = now() + 1h;
  frontier->has_rules(std::move(again), std::move(rules), Duration::zero());
  next_url();
  world.driver().advance(1h);
  Claim renewed = next();
  EXPECT_EQ(renewed.work, Work::robots) << "they have expired";
  EXPECT_EQ(renewed.target.tries, 0u);
}

TEST_F(FrontierTest, AllPortsOfAnAddressShareItsGap) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  open(std::move(options));
  add("http://a.example/");
  add("http://b.example:8080/");
  async::Endpoint first = kStranger;
  first.port = 80;
  async::Endpoint second = kStranger;
  second.port = 8080;
  frontier->resolved(next(), first, false);
  frontier->resolved(next(), second, false);
  const Instant before = now();
  next_url();
  next_url();
  EXPECT_EQ(now() - before, PolitenessOptions().address_gap);
}

// --- pauses

TEST(EndOfParked, SaysWhichPauseIsTooLong) {
  const OriginEnd end = end_of_parked(ParkReason::asks_to_wait, 90min);
  EXPECT_EQ(end.reason, SkipReason::retry_after);
  EXPECT_EQ(end.detail, "the host requested a pause of more than " + base::to_string(90min));
  EXPECT_TRUE(end.may_pass);
  EXPECT_EQ(end_of_parked(ParkReason::silent, 1h).reason, SkipReason::host_parked);
}

// A power cut may have lost the state of the host.
TEST_F(FrontierTest, AContinuedCrawlBeginsWithAFullPause) {
  FrontierOptions options = free_options();
  options.politeness.delay = 10s;
  options.is_continued = true;
  open(std::move(options));
  const Instant begun = now();
  world.driver().advance(4s);
  add("http://a.example/");
  Claim claim = next();
  EXPECT_EQ(now() - begun, 10s);
  finish(std::move(claim));
}

TEST_F(FrontierTest, SaysWhichHostsArePausedLongestFirst) {
  open(free_options());
  for (const char* const host : {"a", "b", "c", "d", "e"}) {
    add(fmt::format("http://{}.example/", host));
  }
  const Instant before = now();
  std::vector<Claim> claims;
  for (int i = 0; i < 5; ++i) claims.push_back(next());
  EXPECT_FALSE(frontier->retry(std::move(claims[0]), HostSign::refused, 10s));
  EXPECT_FALSE(frontier->retry(std::move(claims[2]), HostSign::refused, 20s));
  EXPECT_FALSE(frontier->retry(std::move(claims[1]), HostSign::refused, 20s));
  EXPECT_FALSE(frontier->retry(std::move(claims[3]), HostSign::failed, std::nullopt));
  EXPECT_FALSE(frontier->finish(std::move(claims[4]), HostSign::refused, 30s));
  const std::vector<HostPause> pauses = frontier->pauses(10);
  ASSERT_EQ(pauses.size(), 3u) << "d failed only once, and nothing of e waits";
  EXPECT_EQ(pauses[0].host, "b.example");
  EXPECT_EQ(pauses[0].until, before + 20s);
  EXPECT_FALSE(pauses[0].is_silent);
  EXPECT_EQ(pauses[1].host, "c.example");
  EXPECT_EQ(pauses[2].host, "a.example");
  EXPECT_EQ(frontier->pauses(1).size(), 1u);
  EXPECT_EQ(frontier->pauses(1)[0].host, "b.example");
}

TEST_F(FrontierTest, AHostIsPausedUntilItAnswers) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2");
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  ASSERT_EQ(frontier->pauses(10).size(), 1u);
  EXPECT_TRUE(frontier->pauses(10)[0].is_silent);
  world.driver().advance(frontier->pauses(10)[0].until - now());
  EXPECT_THAT(frontier->pauses(10), IsEmpty()) << "the pause is over";
  next_url();
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  EXPECT_THAT(frontier->pauses(10), IsEmpty()) << "it has answered since";
}

TEST_F(FrontierTest, AHostThatIsClosedIsNotPaused) {
  open(free_options());
  add("http://a.example/1");
  add("http://a.example/2");
  EXPECT_FALSE(frontier->retry(next(), HostSign::refused, 1h));
  frontier->close_origin("http://a.example", {.failure = Errc::dns_failed}, kDropNothing);
  EXPECT_THAT(frontier->pauses(10), IsEmpty());
}

// One broken page must not make its host seem down.
TEST_F(FrontierTest, AHostThatIsDownIsProbedWithOtherPages) {
  open(free_options());
  add("http://a.example/first", 0);
  add("http://a.example/other", 1);
  std::vector<std::string> tried;
  for (int i = 0; i < 4; ++i) {
    Claim claim = next();
    tried.push_back(claim.target.url.substr(17));
    EXPECT_FALSE(frontier->retry(std::move(claim), HostSign::failed, std::nullopt));
  }
  EXPECT_THAT(tried, testing::ElementsAre("first", "first", "other", "first"));
}

TEST_F(FrontierTest, AHostThatIsDownIsProbedWithPagesOfTheLevel) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  open(std::move(options));
  add("http://a.example/first", 0);
  add("http://a.example/other", 1);
  for (int i = 0; i < 4; ++i) {
    Claim claim = next();
    EXPECT_EQ(claim.target.url, "http://a.example/first");
    EXPECT_FALSE(frontier->retry(std::move(claim), HostSign::failed, std::nullopt));
  }
}

TEST_F(FrontierTest, AStaleTargetIsNotReplacedByOneOfALaterLevel) {
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  open(std::move(options));
  add("http://a.example/", 0);
  Claim a = next();
  add("http://b.example/x", 1);
  add("http://b.example/z", 2);
  add("http://c.example/w", 1);
  EXPECT_EQ(add("http://b.example/x", 0), Verdict::added);
  EXPECT_EQ(next_url(), "http://b.example/x");
  finish(std::move(a));
  EXPECT_EQ(next_url(), "http://c.example/w");
  EXPECT_EQ(next_url(), "http://b.example/z");
}

}  // namespace
}  // namespace gossamer::crawler
