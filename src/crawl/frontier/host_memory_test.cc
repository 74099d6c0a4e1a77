// Tests which hosts are in memory, when others wait on disk.

#include "frontier/host_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_backlog.h>
#include <tests/support/frontier_test_case.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::crawler {
namespace {

const auto kIgnoreDropped = [](const Target&, const OriginEnd&) {};

// --- room

TEST_F(HostsOfAJob, ReturnToMemoryImmediatelyIfThereIsRoom) {
  begin(free_options());
  add("http://first.example/");
  EXPECT_TRUE(backlog.is_in_memory("http://first.example"));
  for (int i = 0; i < 30; ++i) add(root_of(i));
  while (!is_idle()) next_url();
  add("http://last.example/");
  EXPECT_TRUE(backlog.is_in_memory("http://last.example")) << "no other host waits";
  next_url();
}

TEST_F(HostsOfAJob, ThatWaitReturnBeforeNewOnes) {
  begin(free_options());
  for (int i = 0; i < 10; ++i) add(root_of(i));
  Claim claim = next();
  add("http://waits.example/");
  EXPECT_FALSE(backlog.is_in_memory("http://waits.example"));
  finish(std::move(claim));
  add("http://new.example/");
  EXPECT_FALSE(backlog.is_in_memory("http://new.example")) << "one host waits";
  std::vector<std::string> got;
  while (!is_idle()) got.push_back(next_url());
  ASSERT_EQ(got.size(), 11u);
  EXPECT_EQ(got[9], "http://waits.example/");
  EXPECT_EQ(got[10], "http://new.example/");
}

TEST_F(HostsOfAJob, ReturnTogetherIfThereIsRoom) {
  for (int i = 0; i < 200; ++i) backlog.leave(root_of(i));
  frontier.emplace(world.loop(), free_options(), nullptr, FrontierSource{.backlog = &backlog});
  pass(1ms);
  EXPECT_EQ(backlog.in_memory(), 200u);
}

TEST_F(HostsOfAJob, ReturnAsSoonAsAnotherIsIdle) {
  begin(free_options());
  add("http://sleeps.example/");
  EXPECT_FALSE(frontier->retry(next(), HostSign::refused, 1h));
  for (int i = 0; i < 9; ++i) add(root_of(i));
  Claim claim = next();
  add("http://waits.example/");
  pass(1s);
  EXPECT_FALSE(backlog.is_in_memory("http://waits.example")) << "no other host is idle";
  finish(std::move(claim));
  pass(20ms);
  EXPECT_TRUE(backlog.is_in_memory("http://waits.example"));
  while (!is_idle()) next_url();
}

TEST_F(HostsOfAJob, ReturnWhenThePausesOfIdleHostsAreOver) {
  begin(free_options());
  for (int i = 0; i < 10; ++i) add(root_of(i));
  std::vector<Claim> claims;
  for (int i = 0; i < 10; ++i) claims.push_back(next());
  add("http://waits.example/");
  for (int i = 0; i < 9; ++i) finish(std::move(claims[i]), HostSign::failed);
  pass(100ms);
  EXPECT_FALSE(backlog.is_in_memory("http://waits.example")) << "their pauses are not stored";
  pass(3s);
  EXPECT_TRUE(backlog.is_in_memory("http://waits.example"));
  next_url();
}

// The pauses of idle hosts end without an event.
TEST_F(HostsOfAJob, ReturnWhenPausesAreOverThatBeganBefore) {
  begin(free_options());
  add("http://sleeps.example/");
  EXPECT_FALSE(frontier->retry(next(), HostSign::refused, 1h));
  for (int i = 0; i < 9; ++i) {
    add(root_of(i));
    finish(next(), HostSign::failed);
  }
  add("http://waits.example/");
  EXPECT_FALSE(backlog.is_in_memory("http://waits.example"));
  pass(5s);
  EXPECT_TRUE(backlog.is_in_memory("http://waits.example"));
  while (!is_idle()) next_url();
}

TEST_F(HostsOfAJob, ReturnWhenNothingElseCanRun) {
  begin(free_options());
  std::vector<Claim> claims;
  for (int i = 0; i < 10; ++i) add(root_of(i));
  for (int i = 0; i < 10; ++i) claims.push_back(next());
  add("http://last.example/");
  for (Claim& claim : claims) {
    const std::string origin(claim.origin());
    frontier->park_host(origin, {.reason = SkipReason::host_parked, .may_pass = true},
                        kIgnoreDropped);
    finish(std::move(claim));
  }
  EXPECT_EQ(next_url(), "http://last.example/") << "although no parked host can leave";
}

TEST_F(HostsOfAJob, ThatAreSetAsideDoNotDisplaceOthers) {
  begin(free_options());
  for (int i = 0; i < 9; ++i) {
    add(root_of(i));
    frontier->park_host(root_of(i).substr(0, 17),
                        {.reason = SkipReason::host_parked, .may_pass = true}, kIgnoreDropped);
  }
  for (int i = 11; i < 19; ++i) add(root_of(i));
  for (int i = 11; i < 19; ++i) {
    EXPECT_TRUE(backlog.is_in_memory(fmt::format("http://h{}.example", i))) << i;
  }
}

TEST_F(HostsOfAJob, StayAwayAfterTheEnd) {
  begin(free_options());
  frontier->close();
  for (int i = 0; i < 3; ++i) add(root_of(i));
  pass(1min);
  EXPECT_EQ(backlog.in_memory(), 0u);
  EXPECT_TRUE(frontier->knows_host("h2.example"));
}

TEST_F(HostsOfAJob, WithoutAValidNameEndWithoutAFetch) {
  for (const int count : {1, 3}) {
    for (int i = 0; i < count; ++i) backlog.leave("no origin");
    begin(free_options());
    EXPECT_TRUE(world.run(frontier->join()).has_value());
    EXPECT_TRUE(is_idle());
    frontier.reset();
    backlog = {};
  }
}

// --- hosts that must stay

TEST_F(HostsOfAJob, WithARequestInFlightStay) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  const auto url = *url::Url::parse("http://a.example/probe");
  // Nothing of it is in the backlog, which could keep the host otherwise.
  add("http://a.example/");
  frontier->has_rules(next(), {}, Duration::zero(), "");
  next_url();
  frontier->discover(url, 1, {.purpose = Purpose::probe});
  Claim probe = next();
  for (int i = 0; i < 50; ++i) {
    add(root_of(i));
    frontier->has_rules(next(), {}, Duration::zero(), "");
    next_url();
  }
  EXPECT_NE(frontier->rules_for(url), nullptr);
  EXPECT_EQ(frontier->rules_for(*url::Url::parse(root_of(0))), nullptr) << "it has left";
  finish(std::move(probe));
}

TEST_F(HostsOfAJob, ThatAreBlockedNeverLeave) {
  begin(free_options());
  add("http://a.example/");
  next_url();
  frontier->block_host("a.example", {.reason = SkipReason::blocked}, kIgnoreDropped);
  pass_others();
  EXPECT_EQ(add("http://a.example/2"), Verdict::closed);
}

TEST_F(HostsOfAJob, ThatWereUnblockedLeave) {
  begin(free_options());
  for (int i = 0; i < 50; ++i) {
    add(root_of(i));
    const std::string host = fmt::format("h{}.example", i);
    frontier->block_host(
        host, {.reason = SkipReason::blocked},
        [this](const Target& target, const OriginEnd&) { frontier->settle(target); });
    frontier->unblock_host(host);
  }
  EXPECT_FALSE(backlog.is_in_memory("http://h0.example"));
}

TEST_F(HostsOfAJob, WithClosedOriginsLeave) {
  begin(free_options());
  for (int i = 0; i < 50; ++i) {
    add(root_of(i));
    frontier->close_origin(
        fmt::format("http://h{}.example", i), {.failure = Errc::dns_failed},
        [this](const Target& target, const OriginEnd&) { frontier->settle(target); });
  }
  EXPECT_FALSE(backlog.is_in_memory("http://h0.example"));
}

// The backlog does not store pauses that we chose ourselves.
TEST_F(HostsOfAJob, ThatFailedStayDuringTheirPause) {
  begin(free_options());
  add("http://a.example/");
  finish(next(), HostSign::failed);
  pass_others();
  EXPECT_TRUE(backlog.is_in_memory("http://a.example"));
  pass(PolitenessOptions().backoff_first);
  pass_others();
  EXPECT_FALSE(backlog.is_in_memory("http://a.example"));
}

TEST_F(HostsOfAJob, ThatTheBacklogKeepsLeaveLater) {
  begin(free_options());
  backlog.may_leave = [](std::string_view origin) { return origin != "http://a.example"; };
  add("http://a.example/");
  next_url();
  pass_others();
  EXPECT_TRUE(backlog.is_in_memory("http://a.example"));
  add("http://a.example/2");
  next_url();
  backlog.may_leave = {};
  pass_others();
  EXPECT_FALSE(backlog.is_in_memory("http://a.example"));
}

// --- levels

// A crawl with a full memory, in which only http://b.example and https://b.example may leave.
class LaterHostsOfAJob : public HostsOfAJob {
 protected:
  LaterHostsOfAJob() {
    begin_by_level();
    backlog.may_leave = [](std::string_view origin) { return origin.ends_with("//b.example"); };
  }
  // Wants memory for others.
  void crowd() {
    for (int i = 0; i < 50; ++i) add(root_of(i), 1);
  }
};

TEST_F(LaterHostsOfAJob, Leave) {
  add("http://a.example/");
  add("http://b.example/1", 1);
  crowd();
  EXPECT_FALSE(backlog.is_in_memory("http://b.example"));
}

TEST_F(LaterHostsOfAJob, ThatAreBlockedStay) {
  add("http://a.example/");
  add("http://b.example/1", 1);
  frontier->block_host(
      "b.example", {.reason = SkipReason::blocked},
      [this](const Target& target, const OriginEnd&) { frontier->settle(target); });
  crowd();
  EXPECT_EQ(add("http://b.example/2", 1), Verdict::closed);
}

TEST_F(LaterHostsOfAJob, WithARequestInFlightStay) {
  frontier->discover(*url::Url::parse("http://b.example/probe"), 1, {.purpose = Purpose::probe});
  add("http://b.example/1", 1);
  Claim probe = next();
  crowd();
  EXPECT_TRUE(backlog.is_in_memory("http://b.example"));
  finish(std::move(probe));
}

TEST_F(LaterHostsOfAJob, WithATargetOfThisLevelStay) {
  add("http://b.example/0");
  add("https://b.example/1", 1);
  crowd();
  EXPECT_TRUE(backlog.is_in_memory("http://b.example"));
  EXPECT_TRUE(backlog.is_in_memory("https://b.example"));
}

TEST_F(LaterHostsOfAJob, WithAnOriginThatWasSetAsideStay) {
  add("http://a.example/");
  add("http://b.example/0");
  next_url();
  next_url();
  add("http://a.example/0");
  frontier->close_origin("http://b.example", {.reason = SkipReason::host_parked, .may_pass = true},
                         kIgnoreDropped);
  add("https://b.example/1", 1);
  crowd();
  EXPECT_TRUE(backlog.is_in_memory("https://b.example"));
}

TEST_F(LaterHostsOfAJob, ThatMustStayAreFetchedAtTheirLevel) {
  backlog.may_leave = [](std::string_view) { return false; };
  add("http://a.example/");
  crowd();
  std::set<std::string> got;
  while (!is_idle()) got.insert(next_url());
  EXPECT_EQ(got.size(), 51u);
}

TEST_F(HostsOfAJob, WithTwoOriginsLeaveAsOne) {
  begin_by_level();
  add("http://a.example/");
  for (int i = 0; i < 30; ++i) {
    add(fmt::format("http://h{}.example/", i), 1);
    add(fmt::format("https://h{}.example/", i), 1);
    EXPECT_LE(backlog.in_memory(), 11u);
  }
  std::multiset<std::string> got;
  while (!is_idle()) got.insert(next_url());
  EXPECT_EQ(got.size(), 61u);
  EXPECT_EQ(std::set<std::string>(got.begin(), got.end()).size(), 61u);
}

// All others wait until it is done, so nothing else brings it into memory.
TEST_F(HostsOfAJob, WithLowerDepthReturnThoughOthersWereCheckedBefore) {
  begin_by_level();
  add("http://a.example/");
  add("http://c.example/");
  Claim held = next();
  Claim other = next();
  for (int i = 0; i < 30; ++i) add(root_of(i), 2);
  finish(std::move(other));
  pass(1min);
  add("http://near.example/");
  pass(1s);
  EXPECT_TRUE(backlog.is_in_memory("http://near.example")) << "there is room";
  EXPECT_EQ(next_url(), "http://near.example/");
  finish(std::move(held));
  while (!is_idle()) next_url();
}

TEST_F(HostsOfAJob, OfALevelReturnWhenItBegins) {
  backlog.leave("http://a.example/0", 0);
  backlog.leave("http://a.example/1", 1);
  backlog.leave("http://b.example/1", 1);
  FrontierOptions options = free_options();
  options.is_level_by_level = true;
  options.needs_robots = true;
  begin(std::move(options));
  frontier->has_rules(next(), {}, Duration::zero());
  Claim page = next();
  EXPECT_EQ(page.target.url, "http://a.example/0");
  add("http://c.example/", 0);
  Claim robots = next();  // while this runs, the crawl is not stuck
  EXPECT_EQ(robots.origin(), "http://c.example");
  frontier->close_origin(
      "http://c.example", {.failure = Errc::dns_failed},
      [this](const Target& target, const OriginEnd&) { frontier->settle(target); });
  pass(1min);
  EXPECT_FALSE(backlog.is_in_memory("http://b.example"));
  finish(std::move(page));
  pass(20ms);
  EXPECT_TRUE(backlog.is_in_memory("http://b.example"));
  frontier->has_rules(std::move(robots), {}, Duration::zero());
}

// --- the state of hosts that return

TEST_F(HostsOfAJob, ReturnWithTheirRules) {
  backlog.leave("http://a.example/1");
  backlog.rules["http://a.example"] = {.source = "User-agent: *\nCrawl-delay: 10\nDisallow: /no",
                                       .good_until = now() + 1h};
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  Claim page = next();
  ASSERT_EQ(page.work, Work::page) << "the rules are known";
  ASSERT_NE(page.rules(), nullptr);
  EXPECT_FALSE(page.rules()->robots.allows("/no"));
  finish(std::move(page));
  add("https://a.example/2");
  frontier->has_rules(next(), {}, Duration::zero());
  const Instant before = now();
  finish(next());
  EXPECT_EQ(now() - before, 10s) << "the longest Crawl-delay of its origins";
  pass(1h);
  add("http://a.example/3");
  Claim again = next();
  EXPECT_EQ(again.work, Work::robots) << "they have expired";
}

TEST_F(HostsOfAJob, WithLongRulesNeedMoreMemory) {
  backlog.leave("http://a.example/");
  backlog.rules["http://a.example"] = {.source =
                                           "User-agent: *\nDisallow: /" + std::string(10'000, 'x')};
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  Claim claim = next();
  for (int i = 0; i < 10; ++i) add(root_of(i));
  EXPECT_LE(backlog.in_memory(), 4u);
}

TEST_F(HostsOfAJob, ReturnWithTheirPace) {
  backlog.leave("http://down.example/");
  backlog.leave("http://refuses.example/");
  backlog.leave("http://slow.example/");
  const Instant ready = now() + PolitenessOptions().wait_max;
  backlog.paces["down.example"] = {.ready_at = now() + 20s, .failures = 2, .has_answered = true};
  backlog.paces["refuses.example"] = {.ready_at = ready, .refusals = 3};
  backlog.paces["slow.example"] = {.ready_at = ready + 1h};
  begin(free_options());
  pass(1ms);
  const std::vector<HostPause> pauses = frontier->pauses(10);
  ASSERT_EQ(pauses.size(), 2u) << "the third has no trouble";
  EXPECT_EQ(pauses[0].host, "refuses.example");
  EXPECT_EQ(pauses[0].until, ready);
  EXPECT_FALSE(pauses[0].is_silent);
  EXPECT_EQ(pauses[1].host, "down.example");
  EXPECT_TRUE(pauses[1].is_silent);
  Claim down = next();
  EXPECT_EQ(down.target.url, "http://down.example/");
  EXPECT_TRUE(frontier->has_answered(down)) << "in an earlier process";
  finish(std::move(down));
  Claim refuses = next();
  EXPECT_EQ(refuses.target.url, "http://refuses.example/") << "the pause is not too long";
  EXPECT_EQ(now(), ready);
  EXPECT_FALSE(frontier->has_answered(refuses));
  finish(std::move(refuses));
  EXPECT_EQ(next_url(), "http://slow.example/") << "only pauses of refusals may be too long";
  EXPECT_EQ(frontier->unreached().hosts, 0u);
}

// --- without a backlog

TEST_F(FrontierTest, AnEmptyRobotsTxtNeedsNoMemory) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  open(std::move(options));
  add("http://a.example/");
  int full = 0;
  frontier->limit_hosts(0, [&full] { ++full; });
  frontier->has_rules(next(), {}, Duration::zero(), "");
  EXPECT_EQ(full, 0);
  EXPECT_FALSE(frontier->has_no_room());
  add("http://b.example/");
  add("http://c.example/");
  EXPECT_EQ(full, 1) << "it is called once";
  EXPECT_TRUE(frontier->has_no_room());
}

TEST_F(FrontierTest, CountsTheMemoryOfItsQueues) {
  open(free_options());
  const auto url = *url::Url::parse("http://a.example/" + std::string(100, 'x'));
  const std::size_t before = frontier->memory_bytes();
  for (int i = 0; i < 1'000; ++i) frontier->discover_again(url, {});
  EXPECT_GT(frontier->memory_bytes(), before + 100'000);
}

TEST_F(FrontierTest, UnblockingAnOpenHostChangesNothing) {
  open(free_options());
  add("http://a.example/1");
  frontier->unblock_host("a.example");
  frontier->unblock_host("unknown.example");
  EXPECT_EQ(add("http://a.example/2"), Verdict::added);
  EXPECT_FALSE(frontier->knows_host("unknown.example"));
}

}  // namespace
}  // namespace gossamer::crawler
