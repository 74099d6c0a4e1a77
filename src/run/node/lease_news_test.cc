// Tests what Redis must know of leased hosts, and which of them a node keeps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "node/lease_book.h"
#include "tests/support/lease_test_case.h"
#include "wire/cookie.h"

namespace gossamer::node {
namespace {

using cluster::Position;
using cluster::Then;
using testing::ElementsAre;

class LeaseNewsTest : public LeaseBookTest {};

std::vector<wire::Cookie> no_cookies(std::string_view /*host*/) { return {}; }

TEST_F(LeaseNewsTest, WithoutChangesThereIsNoNews) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 20, 0xFFFFF));
  EXPECT_TRUE(book_.news(Instant(1s), 5s, no_cookies).empty());
  end(targets[0]);
  auto news = book_.news(Instant(1s), 5s, no_cookies);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news[0].id, lease.id());
  EXPECT_EQ(news[0].number, 1u);
  EXPECT_EQ(news[0].then, Then::keep);
  EXPECT_EQ(news[0].completion.host, "a.example");
  EXPECT_EQ(news[0].completion.token, "t");
  EXPECT_EQ(news[0].completion.partition, 3u);
  EXPECT_EQ(news[0].completion.position, (Position{.batches = 0, .urls = 1}));
  lease.accept(news[0], {.waiting = 19, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(book_.news(Instant(1s), 5s, no_cookies).empty());
}

TEST_F(LeaseNewsTest, APauseThatGetsLongerIsNews) {
  HostLease& lease = book_.add(host());
  take(lease, batch(0, 20, 0xFFFFF));
  lease.ready_at = Instant(10s);
  auto news = book_.news(Instant(1s), 5s, no_cookies);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news[0].completion.pause, 9s);
  lease.accept(news[0], {.waiting = 20, .until = Instant(90s), .batches = {}});
  lease.ready_at = Instant(15s);
  EXPECT_TRUE(book_.news(Instant(1s), 5s, no_cookies).empty()) << "it is not much longer";
  lease.ready_at = Instant(16s);
  EXPECT_EQ(book_.news(Instant(1s), 5s, no_cookies).size(), 1u);
}

TEST_F(LeaseNewsTest, AHostThatLeavesTellsEverythingAtTheEnd) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 2, 0b11));
  end(targets[0]);
  lease.enter(HostLease::Stage::leaving);
  EXPECT_TRUE(book_.news(Instant(1s), 5s, no_cookies).empty());
  lease.enter(HostLease::Stage::withdrawn);
  const auto news = book_.news(Instant(1s), 5s, no_cookies);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_EQ(news[0].then, Then::release);
  EXPECT_EQ(book_.news(Instant(1s), 5s, no_cookies).size(), 1u) << "until Redis has taken it";
  lease.enter(HostLease::Stage::lost);
  EXPECT_TRUE(book_.news(Instant(1s), 5s, no_cookies).empty()) << "another node has it";
}

TEST_F(LeaseNewsTest, CookiesOfTheHostAreNewsOnce) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 20, 0xFFFFF));
  const auto cookies = [](std::string_view name) {
    EXPECT_EQ(name, "a.example");
    return std::vector<wire::Cookie>{{.name = "id", .value = "7", .domain = "a.example"}};
  };
  end(targets[0]);
  auto news = book_.news(Instant(1s), 5s, cookies);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_FALSE(news[0].kept.empty());
  EXPECT_EQ(news[0].kept, news[0].completion.kept);
  lease.accept(news[0], {.waiting = 19, .until = Instant(90s), .batches = {}});
  end(targets[1]);
  news = book_.news(Instant(1s), 5s, cookies);
  ASSERT_EQ(news.size(), 1u);
  EXPECT_TRUE(news[0].kept.empty()) << "Redis has them";
  lease.accept(news[0], {.waiting = 18, .until = Instant(90s), .batches = {}});
  end(targets[2]);
  EXPECT_TRUE(book_.news(Instant(1s), 5s, cookies)[0].kept.empty());
}

// --- hosts that do not answer

TEST_F(LeaseNewsTest, AHostIsPassedOnIfOnlyThisNodeHearsNothing) {
  HostLease& lease = book_.add(host());
  constexpr std::uint64_t kSelf = 7;
  crawler::PaceMemory pace;
  pace.failures = 1;
  lease.note_pace(pace, Instant(10s));
  EXPECT_FALSE(lease.is_unheard(kSelf, 3, Instant(5s))) << "one failure says little";
  pace.failures = 2;
  pace.ready_at = Instant(33s);
  lease.note_pace(pace, Instant(20s));
  EXPECT_EQ(lease.ready_at, Instant(33s));
  EXPECT_TRUE(lease.is_unheard(kSelf, 3, Instant(5s)));
  EXPECT_TRUE(lease.is_unheard(kSelf, 2, Instant(9s)));
  EXPECT_FALSE(lease.is_unheard(kSelf, 3, Instant(10s))) << "another host has answered since";
  EXPECT_FALSE(lease.is_unheard(kSelf, 1, Instant(5s))) << "there is nobody else";
  EXPECT_FALSE(lease.is_unheard(kSelf, 0, Instant(5s)));
  pace.failures = 0;
  lease.note_pace(pace, Instant(30s));
  pace.failures = 2;
  lease.note_pace(pace, Instant(40s));
  EXPECT_TRUE(lease.is_unheard(kSelf, 3, Instant(35s))) << "the silence began at 40 s";
}

TEST_F(LeaseNewsTest, AHostThatNoNodeReachesStays) {
  HostState state;
  state.pace.failures = 2;
  state.unheard_by = {1};
  HostLease& lease = book_.add(host(pack_state(state)));
  crawler::PaceMemory pace;
  pace.failures = 3;
  lease.note_pace(pace, Instant(10s));
  EXPECT_TRUE(lease.is_unheard(2, 5, Instant(1s))) << "a third node may reach it";
  EXPECT_FALSE(lease.is_unheard(2, 2, Instant(1s))) << "these two are all";
  EXPECT_TRUE(lease.is_unheard(1, 2, Instant(1s))) << "the other one has not tried it";
  lease.pass_on(2);
  EXPECT_EQ(lease.stage(), HostLease::Stage::leaving);
  EXPECT_THAT(lease.state().unheard_by, ElementsAre(1u, 2u));
  EXPECT_FALSE(lease.is_unheard(3, 5, Instant(1s))) << "three nodes are enough";
  pace.failures = 0;
  lease.note_pace(pace, Instant(20s));
  EXPECT_TRUE(lease.state().unheard_by.empty()) << "it answers";
}

TEST_F(LeaseNewsTest, ANodeCountsOnceAmongThoseThatHearNothing) {
  HostState state;
  state.unheard_by = {4};
  HostLease& lease = book_.add(host(pack_state(state)));
  lease.pass_on(4);
  EXPECT_THAT(lease.state().unheard_by, ElementsAre(4u));
}

// --- all leases

TEST_F(LeaseNewsTest, HostsBeyondTheShareLeave) {
  for (const std::string name : {"a", "b", "c", "d"}) {
    cluster::LeasedHost one = host();
    one.host = name;
    book_.add(std::move(one));
  }
  EXPECT_FALSE(book_.leave_beyond(4, 1)) << "a few more are kept";
  EXPECT_TRUE(book_.leave_beyond(3, 2));
  std::vector<std::string> active;
  for (const HostLease* const lease : book_.all()) {
    if (lease->is_active()) active.push_back(lease->name());
  }
  EXPECT_THAT(active, ElementsAre("a", "b"));
  EXPECT_EQ(book_.size(), 4u);
  EXPECT_FALSE(book_.leave_beyond(2, 1)) << "those that leave do not count";
  EXPECT_TRUE(book_.leave_beyond(1, 1));
}

TEST_F(LeaseNewsTest, TicketsNameTheLeaseAndTheUrl) {
  book_.add(host());
  cluster::LeasedHost one = host();
  one.host = "b.example";
  HostLease& second = book_.add(std::move(one));
  const auto targets = take(second, batch(0, 3, 0b111));
  const LeaseBook::Place place = book_.find(targets[2].ticket);
  EXPECT_EQ(place.lease, &second);
  EXPECT_EQ(place.number, 2u);
  EXPECT_EQ(second.url_of(2), "https://a.example/2");
  EXPECT_EQ(book_.find(LeaseBook::ticket_of(99, 0)).lease, nullptr);
}

TEST_F(LeaseNewsTest, AUrlEndsOnce) {
  HostLease& lease = book_.add(host());
  take(lease, batch(0, 2, 0b11));
  lease.hold(0);
  EXPECT_FALSE(lease.end(0)) << "a further fetch belongs to it";
  EXPECT_TRUE(lease.end(0));
  EXPECT_FALSE(lease.end(0));
  EXPECT_FALSE(lease.end(17));
}

TEST_F(LeaseNewsTest, LinksThatWaitHoldBackTheCompletion) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 2, 0b11));
  lease.wait_for_links(false);
  EXPECT_EQ(lease.wait(), HostLease::Wait::none);
  lease.wait_for_links(true);
  EXPECT_EQ(lease.wait(), HostLease::Wait::links);
  lease.wait_for_links(false);
  EXPECT_EQ(lease.wait(), HostLease::Wait::none) << "nothing has ended";
  lease.wait_for_links(true);
  end(targets[0]);
  lease.wait_for_links(false);
  EXPECT_EQ(lease.wait(), HostLease::Wait::answer) << "what has ended meanwhile is sent next";
  lease.wait_for_answer(true);
  lease.wait_for_links(false);
  EXPECT_EQ(lease.wait(), HostLease::Wait::answer);
  lease.wait_for_answer(false);
  EXPECT_EQ(lease.wait(), HostLease::Wait::none);
}

}  // namespace
}  // namespace gossamer::node
