#include "net/caching_resolver.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "async/gather.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::net {
namespace {

using async::Scope;
using async::Task;

// A cache over simulated servers, in a world without faults.
class CachingResolverTest : public testing::Test {
 public:
  void tell(DnsCacheOptions options, Task<void> (*story)(CachingResolverTest&, CachingResolver&)) {
    world_.run([](CachingResolverTest& test, DnsCacheOptions cache_options,
                  Task<void> (*told)(CachingResolverTest&, CachingResolver&)) -> Task<void> {
      Scope scope;
      CachingResolver cache(test.servers_, scope, cache_options);
      co_await told(test, cache);
      EXPECT_TRUE((co_await scope.join()).has_value());
      EXPECT_EQ(cache.lookups_in_flight(), 0u);
    }(*this, options, story));
  }

  sim::World world_ = sim::World::calm();
  sim::NamedHosts servers_{1,
                           {.delay = {100ms, 100ms}, .ttl = {60s, 60s}, .absent_ttl = {10s, 10s}}};
};

TEST_F(CachingResolverTest, ResolvesOnceUntilTheTtlIsOver) {
  servers_.add("a.example", "192.0.2.1");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    auto first = co_await cache.resolve("a.example");
    EXPECT_FALSE(first->from_cache);
    EXPECT_TRUE((co_await async::sleep(20s)).has_value());
    auto second = co_await cache.resolve("A.EXAMPLE.");
    EXPECT_TRUE(second->from_cache);
    EXPECT_EQ(second->ttl, 40s) << "what is left of it";
    EXPECT_EQ(second->v4, first->v4);
    EXPECT_TRUE((co_await async::sleep(40s - 1ns)).has_value());
    EXPECT_TRUE((co_await cache.resolve("a.example"))->from_cache);
    EXPECT_EQ(test.servers_.lookups(), 1u);
    EXPECT_TRUE((co_await async::sleep(1ns)).has_value());
    EXPECT_FALSE((co_await cache.resolve("a.example"))->from_cache);
    EXPECT_EQ(test.servers_.lookups(), 2u);
  });
}

TEST_F(CachingResolverTest, RemembersAbsenceForItsOwnTime) {
  servers_.add_without_address("empty.example");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    for (const char* host : {"empty.example", "none.example"}) {
      for (int i = 0; i < 3; ++i) {
        auto found = co_await cache.resolve(host);
        EXPECT_FALSE(found.has_value());
        if (!found) EXPECT_EQ(found.error(), Errc::dns_failed);
      }
    }
    EXPECT_EQ(test.servers_.lookups(), 2u);
    EXPECT_TRUE((co_await async::sleep(10s)).has_value());
    test.servers_.add("none.example", "192.0.2.1");
    EXPECT_TRUE((co_await cache.resolve("none.example")).has_value());
    EXPECT_EQ(test.servers_.lookups(), 3u);
  });
}

TEST_F(CachingResolverTest, TheTtlHasAFloorAndACeiling) {
  servers_.add("a.example", "192.0.2.1");
  tell({.ttl_min = 90s, .ttl_max = 100s},
       [](CachingResolverTest&, CachingResolver& cache) -> Task<void> {
         EXPECT_TRUE((co_await cache.resolve("a.example")).has_value());
         EXPECT_EQ((co_await cache.resolve("a.example"))->ttl, 90s);
       });
  tell({.ttl_min = 1s, .ttl_max = 7s},
       [](CachingResolverTest&, CachingResolver& cache) -> Task<void> {
         EXPECT_TRUE((co_await cache.resolve("a.example")).has_value());
         EXPECT_EQ((co_await cache.resolve("a.example"))->ttl, 7s);
       });
}

Task<void> expect_failures_asked_again(sim::NamedHosts& servers) {
  Scope scope;
  CachingResolver cache(servers, scope);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE((co_await cache.resolve("a.example")).has_value());
  EXPECT_EQ(servers.lookups(), 3u);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_TRUE((co_await scope.join()).has_value());
}

TEST_F(CachingResolverTest, FailuresAreNotRemembered) {
  sim::NamedHosts failing(1, {.fails = 1});
  world_.run(expect_failures_asked_again(failing));
  sim::NamedHosts silent(1, {.goes_silent = 1});
  world_.run(expect_failures_asked_again(silent));
}

TEST_F(CachingResolverTest, AFailureKeepsItsReason) {
  sim::NamedHosts failing(1, {.fails = 1});
  const auto reason = world_.run([](sim::NamedHosts& servers) -> Task<std::string> {
    async::Scope scope;
    CachingResolver cache(servers, scope);
    const auto found = co_await cache.resolve("a.example");
    CHECK(!found && co_await scope.join());
    co_return found.error().to_string();
  }(failing));
  EXPECT_EQ(reason, "dns_failed: resolve a.example: the name server answered SERVFAIL");
}

TEST_F(CachingResolverTest, HalfAnAnswerIsNotKeptForLong) {
  sim::NamedHosts half(1, {.ttl = {1h, 1h}, .only_one = 1});
  half.add("a.example", "192.0.2.1");
  half.add("a.example", "2001:db8::1");
  world_.run([](sim::NamedHosts& servers) -> Task<void> {
    Scope scope;
    CachingResolver cache(servers, scope, {.absent_ttl_max = 30s});
    EXPECT_TRUE((co_await cache.resolve("a.example")).has_value());
    EXPECT_EQ((co_await cache.resolve("a.example"))->ttl, 30s);
    EXPECT_TRUE((co_await scope.join()).has_value());
  }(half));
}

TEST_F(CachingResolverTest, AddressesPassThrough) {
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    EXPECT_EQ((co_await cache.resolve("192.0.2.1"))->v4.size(), 1u);
    EXPECT_EQ((co_await cache.resolve("[::1]"))->v6.size(), 1u);
    EXPECT_EQ(test.servers_.lookups(), 0u);
    EXPECT_EQ(cache.size(), 0u);
  });
}

TEST_F(CachingResolverTest, DropsTheLeastRecentlyUsedName) {
  for (const char* host : {"a", "b", "c"}) servers_.add(host, "192.0.2.1");
  tell({.names_max = 2}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    for (const char* host : {"a", "b", "a", "c"}) {
      EXPECT_TRUE((co_await cache.resolve(host)).has_value());
    }
    EXPECT_EQ(cache.size(), 2u);
    EXPECT_EQ(test.servers_.lookups(), 3u);
    EXPECT_TRUE((co_await cache.resolve("a"))->from_cache);
    EXPECT_FALSE((co_await cache.resolve("b"))->from_cache);
  });
}

TEST_F(CachingResolverTest, AThousandWaitForOneLookup) {
  servers_.add("a.example", "192.0.2.1");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    std::vector<Task<Result<Addresses>>> waiting;
    for (int i = 0; i < 1000; ++i) waiting.push_back(cache.resolve("a.example"));
    const auto answers = co_await async::gather(std::move(waiting));
    for (const auto& answer : answers) EXPECT_TRUE(answer && answer->v4.size() == 1);
    EXPECT_EQ(test.servers_.lookups(), 1u);
    EXPECT_EQ(test.world_.loop().now(), Instant(100ms));
  });
}

TEST_F(CachingResolverTest, RunsFiveThousandLookupsConcurrently) {
  for (int i = 0; i < 5000; ++i) servers_.add("h" + std::to_string(i), "192.0.2.1");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    std::vector<Task<Result<Addresses>>> waiting;
    for (int i = 0; i < 5000; ++i) waiting.push_back(cache.resolve("h" + std::to_string(i)));
    const auto answers = co_await async::gather(std::move(waiting));
    for (const auto& answer : answers) EXPECT_TRUE(answer.has_value());
    EXPECT_EQ(test.servers_.lookups_in_flight_max(), 5000u);
    EXPECT_EQ(cache.size(), 5000u);
  });
}

// The first caller gives up; the others still get the result of its lookup.
TEST_F(CachingResolverTest, OneWhoGivesUpDoesNotDisturbTheOthers) {
  servers_.add("a.example", "192.0.2.1");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    Scope scope(async::OnFailure::keep_going);
    auto first = scope.spawn([](CachingResolver& names) -> Task<Result<Addresses>> {
      co_return co_await async::with_timeout(50ms, names.resolve("a.example"));
    }(cache));
    auto second = scope.spawn(cache.resolve("a.example"));
    auto late = co_await first;
    EXPECT_EQ(late.error(), Errc::timed_out);
    auto found = co_await second;
    EXPECT_TRUE(found.has_value());
    EXPECT_EQ(test.servers_.lookups(), 1u);
    EXPECT_EQ(test.world_.loop().now(), Instant(100ms));
    static_cast<void>(co_await scope.join());
  });
}

TEST_F(CachingResolverTest, AnAnswerThatNobodyWaitsForIsRememberedStill) {
  servers_.add("a.example", "192.0.2.1");
  tell({}, [](CachingResolverTest& test, CachingResolver& cache) -> Task<void> {
    const auto late = co_await async::with_timeout(50ms, cache.resolve("a.example"));
    EXPECT_EQ(late.error(), Errc::timed_out);
    EXPECT_TRUE((co_await async::sleep(50ms)).has_value());
    EXPECT_TRUE((co_await cache.resolve("a.example"))->from_cache);
    EXPECT_EQ(test.servers_.lookups(), 1u);
  });
}

TEST_F(CachingResolverTest, KeepsNothingWithoutRoomOrTime) {
  servers_.add("a.example", "192.0.2.1");
  const auto story = [](CachingResolverTest&, CachingResolver& cache) -> Task<void> {
    for (int i = 0; i < 2; ++i) EXPECT_FALSE((co_await cache.resolve("a.example"))->from_cache);
    EXPECT_EQ(cache.size(), 0u);
  };
  tell({.names_max = 0}, story);
  tell({.ttl_min = Duration::zero(), .ttl_max = Duration::zero()}, story);
}

// The resolver ends, but its callers were not cancelled.
TEST_F(CachingResolverTest, TellsItsCallersThatItWasStopped) {
  servers_.add("a.example", "192.0.2.1");
  world_.run([](sim::NamedHosts& servers) -> Task<void> {
    Scope lookups;
    CachingResolver cache(servers, lookups);
    Scope callers(async::OnFailure::keep_going);
    auto waiting = callers.spawn(cache.resolve("a.example"));
    EXPECT_TRUE((co_await async::sleep(50ms)).has_value());
    lookups.cancel();
    static_cast<void>(co_await lookups.join());
    const auto answer = co_await waiting;
    EXPECT_EQ(answer.error(), Errc::closed);
    EXPECT_EQ(answer.error().detail(), "the resolver was stopped");
    static_cast<void>(co_await callers.join());
  }(servers_));
}

// BORROWS: the servers.
Task<Result<void>> resolve_twice(sim::NamedHosts& servers) {
  Scope scope;
  CachingResolver cache(servers, scope);
  auto [first, second] =
      co_await async::gather(cache.resolve("a.example"), cache.resolve("a.example"));
  if (!first) scope.cancel();
  static_cast<void>(co_await scope.join());
  EXPECT_EQ(cache.lookups_in_flight(), 0u);
  if (!first) co_return fail(std::move(first).error());
  co_return Result<void>();
}

TEST_F(CachingResolverTest, CanBeCutAnywhere) {
  servers_.add("a.example", "192.0.2.1");
  sim::for_every_cancellation_point([&] { return resolve_twice(servers_); });
}

}  // namespace
}  // namespace gossamer::net
