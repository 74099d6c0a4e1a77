#include "net/dns_lookup.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "async/future.h"
#include "async/semaphore.h"
#include "async/sleep.h"
#include "tests/simulated/world.h"
#include "tests/support/found_addresses.h"

namespace gossamer::net {
namespace {

Result<DnsAnswer> found(std::string_view address, Duration ttl) {
  return DnsAnswer{.addresses = {*async::Endpoint::parse_address(address)}, .ttl = ttl};
}
Result<DnsAnswer> found_v6(Duration ttl = 60s) { return found("2001:db8::1", ttl); }
Result<DnsAnswer> found_v4(Duration ttl = 60s) { return found("192.0.2.1", ttl); }

Result<DnsAnswer> answered(DnsCode code, Duration ttl = Duration::zero()) {
  return DnsAnswer{.code = code, .addresses = {}, .ttl = ttl};
}
Result<DnsAnswer> failed(Errc code) { return fail(code, "a failure"); }

TEST(CombineFamiliesTest, BothAreValidAsLongAsTheFirstThatExpires) {
  for (const bool is_v6_shorter : {false, true}) {
    const auto all =
        combine_families(found_v6(is_v6_shorter ? 5s : 60s), found_v4(is_v6_shorter ? 60s : 5s));
    EXPECT_EQ(text_of(all), "2001:db8::1 192.0.2.1 5 s");
    EXPECT_TRUE(all->complete);
  }
}

TEST(CombineFamiliesTest, OneFamilyIsEnough) {
  for (const DnsCode code : {DnsCode::no_error, DnsCode::no_such_name}) {
    const auto v4 = combine_families(answered(code, 1s), found_v4());
    EXPECT_EQ(text_of(v4), "192.0.2.1 1 min");
    EXPECT_TRUE(v4->complete) << "the other family was answered";
    const auto v6 = combine_families(found_v6(), answered(code, 1s));
    EXPECT_EQ(text_of(v6), "2001:db8::1 1 min");
    EXPECT_TRUE(v6->complete);
  }
  const auto without_v6 = combine_families(failed(Errc::timed_out), found_v4());
  EXPECT_EQ(text_of(without_v6), "192.0.2.1 1 min");
  EXPECT_FALSE(without_v6->complete);
  const auto without_v4 = combine_families(found_v6(), answered(DnsCode::server_failure));
  EXPECT_EQ(text_of(without_v4), "2001:db8::1 1 min");
  EXPECT_FALSE(without_v4->complete);
}

TEST(CombineFamiliesTest, AbsenceNeedsTheWordOfBoth) {
  const auto absent =
      combine_families(answered(DnsCode::no_error, 10s), answered(DnsCode::no_error, 7s));
  ASSERT_TRUE(absent);
  EXPECT_TRUE(absent->empty());
  EXPECT_EQ(absent->absence, Addresses::Absence::no_address);
  EXPECT_EQ(absent->ttl, 7s);
  for (const bool is_v6 : {false, true}) {
    const auto unknown =
        combine_families(answered(is_v6 ? DnsCode::no_such_name : DnsCode::no_error),
                         answered(is_v6 ? DnsCode::no_error : DnsCode::no_such_name));
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->absence, Addresses::Absence::no_such_name);
  }
  EXPECT_EQ(combine_families(failed(Errc::timed_out), answered(DnsCode::no_error)).error(),
            Errc::timed_out);
  EXPECT_EQ(combine_families(answered(DnsCode::no_error), failed(Errc::timed_out)).error(),
            Errc::timed_out);
}

TEST(CombineFamiliesTest, FailuresHaveTheirReason) {
  EXPECT_EQ(text_of(combine_families(answered(DnsCode::refused), answered(DnsCode::refused))),
            "refused: the name server answered REFUSED");
  EXPECT_EQ(
      text_of(combine_families(answered(DnsCode::no_error), answered(DnsCode::server_failure))),
      "dns_failed: the name server answered SERVFAIL");
  EXPECT_EQ(text_of(combine_families(failed(Errc::timed_out), answered(DnsCode::refused))),
            "refused: the name server answered REFUSED")
      << "most hosts have IPv4, so its reason is told";
}

// A lookup in virtual time.
struct PendingLookup {
  PendingLookup()
      : lookup(std::make_unique<DnsLookup>(async::Loop::current(), "a.example",
                                           DnsLookup::Patience{.for_v6 = 50ms, .for_v4 = 1s},
                                           *slots.try_acquire())),
        answer(lookup->answer()) {}

  // BORROWS: this.
  async::Task<std::string> wait() { co_return text_of(co_await answer.wait()); }

  async::Semaphore slots{1};
  std::unique_ptr<DnsLookup> lookup;
  async::Future<Addresses> answer;
};

async::Task<void> wait_for_the_other(DnsType first) {
  PendingLookup pending;
  const bool is_v4 = first == DnsType::a;
  EXPECT_EQ(pending.lookup->host(), "a.example");
  const Instant begun = async::Loop::current().now();
  EXPECT_FALSE(pending.lookup->add(first, is_v4 ? found_v4() : found_v6())) << "one is pending";
  EXPECT_EQ(co_await pending.wait(), is_v4 ? "192.0.2.1 1 min" : "2001:db8::1 1 min");
  EXPECT_EQ(async::Loop::current().now() - begun, is_v4 ? 50ms : 1s);
  EXPECT_FALSE(pending.slots.try_acquire()) << "its query is still out";
  EXPECT_TRUE(pending.lookup->add(is_v4 ? DnsType::aaaa : DnsType::a, failed(Errc::timed_out)));
  pending.lookup.reset();
  EXPECT_TRUE(pending.slots.try_acquire());
}

TEST(DnsLookupTest, TheOtherFamilyIsNotWaitedForLong) {
  for (const DnsType first : {DnsType::a, DnsType::aaaa}) {
    sim::World::calm().run(wait_for_the_other(first));
  }
}

async::Task<void> answer_both() {
  for (const DnsType first : {DnsType::a, DnsType::aaaa}) {
    PendingLookup pending;
    const bool is_v4 = first == DnsType::a;
    EXPECT_FALSE(pending.lookup->add(first, is_v4 ? found_v4() : found_v6()));
    CHECK(co_await async::sleep(10ms));
    EXPECT_FALSE(pending.answer.resolved());
    EXPECT_TRUE(
        pending.lookup->add(is_v4 ? DnsType::aaaa : DnsType::a, is_v4 ? found_v6() : found_v4()));
    EXPECT_EQ(co_await pending.wait(), "2001:db8::1 192.0.2.1 1 min");
  }
}

TEST(DnsLookupTest, BothFamiliesAreToldTogether) { sim::World::calm().run(answer_both()); }

// An answer without an address says nothing about the other family: there is no hurry.
async::Task<void> answer_late(Result<DnsAnswer> first) {
  PendingLookup pending;
  EXPECT_FALSE(pending.lookup->add(DnsType::a, std::move(first)));
  CHECK(co_await async::sleep(4s));
  EXPECT_FALSE(pending.answer.resolved());
  EXPECT_TRUE(pending.lookup->add(DnsType::aaaa, found_v6()));
  EXPECT_EQ(co_await pending.wait(), "2001:db8::1 1 min");
}

TEST(DnsLookupTest, AnAnswerWithoutAddressesLeavesTimeForTheOther) {
  sim::World::calm().run(answer_late(answered(DnsCode::no_error)));
  sim::World::calm().run(answer_late(failed(Errc::refused)));
}

}  // namespace
}  // namespace gossamer::net
