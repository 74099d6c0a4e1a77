// Tests a frontier whose hosts are leased.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_leases.h>
#include <tests/support/frontier_test_case.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "frontier/frontier.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LeasedHosts : public FrontierTest {
 protected:
  LeasedHosts() { begin(free_options()); }
  // The log must outlive the frontier.
  ~LeasedHosts() override { frontier.reset(); }

  void begin(FrontierOptions options) {
    frontier.emplace(world.loop(), std::move(options), nullptr, FrontierSource{.leases = &leases});
  }
  Verdict add_leased(const std::string& url, std::uint64_t ticket, std::uint16_t depth = 0) {
    Target facts;
    facts.ticket = ticket;
    facts.depth = depth;
    return frontier->discover(*url::Url::parse(url), base::hash64(url), facts);
  }

  FakeLeases leases;
};

TEST_F(LeasedHosts, AUrlThatReturnsIsFetchedAgain) {
  EXPECT_EQ(add("http://a.example/"), Verdict::added);
  next_url();
  EXPECT_EQ(add("http://a.example/"), Verdict::added);
  EXPECT_EQ(next_url(), "http://a.example/");
}

TEST_F(LeasedHosts, NoRequestStartsWhenTheLeaseHasEnded) {
  frontier->lease_host("a.example", now() + 10s);
  for (int i = 0; i < 4; ++i) add("http://a.example/" + std::to_string(i));
  next_url();
  world.driver().advance(9s);
  next_url();
  world.driver().advance(1s);
  add("http://b.example/");
  EXPECT_EQ(next_url(), "http://b.example/") << "this host has no end";
  EXPECT_FALSE(frontier->has_ready());
  frontier->lease_host("a.example", now() + 10s);
  EXPECT_EQ(next_url(), "http://a.example/2") << "it is leased again";
  frontier->lease_host("a.example", now() + 20s);
  world.driver().advance(15s);
  EXPECT_EQ(next_url(), "http://a.example/3") << "it was leased for longer";
}

TEST_F(LeasedHosts, AHostIsWithdrawnWithItsTargets) {
  add("http://a.example/1");
  add("https://a.example/2");
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
  EXPECT_FALSE(frontier->has_ready());
  EXPECT_TRUE(is_idle());
  EXPECT_TRUE(world.run(frontier->join()).has_value());
  EXPECT_THAT(leases.ended, IsEmpty()) << "another node fetches them";
  const auto url = *url::Url::parse("https://a.example/2");
  frontier->discover(url, 1, {});
  EXPECT_EQ(frontier->hosts(), 1u) << "it was forgotten and has returned";
  EXPECT_EQ(next_url(), "https://a.example/2");
}

TEST_F(LeasedHosts, TheRulesOfAWithdrawnHostAreForgotten) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  const auto url = *url::Url::parse("http://a.example/1");
  frontier->discover(url, 1, {});
  frontier->has_rules(next(), {}, Duration::zero());
  EXPECT_NE(frontier->rules_for(url), nullptr);
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
  EXPECT_EQ(frontier->rules_for(url), nullptr);
}

TEST_F(LeasedHosts, AnUnknownHostIsWithdrawn) {
  EXPECT_TRUE(frontier->withdraw_host("unknown.example"));
}

TEST_F(LeasedHosts, AHostWithARequestIsWithdrawnLater) {
  add("http://a.example/1");
  add("http://a.example/2");
  Claim claim = next();
  EXPECT_FALSE(frontier->withdraw_host("a.example"));
  EXPECT_FALSE(frontier->has_ready()) << "the other target is gone";
  frontier->discover_again(*url::Url::parse("http://a.example/3"), {});
  finish(std::move(claim));
  add("http://b.example/");
  EXPECT_EQ(next_url(), "http://b.example/") << "the other host is not ours";
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
  EXPECT_TRUE(is_idle());
}

TEST_F(LeasedHosts, AHostThatIsBeingPreparedIsWithdrawnLater) {
  FrontierOptions options = free_options();
  options.needs_address = true;
  begin(std::move(options));
  add("http://a.example/");
  Claim claim = next();
  EXPECT_FALSE(frontier->withdraw_host("a.example"));
  frontier->resolved(std::move(claim), kOwn, true);
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
}

TEST_F(LeasedHosts, APausedHostThatIsWithdrawnIsNotPausedHere) {
  add("http://a.example/");
  EXPECT_FALSE(frontier->retry(next(), HostSign::refused, 1h));
  EXPECT_EQ(frontier->pauses(10).size(), 1u);
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
  EXPECT_THAT(frontier->pauses(10), IsEmpty());
  EXPECT_EQ(world.loop().timers().size(), 0u);
}

TEST_F(LeasedHosts, ABlockedHostStaysBlockedWhenItIsWithdrawn) {
  frontier->block_host("a.example", {.reason = SkipReason::blocked},
                       [](const Target&, const OriginEnd&) {});
  EXPECT_TRUE(frontier->withdraw_host("a.example"));
  EXPECT_EQ(add("http://a.example/"), Verdict::closed);
}

TEST_F(LeasedHosts, TheLessorLearnsWhatEnds) {
  add_leased("http://a.example/1", 11);
  add_leased("http://a.example/2", 12);
  add_leased("http://a.example/3", 13);
  add_leased("http://a.example/4", 0);
  next_url();
  EXPECT_THAT(leases.ended, ElementsAre(11));
  EXPECT_EQ(leases.commits, 1u);
  frontier->skip(next());
  EXPECT_THAT(leases.ended, ElementsAre(11, 12));
  EXPECT_EQ(leases.commits, 2u);
  {
    const Claim given_up = next();
  }
  EXPECT_FALSE(frontier->retry(next(), HostSign::answered, std::nullopt));
  next_url();
  EXPECT_THAT(leases.ended, ElementsAre(11, 12)) << "the last has no ticket";
  EXPECT_TRUE(leases.paces.at("a.example").has_answered);
}

TEST_F(LeasedHosts, TheLessorStoresTheCountsOfATarget) {
  const std::array counts = {StoredCount{.what = Counted::host_urls, .count = 3, .key = 5}};
  const auto url = *url::Url::parse("http://a.example/");
  frontier->discover(url, 1, {.ticket = 1}, counts);
  frontier->discover(url, 1, {}, counts);
  ASSERT_EQ(leases.counts.size(), 1u) << "the other target has no ticket";
  ASSERT_EQ(leases.counts.at(1).size(), 1u);
  EXPECT_EQ(leases.counts.at(1)[0].count, 3u);
}

TEST_F(LeasedHosts, AFurtherFetchHasATicketOfTheLessor) {
  Target target;
  EXPECT_EQ(frontier->follow_up(target), 0u) << "it has no ticket itself";
  target.ticket = 1;
  EXPECT_EQ(frontier->follow_up(target), 1'001u);
  frontier->close();
  open(free_options());
  EXPECT_EQ(frontier->follow_up(target), 0u) << "there is no lessor";
}

TEST_F(LeasedHosts, AHostBeginsWithThePaceAndTheRulesOfOtherNodes) {
  FrontierOptions options = free_options();
  options.needs_robots = true;
  begin(std::move(options));
  leases.paces["a.example"] = {.ready_at = now() + 1min, .has_answered = true};
  leases.rules["http://a.example"] = {.source = "Disallow:"};
  add("http://a.example/");
  const Instant before = now();
  Claim claim = next();
  EXPECT_EQ(now() - before, 1min);
  EXPECT_EQ(claim.work, Work::page);
  EXPECT_TRUE(frontier->has_answered(claim));
}

TEST_F(LeasedHosts, ANewLimitOfWaitsIsValidForHostsOfOtherNodes) {
  PolitenessOptions politeness = free_options().politeness;
  politeness.wait_max = 3h;
  frontier->set_pace(politeness, Duration::zero());
  leases.paces["a.example"] = {.ready_at = now() + 2h, .refusals = 3};
  leases.paces["b.example"] = {.ready_at = now() + 4h, .refusals = 3};
  EXPECT_EQ(add("http://a.example/"), Verdict::added);
  EXPECT_EQ(add("http://b.example/"), Verdict::closed);
}

TEST_F(LeasedHosts, AClosedFrontierLeavesItsQueueToOthers) {
  add("http://a.example/1");
  add("http://b.example/2");
  Claim claim = next();
  EXPECT_FALSE(frontier->is_closed(claim));
  EXPECT_FALSE(frontier->is_kept(claim));
  frontier->close();
  EXPECT_TRUE(frontier->is_closed(claim));
  EXPECT_TRUE(frontier->is_kept(claim));
  frontier->drain([](const Target&) { ADD_FAILURE() << "it is kept"; });
}

}  // namespace
}  // namespace gossamer::crawler
