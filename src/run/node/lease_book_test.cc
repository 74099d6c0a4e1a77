#include "node/lease_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "node/url_block.h"

namespace gossamer::node {
namespace {

using cluster::Position;
using cluster::Then;
using crawler::Counted;
using crawler::Target;
using testing::ElementsAre;

cluster::UrlBatch batch(int first, int count, std::uint64_t mask) {
  std::vector<Target> targets(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    targets[static_cast<std::size_t>(i)].url = "https://a.example/" + std::to_string(first + i);
  }
  return {.count = static_cast<std::uint8_t>(count),
          .live = static_cast<std::uint8_t>(__builtin_popcountll(mask)),
          .mask = mask,
          .block = pack_urls(targets)};
}

cluster::LeasedHost host(std::string state = {}) {
  return {.partition = 3,
          .host = "a.example",
          .token = "t",
          .until = Instant(60s),
          .state = std::move(state),
          .batches = {}};
}

std::vector<std::string> urls_of(const std::vector<Target>& targets) {
  std::vector<std::string> urls;
  for (const Target& target : targets) urls.push_back(target.url.substr(18));
  return urls;
}

class LeaseBookTest : public testing::Test {
 protected:
  std::vector<Target> take(HostLease& lease, cluster::UrlBatch one) {
    std::optional<Error> failure;
    std::vector<cluster::UrlBatch> batches;
    batches.push_back(std::move(one));
    auto targets = lease.take(std::move(batches), failure);
    EXPECT_FALSE(failure.has_value());
    return targets;
  }
  void end(const Target& target) {
    const LeaseBook::Place place = book_.find(target.ticket);
    ASSERT_NE(place.lease, nullptr);
    place.lease->end(place.number);
  }

  LeaseBook book_;
};

TEST_F(LeaseBookTest, DeliversLiveUrlsAndCompletesAPrefix) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 4, 0b1011));
  EXPECT_THAT(urls_of(targets), ElementsAre("0", "1", "3"));
  EXPECT_FALSE(lease.has_news());
  end(targets[1]);
  EXPECT_FALSE(lease.has_news()) << "the first one is open";
  EXPECT_EQ(book_.unknown(), 1u);
  end(targets[0]);
  EXPECT_TRUE(lease.has_news());
  const auto completion = lease.completion(Instant(1s), {});
  EXPECT_EQ(completion.position, (Position{.batches = 0, .urls = 2}));
  EXPECT_EQ(completion.held, 1u);
  EXPECT_EQ(completion.then, Then::keep);
  lease.accept(2, Then::keep, {.waiting = 1, .until = Instant(90s), .batches = {}});
  EXPECT_EQ(lease.host().until, Instant(90s));
  EXPECT_EQ(book_.unknown(), 0u);
  EXPECT_FALSE(lease.has_news());
  end(targets[2]);
  EXPECT_EQ(lease.next_step(), Then::more) << "nothing is left";
  lease.accept(3, Then::more, {.waiting = 0, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(lease.is_done());
}

TEST_F(LeaseBookTest, AHostGetsHungryWhenFewAndWhenNoUrlsAreLeft) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 20, 0xFFFFF));
  lease.accept(0, Then::more, {.waiting = 100, .until = Instant(90s), .batches = {}});
  std::vector<std::size_t> hungry_at;
  for (const Target& target : targets) {
    end(target);
    if (lease.is_newly_hungry()) hungry_at.push_back(book_.open());
  }
  EXPECT_THAT(hungry_at, ElementsAre(15u, 0u));
}

TEST_F(LeaseBookTest, AReleaseGivesBackWhatHasNotEnded) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 4, 0b1111));
  end(targets[1]);
  end(targets[3]);
  lease.enter(HostLease::Stage::withdrawn);
  lease.ready_at = Instant(5s);
  const auto completion = lease.completion(Instant(2s), {});
  EXPECT_EQ(completion.then, Then::release);
  EXPECT_EQ(completion.position, (Position{.batches = 1, .urls = 0})) << "behind everything";
  EXPECT_EQ(completion.pause, 3s);
  ASSERT_TRUE(completion.again.has_value());
  EXPECT_EQ(completion.again->live, 2);
  EXPECT_EQ(completion.again->mask, 0b11u);
  EXPECT_THAT(urls_of(*unpack_urls(completion.again->block)), ElementsAre("0", "2"));
  // It may be sent again, and must be the same then.
  end(targets[0]);
  EXPECT_EQ(lease.completion(Instant(9s), {}).again->live, 2);
}

TEST_F(LeaseBookTest, TicketsOfALostLeaseAreUnknown) {
  HostLease& first = book_.add(host());
  const auto targets = take(first, batch(0, 2, 0b11));
  end(targets[1]);
  EXPECT_THAT(first.unknown_urls(), ElementsAre("https://a.example/1"));
  book_.remove(first.id());
  EXPECT_EQ(book_.find(targets[0].ticket).lease, nullptr);
  EXPECT_EQ(book_.find_host("a.example"), nullptr);
  HostLease& second = book_.add(host());
  EXPECT_EQ(book_.find(targets[0].ticket).lease, nullptr) << "the new lease has other tickets";
  EXPECT_EQ(book_.find_host("a.example"), &second);
}

TEST_F(LeaseBookTest, CountsOfUrlsThatReturnAreUndone) {
  HostState before;
  before.counts = {{.what = Counted::host_urls, .count = 10, .key = 1}};
  HostLease& lease = book_.add(host(pack_state(before)));
  const auto targets = take(lease, batch(0, 3, 0b111));
  std::uint32_t count = 10;
  for (const Target& target : targets) {
    const crawler::StoredCount changed = {.what = Counted::host_urls, .count = ++count, .key = 1};
    lease.note_counts(book_.find(target.ticket).number, {&changed, 1});
  }
  end(targets[0]);
  const HostState now = lease.state_now(Then::keep);
  ASSERT_EQ(now.counts.size(), 1u);
  EXPECT_EQ(now.counts[0].count, 11u) << "another holder counts two of them again";
}

TEST_F(LeaseBookTest, CookiesAndRulesAreSentWhenTheyChange) {
  HostState state;
  EXPECT_EQ(book_.add(host()).completion(Instant(1s), state).kept, "") << "there are none";
  state.rules = {{.origin = "https://a.example", .source = "User-agent: *\n"}};
  book_.remove(1);
  HostLease& lease = book_.add(host());
  const std::string kept = lease.completion(Instant(1s), state).kept;
  EXPECT_NE(kept, "");
  EXPECT_EQ(lease.completion(Instant(1s), state).kept, kept) << "Redis might not have it";
  lease.accept_kept(kept);
  EXPECT_EQ(lease.completion(Instant(1s), state).kept, "");
  EXPECT_NE(lease.completion(Instant(1s), {}).kept, "");
  book_.remove(2);
  cluster::LeasedHost again = host();
  again.kept = kept;
  HostLease& next = book_.add(std::move(again));
  EXPECT_EQ(next.state().rules, state.rules);
  EXPECT_EQ(next.completion(Instant(1s), state).kept, "");
}

TEST_F(LeaseBookTest, AHostThatMayKillNodesGetsOneUrlAtATime) {
  cluster::LeasedHost suspect = host();
  suspect.expired = 2;
  HostLease& lease = book_.add(std::move(suspect));
  const auto first = take(lease, batch(0, 3, 0b111));
  EXPECT_THAT(urls_of(first), ElementsAre("0"));
  end(first[0]);
  EXPECT_TRUE(lease.take_held_back().empty()) << "Redis does not know of the first one";
  lease.accept(1, Then::keep, {.waiting = 2, .until = Instant(90s), .batches = {}});
  EXPECT_THAT(urls_of(lease.take_held_back()), ElementsAre("1"));
}

TEST_F(LeaseBookTest, AStuckHostIsRenewedAlthoughItLeaves) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 3, 0b111));
  end(targets[0]);
  end(targets[1]);
  EXPECT_EQ(book_.unknown_waiting(), 0u);
  lease.enter(HostLease::Stage::withdrawn);
  EXPECT_FALSE(lease.is_held()) << "it is being released";
  lease.wait_for_links(true);
  EXPECT_TRUE(lease.is_held());
  EXPECT_EQ(book_.unknown_waiting(), 2u);
}

TEST_F(LeaseBookTest, PagesThatRedisDidNotTakeWaitForIt) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 3, 0b111));
  end(targets[0]);
  EXPECT_EQ(book_.unknown_waiting(), 0u) << "it was not asked";
  lease.wait_for_answer(true);
  EXPECT_EQ(lease.wait(), HostLease::Wait::answer);
  EXPECT_EQ(book_.unknown_waiting(), 1u);
}

TEST_F(LeaseBookTest, MalformedBatchesEnd) {
  HostLease& lease = book_.add(host());
  std::optional<Error> failure;
  std::vector<cluster::UrlBatch> batches;
  batches.push_back({.count = 2, .live = 2, .mask = 0b11, .block = "nonsense"});
  EXPECT_TRUE(lease.take(std::move(batches), failure).empty());
  EXPECT_TRUE(failure.has_value());
  EXPECT_EQ(lease.order().open(), 0u);
  EXPECT_TRUE(lease.has_news());
}

}  // namespace
}  // namespace gossamer::node
