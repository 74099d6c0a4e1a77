// Tests a frontier whose queues are on disk.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_backlog.h>
#include <tests/support/frontier_test_case.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "frontier/frontier.h"

namespace gossamer::crawler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const OriginEnd kLeftForLater = {.reason = SkipReason::host_parked, .may_pass = true};

class QueueOnDisk : public HostsOfAJob {
 protected:
  bool has_ended() {
    pass(1ms);
    return is_idle() && world.run(frontier->join()).has_value();
  }
  // Fails the test if a target is dropped.
  static void keep(const Target& target, const OriginEnd&) { ADD_FAILURE() << target.url; }
};

TEST_F(QueueOnDisk, IsReadWhenItsHeadsAreClaimed) {
  for (const std::size_t heads_max : {1U, 2U}) {
    backlog.heads_max = heads_max;
    begin(free_options());
    for (int i = 0; i < 5; ++i) add("http://a.example/" + std::to_string(i));
    EXPECT_EQ(frontier->waiting(), 5u);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(next_url(), "http://a.example/" + std::to_string(i));
    EXPECT_TRUE(has_ended());
    frontier.reset();
  }
}

TEST_F(QueueOnDisk, IsReadWhenAUrlIsAddedAndNoneIsInMemory) {
  backlog.heads_max = 1;
  begin(free_options());
  add("http://a.example/0");
  Claim claim = next();
  backlog.heads_max = 0;
  add("http://a.example/1");
  EXPECT_FALSE(frontier->has_ready()) << "it cannot be read";
  backlog.heads_max = 2;
  add("http://a.example/2");
  EXPECT_TRUE(frontier->has_ready());
  finish(std::move(claim));
  EXPECT_EQ(next_url(), "http://a.example/1");
  EXPECT_EQ(next_url(), "http://a.example/2");
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, IsReadWhenAHostIsProbed) {
  backlog.heads_max = 1;
  begin(free_options());
  add("http://a.example/0");
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  EXPECT_FALSE(frontier->retry(next(), HostSign::failed, std::nullopt));
  add("http://a.example/1");
  Claim probe = next();
  EXPECT_EQ(probe.target.url, "http://a.example/0");
  finish(std::move(probe));
  EXPECT_EQ(next_url(), "http://a.example/1");
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, MayHaveFewerTargetsThanWereCounted) {
  backlog.leave_ended("http://a.example");
  backlog.leave("http://a.example/1");
  backlog.leave_ended("http://a.example");
  backlog.leave_ended("http://b.example");
  begin(free_options());
  EXPECT_EQ(next_url(), "http://a.example/1");
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, OfFinishedTargetsEndsItsLevel) {
  backlog.leave_ended("http://a.example", 0);
  backlog.leave_ended("http://a.example", 1);
  backlog.leave("http://a.example/2", 2);
  begin_by_level();
  EXPECT_EQ(next_url(), "http://a.example/2");
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, IsReadAgainAfterAFailure) {
  backlog.heads_max = 1;
  begin(free_options());
  for (int i = 0; i < 2; ++i) add("http://a.example/" + std::to_string(i));
  for (int i = 0; i < 2; ++i) add("http://b.example/" + std::to_string(i));
  backlog.is_broken = true;
  Claim a = next();
  Claim b = next();
  finish(std::move(a));
  finish(std::move(b));
  EXPECT_FALSE(frontier->has_ready());
  EXPECT_EQ(frontier->waiting(), 2u) << "they could not be read";
  frontier->set_claims_max(0);
  backlog.is_broken = false;
  frontier->set_claims_max(0);
  EXPECT_EQ(backlog.urls_of("http://a.example").size(), 1u);
  frontier->set_claims_max(1);
  EXPECT_THAT((std::vector<std::string>{next_url(), next_url()}),
              testing::UnorderedElementsAre("http://a.example/1", "http://b.example/1"));
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, OfHostsThatWereAwayIsReadAgainAfterAFailure) {
  backlog.leave("http://a.example/");
  backlog.is_broken = true;
  begin(free_options());
  pass(1s);
  EXPECT_FALSE(frontier->has_ready());
  backlog.is_broken = false;
  frontier->set_claims_max(1);
  EXPECT_EQ(next_url(), "http://a.example/");
  EXPECT_TRUE(has_ended());
}

// --- queues that are left to another process

TEST_F(QueueOnDisk, OfAParkedHostIsLeftToAnotherProcess) {
  for (const bool is_level_by_level : {false, true}) {
    backlog.heads_max = 1;
    FrontierOptions options = free_options();
    options.is_level_by_level = is_level_by_level;
    begin(std::move(options));
    for (int i = 0; i < 3; ++i) add("http://a.example/" + std::to_string(i));
    add("http://b.example/");
    frontier->park_host("http://a.example", OriginEnd(kLeftForLater), keep);
    EXPECT_FALSE(frontier->has_ready() && frontier->waiting() != 1);
    EXPECT_EQ(next_url(), "http://b.example/");
    EXPECT_TRUE(has_ended());
    EXPECT_EQ(frontier->unreached().hosts, 1u);
    EXPECT_EQ(frontier->unreached().urls_queued, 3u);
    EXPECT_EQ(backlog.urls_of("http://a.example").size(), 3u);
    frontier.reset();
    backlog = {};
  }
}

TEST_F(QueueOnDisk, OfAParkedHostIsCountedAfterAFailure) {
  backlog.heads_max = 1;
  begin_by_level();
  for (int i = 0; i < 3; ++i) add("http://a.example/" + std::to_string(i));
  backlog.is_broken = true;
  frontier->park_host("http://a.example", OriginEnd(kLeftForLater), keep);
  EXPECT_EQ(frontier->waiting(), 2u) << "their levels are not known";
  backlog.is_broken = false;
  frontier->set_claims_max(1);
  EXPECT_FALSE(frontier->has_ready());
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, OfAParkedHostGetsLaterUrls) {
  begin(free_options());
  add("http://a.example/1");
  next_url();
  frontier->park_host("http://a.example", OriginEnd(kLeftForLater), keep);
  EXPECT_EQ(frontier->unreached().hosts, 0u) << "no URL of it is unreached";
  EXPECT_EQ(add("http://a.example/2#x"), Verdict::added);
  EXPECT_THAT(backlog.urls_of("http://a.example"), ElementsAre("http://a.example/2"));
  frontier->discover(*url::Url::parse("http://a.example/probe"), 1, {.purpose = Purpose::probe});
  EXPECT_EQ(backlog.urls_of("http://a.example").size(), 1u) << "probes are not stored";
  frontier->discover_again(*url::Url::parse("http://a.example/3"), {});
  EXPECT_EQ(backlog.urls_of("http://a.example").size(), 2u);
  EXPECT_EQ(frontier->unreached().hosts, 1u);
  EXPECT_EQ(frontier->unreached().urls_queued, 2u);
  EXPECT_TRUE(has_ended()) << "nothing of it is fetched by this process";
}

TEST_F(QueueOnDisk, OfAParkedHostGetsClaimsThatAreGivenUp) {
  begin(free_options());
  add("http://a.example/1");
  {
    const Claim claim = next();
    frontier->park_host("http://a.example", OriginEnd(kLeftForLater), keep);
    EXPECT_TRUE(frontier->is_closed(claim));
    EXPECT_TRUE(frontier->is_kept(claim));
  }
  EXPECT_EQ(frontier->unreached().urls_queued, 1u);
  EXPECT_THAT(backlog.urls_of("http://a.example"), ElementsAre("http://a.example/1"));
  EXPECT_TRUE(has_ended());
}

// --- the state of an earlier process

TEST_F(QueueOnDisk, ContinuesAtItsLevel) {
  backlog.leave("http://a.example/2", 2);
  backlog.leave("http://b.example/3", 3);
  backlog.leave("http://c.example/4", 4);
  begin_by_level();
  EXPECT_FALSE(frontier->knows(base::hash64("http://b.example/3"), 0)) << "it may come nearer";
  EXPECT_TRUE(frontier->knows(base::hash64("http://a.example/2"), 0)) << "its level is here";
  EXPECT_EQ(add("http://a.example/2", 0), Verdict::seen);
  EXPECT_EQ(add("http://b.example/3", 2), Verdict::added);
  EXPECT_THAT((std::vector<std::string>{next_url(), next_url()}),
              testing::UnorderedElementsAre("http://a.example/2", "http://b.example/3"));
  EXPECT_EQ(next_url(), "http://c.example/4") << "the other one comes once";
  EXPECT_TRUE(has_ended());
  EXPECT_THAT(backlog.urls_of("http://b.example"), IsEmpty()) << "both targets end";
}

TEST_F(QueueOnDisk, EndsMovedTargetsOfAClosedOrigin) {
  begin_by_level();
  add("http://a.example/");
  add("http://b.example/x", 2);
  EXPECT_EQ(add("http://b.example/x", 1), Verdict::added);
  frontier->close_origin(
      "http://b.example", {.failure = Errc::dns_failed},
      [this](const Target& target, const OriginEnd&) { frontier->settle(target); });
  EXPECT_THAT(backlog.urls_of("http://b.example"), IsEmpty());
  next_url();
  EXPECT_TRUE(has_ended());
}

TEST_F(QueueOnDisk, ReturnsMessagesAndCountsOfAnEarlierProcess) {
  Target target;
  target.url = "http://a.example/1";
  backlog.messages.push_back({.fingerprint = 7, .target = target});
  target.url = "http://a.example/2";
  backlog.messages.push_back({.fingerprint = {}, .target = target});
  backlog.counts.push_back({.what = Counted::host_urls, .count = 3, .key = 5});
  begin(free_options());
  const auto undelivered = frontier->take_undelivered();
  ASSERT_EQ(undelivered.size(), 2u);
  EXPECT_EQ(undelivered[0].target.url, "http://a.example/1");
  EXPECT_FALSE(undelivered[0].is_again);
  EXPECT_EQ(undelivered[1].target.url, "http://a.example/2");
  EXPECT_TRUE(undelivered[1].is_again) << "it has no fingerprint";
  EXPECT_THAT(frontier->take_undelivered(), IsEmpty());
  const auto counts = frontier->take_counts();
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].key, 5u);
}

TEST_F(QueueOnDisk, StoresMessagesToOtherLoops) {
  begin(free_options());
  Target target;
  target.url = "http://a.example/1";
  EXPECT_NE(frontier->send(7, target), 0u);
  ASSERT_EQ(backlog.messages.size(), 1u);
  EXPECT_EQ(backlog.messages[0].fingerprint, 7u);
  open(free_options());
  EXPECT_EQ(frontier->send(7, target), 0u) << "nothing is stored";
}

}  // namespace
}  // namespace gossamer::crawler
