#include "node/lease_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "node/url_block.h"
#include "tests/support/lease_test_case.h"

namespace gossamer::node {
namespace {

using cluster::Position;
using cluster::Then;
using crawler::Counted;
using crawler::Target;
using testing::ElementsAre;

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

TEST_F(LeaseBookTest, ALeaseThatBeginsInABatchSkipsWhatHasEnded) {
  cluster::LeasedHost middle = host();
  middle.position = {.batches = 7, .urls = 2};
  HostLease& lease = book_.add(std::move(middle));
  const auto targets = take(lease, batch(0, 5, 0b11101));
  EXPECT_THAT(urls_of(targets), ElementsAre("3", "4")) << "0 and 2 had ended, 1 is not live";
  EXPECT_FALSE(lease.has_news());
  EXPECT_EQ(book_.open(), 2u);
  EXPECT_EQ(lease.completion(Instant(1s), {}).position, (Position{.batches = 7, .urls = 2}));
  const auto more = take(lease, batch(5, 2, 0b11));
  EXPECT_THAT(urls_of(more), ElementsAre("5", "6")) << "only the first batch had ended in part";
  end(targets[0]);
  end(targets[1]);
  EXPECT_THAT(lease.unknown_urls(), ElementsAre("https://a.example/3", "https://a.example/4"));
  const auto completion = lease.completion(Instant(1s), {});
  EXPECT_EQ(completion.position, (Position{.batches = 8, .urls = 0}));
  EXPECT_EQ(completion.held, 9u);
}

TEST_F(LeaseBookTest, ABatchWithAnotherNumberOfUrlsIsMalformed) {
  HostLease& lease = book_.add(host());
  cluster::UrlBatch wrong = batch(0, 3, 0b111);
  wrong.count = 2;
  wrong.live = 2;
  wrong.mask = 0b11;
  std::optional<Error> failure;
  std::vector<cluster::UrlBatch> batches;
  batches.push_back(std::move(wrong));
  batches.push_back(batch(7, 1, 1));
  EXPECT_THAT(urls_of(lease.take(std::move(batches), failure)), ElementsAre("7"));
  EXPECT_TRUE(failure.has_value());
  EXPECT_EQ(lease.unknown(), 2u) << "its URLs have ended";
}

TEST_F(LeaseBookTest, ACompletionHasThePauseThatIsLeft) {
  HostLease& lease = book_.add(host());
  EXPECT_EQ(lease.completion(Instant(9s), {}).pause, 0s) << "it was never fetched";
  lease.ready_at = Instant(10s);
  EXPECT_EQ(lease.completion(Instant(9s), {}).pause, 1s);
  EXPECT_EQ(lease.completion(Instant(11s), {}).pause, 0s);
  lease.ready_at = Instant(10s + 48h);
  EXPECT_EQ(lease.completion(Instant(10s), {}).pause, 24h) << "Redis takes no longer ones";
}

TEST_F(LeaseBookTest, MoreIsReadOnlyIfSomethingWaits) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 15, 0x7FFF));
  EXPECT_FALSE(lease.wants_more()) << "it is unknown whether more waits";
  lease.accept(0, Then::keep, {.waiting = 15, .until = Instant(90s), .batches = {}});
  EXPECT_FALSE(lease.wants_more()) << "these are all";
  lease.accept(0, Then::keep, {.waiting = 16, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(lease.wants_more());
  EXPECT_EQ(lease.next_step(), Then::more);
  take(lease, batch(20, 1, 1));
  EXPECT_FALSE(lease.wants_more()) << "16 are enough";
  lease.enter(HostLease::Stage::held_up);
  end(targets[0]);
  lease.accept(1, Then::keep, {.waiting = 99, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(lease.wants_more()) << "it continues soon";
  lease.enter(HostLease::Stage::leaving);
  EXPECT_FALSE(lease.wants_more());
  EXPECT_EQ(lease.next_step(), Then::keep);
}

TEST_F(LeaseBookTest, AHostHoldsALimitedNumberOfUrls) {
  HostLease& lease = book_.add(host());
  std::vector<Target> all;
  for (int i = 0; i < 4; ++i) {
    for (Target& each : take(lease, batch(64 * i, 64, ~std::uint64_t{0}))) all.push_back(each);
  }
  lease.accept(0, Then::keep, {.waiting = 1000, .until = Instant(90s), .batches = {}});
  for (std::size_t i = 1; i < all.size(); ++i) end(all[i]);
  EXPECT_EQ(book_.open(), 1u);
  EXPECT_FALSE(lease.wants_more()) << "255 ended behind one that is slow";
  end(all[0]);
  EXPECT_FALSE(lease.wants_more()) << "Redis does not know it yet";
  lease.accept(256, Then::keep, {.waiting = 744, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(lease.wants_more());
}

TEST_F(LeaseBookTest, AHostIsDoneWhenNothingIsLeftHereAndThere) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 2, 0b11));
  end(targets[0]);
  lease.accept(1, Then::keep, {.waiting = 0, .until = Instant(90s), .batches = {}});
  EXPECT_FALSE(lease.is_done()) << "one is open";
  end(targets[1]);
  lease.accept(2, Then::keep, {.waiting = 3, .until = Instant(90s), .batches = {}});
  EXPECT_FALSE(lease.is_done()) << "three wait";
  lease.accept(2, Then::more, {.waiting = 3, .until = Instant(90s), .batches = {batch(2, 1, 1)}});
  EXPECT_FALSE(lease.is_done());
  lease.accept(2, Then::more, {.waiting = 3, .until = Instant(90s), .batches = {}});
  EXPECT_TRUE(lease.is_done()) << "another lease has them";
  EXPECT_FALSE(lease.wants_more());
}

TEST_F(LeaseBookTest, ItsStateIsSentBackWithoutWhatChangesRarely) {
  HostState state;
  state.pace.failures = 2;
  HostLease& known = book_.add(host(pack_state(state)));
  EXPECT_TRUE(known.is_known());
  EXPECT_EQ(known.state().pace.failures, 2);
  const cluster::LeasedHost renewal = known.renewal();
  EXPECT_EQ(renewal.host, "a.example");
  EXPECT_EQ(renewal.partition, 3u);
  EXPECT_EQ(renewal.token, "t");
  EXPECT_EQ(renewal.until, Instant(60s));
  book_.remove(known.id());
  EXPECT_FALSE(book_.add(host()).is_known());
  book_.remove(2);
  EXPECT_FALSE(book_.add(host("of another version")).is_known());
}

TEST_F(LeaseBookTest, CountsOfDomainsAreNotThoseOfAHost) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 1, 1));
  const std::vector<crawler::StoredCount> counts = {
      {.what = Counted::domain_hosts, .count = 3, .key = 1},
      {.what = Counted::guesses, .count = 4, .key = 2},
      {.what = Counted::host_urls, .count = 5, .key = 3}};
  lease.note_counts(book_.find(targets[0].ticket).number, counts);
  lease.note_counts(99, counts);
  end(targets[0]);
  const HostState now = lease.state_now(Then::keep);
  ASSERT_EQ(now.counts.size(), 1u);
  EXPECT_EQ(now.counts[0].what, Counted::host_urls);
  EXPECT_EQ(now.counts[0].count, 5u);
  EXPECT_EQ(now.counts[0].key, 3u);
}

TEST_F(LeaseBookTest, ACountOfUrlsThatAllReturnIsNotSent) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 1, 1));
  const crawler::StoredCount one = {.what = Counted::host_urls, .count = 1, .key = 1};
  lease.note_counts(book_.find(targets[0].ticket).number, {&one, 1});
  EXPECT_TRUE(lease.state_now(Then::keep).counts.empty()) << "the next holder counts it";
}

TEST_F(LeaseBookTest, AReleaseUndoesOnlyTheCountsOfUrlsThatItGivesBack) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 3, 0b111));
  std::uint32_t count = 0;
  for (const Target& target : targets) {
    const crawler::StoredCount changed = {.what = Counted::host_urls, .count = ++count, .key = 1};
    lease.note_counts(book_.find(target.ticket).number, {&changed, 1});
  }
  end(targets[1]);
  end(targets[2]);
  EXPECT_TRUE(lease.state_now(Then::keep).counts.empty()) << "all follow the first, which is open";
  EXPECT_EQ(lease.state_now(Then::release).counts.front().count, 2u);
}

TEST_F(LeaseBookTest, ARestWithoutGapsStaysInItsPlace) {
  HostLease& lease = book_.add(host());
  const auto targets = take(lease, batch(0, 3, 0b111));
  end(targets[0]);
  lease.enter(HostLease::Stage::withdrawn);
  const auto completion = lease.completion(Instant(1s), {});
  EXPECT_FALSE(completion.again.has_value()) << "it repeats no page";
  EXPECT_EQ(completion.position, (Position{.batches = 0, .urls = 1}));
}

TEST_F(LeaseBookTest, ARestThatIsLargerThanABatchStaysInItsPlace) {
  HostLease& lease = book_.add(host());
  std::vector<Target> all = take(lease, batch(0, 64, ~std::uint64_t{0}));
  for (Target& each : take(lease, batch(64, 2, 0b11))) all.push_back(each);
  end(all[1]);
  EXPECT_EQ(lease.order().open(), 65u);
  lease.enter(HostLease::Stage::withdrawn);
  EXPECT_FALSE(lease.completion(Instant(1s), {}).again.has_value());
  book_.remove(lease.id());
  HostLease& other = book_.add(host());
  all = take(other, batch(0, 64, ~std::uint64_t{0}));
  for (Target& each : take(other, batch(64, 1, 1))) all.push_back(each);
  end(all[1]);
  other.enter(HostLease::Stage::withdrawn);
  const auto completion = other.completion(Instant(1s), {});
  ASSERT_TRUE(completion.again.has_value());
  EXPECT_EQ(completion.again->live, 64);
  EXPECT_EQ(completion.again->mask, ~std::uint64_t{0});
}

}  // namespace
}  // namespace gossamer::node
