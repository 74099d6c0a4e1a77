#include "http/pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "tests/simulated/world.h"

namespace gossamer::http {
namespace {

// A connection without a network, for a given number of concurrent exchanges.
class FakeConnection final : public Connection {
 public:
  explicit FakeConnection(std::size_t room, std::size_t& alive) : room_(room), alive_(alive) {
    ++alive_;
  }
  ~FakeConnection() override { --alive_; }

  std::size_t room() const override { return is_spent ? 0 : room_ - used; }
  ExchangeOwner begin() override { return nullptr; }
  bool is_shared() const override { return room_ > 1; }
  bool is_reusable() const override { return !is_spent; }
  async::Task<bool> is_quiet() override { co_return true; }
  ConnectionFacts facts() const override { return {}; }
  std::optional<net::TlsFacts> tls_facts() const override { return std::nullopt; }

  std::size_t used = 0;
  bool is_spent = false;

 private:
  const std::size_t room_;
  std::size_t& alive_;
};

class PoolTest : public testing::Test {
 public:
  // BORROWS: the pool.
  async::Task<Pool::Lease> lease_new(Pool& pool, std::string key, std::size_t room = 1) {
    auto turn = co_await pool.enter(std::move(key));
    auto place = co_await pool.make_room();
    auto connection = std::make_unique<FakeConnection>(room, alive_);
    last_ = connection.get();
    co_return pool.adopt(std::move(*turn), std::move(*place), std::move(connection));
  }

  std::size_t alive_ = 0;
  FakeConnection* last_ = nullptr;
};

TEST_F(PoolTest, GivesTheConnectionUsedLastToTheNext) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    {
      const Pool::Lease first = co_await self.lease_new(pool, "a");
      const Pool::Lease second = co_await self.lease_new(pool, "a");
      EXPECT_EQ(pool.open(), 2u);
    }
    EXPECT_EQ(pool.idle(), 2u);
    auto turn = co_await pool.enter("a");
    const Pool::Lease lease = pool.take(*turn);
    EXPECT_TRUE(lease);
    auto other = co_await pool.enter("b");
    EXPECT_FALSE(pool.take(*other)) << "another origin has none";
  }(*this));
  EXPECT_EQ(alive_, 0u);
}

TEST_F(PoolTest, ClosesWhatIsSpent) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
      self.last_->is_spent = true;
    }
    EXPECT_EQ(pool.open(), 0u);
    EXPECT_EQ(pool.origins(), 0u);
  }(*this));
  EXPECT_EQ(alive_, 0u);
}

TEST_F(PoolTest, SharesAConnectionThatCarriesManyExchanges) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    std::vector<Pool::Lease> leases;
    leases.push_back(co_await self.lease_new(pool, "a", 3));
    self.last_->used = 1;
    for (int i = 0; i < 2; ++i) {
      auto turn = co_await pool.enter("a");
      auto lease = pool.take(*turn);
      CHECK(static_cast<bool>(lease));
      leases.push_back(std::move(lease));
      ++self.last_->used;
    }
    auto turn = co_await pool.enter("a");
    EXPECT_FALSE(pool.take(*turn)) << "it is full";
    EXPECT_EQ(pool.open(), 1u);
    EXPECT_EQ(pool.shared(), 1u);
    EXPECT_EQ(pool.streams(), leases.size());
    self.last_->used = 0;
    leases.clear();
    EXPECT_EQ(pool.idle(), 1u);
    EXPECT_EQ(pool.shared(), 1u);
    EXPECT_EQ(pool.streams(), 0u);
    pool.close_idle();
    EXPECT_EQ(pool.shared(), 0u);
  }(*this));
  EXPECT_EQ(alive_, 0u);
}

TEST_F(PoolTest, ClosesTheLongestIdleForAnotherOrigin) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.connections_max = 2});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
    }
    CHECK(co_await async::sleep(1s));
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "b");
    }
    const Instant before = async::Loop::current().now();
    const Pool::Lease third = co_await self.lease_new(pool, "c");
    EXPECT_EQ(async::Loop::current().now(), before) << "not only when it expires";
    EXPECT_EQ(pool.open(), 2u);
    auto turn = co_await pool.enter("a");
    EXPECT_FALSE(pool.take(*turn)) << "that was the one";
    auto kept = co_await pool.enter("b");
    EXPECT_TRUE(pool.take(*kept));
  }(*this));
}

TEST_F(PoolTest, KeepsNoMoreIdleThanItMay) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.idle_per_origin_max = 1});
    {
      const Pool::Lease first = co_await self.lease_new(pool, "a");
      const Pool::Lease second = co_await self.lease_new(pool, "a");
      const Pool::Lease other = co_await self.lease_new(pool, "b");
    }
    EXPECT_EQ(pool.idle(), 2u) << "one for each origin";
  }(*this));
}

// A connection for several concurrent exchanges is offered while it has room, but not once its
// server ends it.
TEST_F(PoolTest, OffersNoSharedConnectionThatIsSpent) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    const Pool::Lease first = co_await self.lease_new(pool, "a", 3);
    auto turn = co_await pool.enter("a");
    {
      const Pool::Lease second = pool.take(*turn);
      EXPECT_TRUE(second) << "it has room";
      self.last_->is_spent = true;
    }
    auto late = co_await pool.enter("a");
    EXPECT_FALSE(pool.take(*late));
    EXPECT_EQ(pool.open(), 1u) << "its first exchange still runs";
  }(*this));
  EXPECT_EQ(alive_, 0u);
}

TEST_F(PoolTest, AnIdleConnectionExpires) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.idle_max = 5s});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
    }
    CHECK(co_await async::sleep(3s));
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "b");
    }
    CHECK(co_await async::sleep(3s));
    EXPECT_EQ(pool.idle(), 1u);
    CHECK(co_await async::sleep(3s));
    EXPECT_EQ(pool.idle(), 0u);
    EXPECT_EQ(pool.origins(), 0u);
  }(*this));
}

TEST_F(PoolTest, ATurnThatIsLeftLetsTheNextOneIn) {
  auto world = sim::World::calm();
  world.run([]() -> async::Task<void> {
    Pool pool({.exchanges_per_origin_max = 1});
    async::Scope scope;
    bool is_in = false;
    {
      auto turn = co_await pool.enter("a");
      scope.spawn([](Pool& all, bool& came) -> async::Task<void> {
        auto mine = co_await all.enter("a");
        came = mine.has_value();
      }(pool, is_in));
      CHECK(co_await async::sleep(1s));
      EXPECT_FALSE(is_in);
    }
    CHECK(co_await scope.join());
    EXPECT_TRUE(is_in);
    EXPECT_EQ(pool.origins(), 0u);
  }());
}

TEST_F(PoolTest, TheOneUsedLastIsTakenFirst) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    auto first = co_await self.lease_new(pool, "a");
    auto second = co_await self.lease_new(pool, "a");
    const Connection* const used_last = &first.connection();
    const Connection* const used_before = &second.connection();
    second = {};
    first = {};
    auto turn = co_await pool.enter("a");
    const Pool::Lease lease = pool.take(*turn);
    EXPECT_EQ(&lease.connection(), used_last);
    const Pool::Lease other = pool.try_lease("a", async::Loop::current().now());
    EXPECT_EQ(&other.connection(), used_before);
    EXPECT_EQ(pool.idle(), 0u);
  }(*this));
}

// Both kinds of connections expire, at the time that was set and not later.
TEST_F(PoolTest, AConnectionExpiresAtItsTime) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    for (const std::size_t room : {1U, 3U}) {
      Pool pool({.idle_max = 5s});
      {
        const Pool::Lease lease = co_await self.lease_new(pool, "a", room);
      }
      CHECK(co_await async::sleep(5s - 1us));
      EXPECT_EQ(self.alive_, 1u);
      CHECK(co_await async::sleep(1us));
      EXPECT_EQ(self.alive_, 0u);
      EXPECT_EQ(pool.open(), 0u);
      EXPECT_EQ(pool.shared(), 0u);
      EXPECT_EQ(pool.origins(), 0u);
    }
  }(*this));
}

// The sweep is due when the oldest expires, of whichever kind it is.
TEST_F(PoolTest, EachOfManyConnectionsExpiresAtItsOwnTime) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.idle_max = 10s});
    for (const std::size_t room : {1U, 3U, 1U, 3U}) {
      {
        const Pool::Lease lease = co_await self.lease_new(pool, std::to_string(self.alive_), room);
      }
      CHECK(co_await async::sleep(2s));
    }
    EXPECT_EQ(self.alive_, 4u);
    CHECK(co_await async::sleep(1s));  // they are idle for 9, 7, 5 and 3 seconds
    for (std::size_t left = 4; left > 0; --left) {
      EXPECT_EQ(self.alive_, left);
      CHECK(co_await async::sleep(2s));
    }
    EXPECT_EQ(self.alive_, 0u);
  }(*this));
}

TEST_F(PoolTest, AConnectionThatIsUsedAgainDoesNotExpire) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.idle_max = 5s});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
    }
    CHECK(co_await async::sleep(4s));
    {
      auto turn = co_await pool.enter("a");
      const Pool::Lease lease = pool.take(*turn);
      CHECK(co_await async::sleep(30s));
      EXPECT_EQ(pool.open(), 1u) << "it is in use";
    }
    CHECK(co_await async::sleep(4s));
    EXPECT_EQ(pool.idle(), 1u) << "the time counts from its last use";
    CHECK(co_await async::sleep(1s));
    EXPECT_EQ(pool.idle(), 0u);
  }(*this));
}

TEST_F(PoolTest, NothingIsKeptWithoutTimeForIt) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.idle_max = Duration::zero()});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
    }
    EXPECT_EQ(self.alive_, 0u);
  }(*this));
}

TEST_F(PoolTest, AConnectionThatRestedIsChecked) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
      EXPECT_FALSE(lease.has_rested());
    }
    CHECK(co_await async::sleep(Pool::kRest - 1us));
    {
      const Pool::Lease lease = pool.try_lease("a", async::Loop::current().now());
      CHECK(static_cast<bool>(lease));
      EXPECT_FALSE(lease.has_rested());
    }
    CHECK(co_await async::sleep(Pool::kRest));
    EXPECT_FALSE(pool.try_lease("a", async::Loop::current().now())) << "a check has to wait";
    auto turn = co_await pool.enter("a");
    const Pool::Lease lease = pool.take(*turn);
    CHECK(static_cast<bool>(lease));
    EXPECT_TRUE(lease.has_rested());
  }(*this));
}

TEST_F(PoolTest, ALeaseWithoutAWaitTakesItsTurnToo) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.exchanges_per_origin_max = 2});
    const Instant now = async::Loop::current().now();
    EXPECT_FALSE(pool.try_lease("a", now)) << "there is no connection";
    const Pool::Lease first = co_await self.lease_new(pool, "a", 5);
    {
      const Pool::Lease second = pool.try_lease("a", now);
      EXPECT_TRUE(second);
      EXPECT_FALSE(pool.try_lease("a", now)) << "both turns are taken";
    }
    EXPECT_TRUE(pool.try_lease("a", now)) << "the turn came back";
    self.last_->is_spent = true;
    EXPECT_FALSE(pool.try_lease("a", now)) << "the connection has ended";
  }(*this));
  EXPECT_EQ(alive_, 0u);
}

// A server ends a shared connection while it is idle: the next one in line is offered.
TEST_F(PoolTest, AnIdleConnectionThatEndedIsPassedOver) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    auto first = co_await self.lease_new(pool, "a", 3);
    auto* const good = self.last_;
    auto second = co_await self.lease_new(pool, "a", 3);
    auto* const ended = self.last_;
    first = {};
    second = {};
    EXPECT_EQ(pool.idle(), 2u);
    ended->is_spent = true;
    auto turn = co_await pool.enter("a");
    const Pool::Lease lease = pool.take(*turn);
    CHECK(static_cast<bool>(lease));
    EXPECT_EQ(&lease.connection(), good);
    EXPECT_EQ(pool.open(), 1u) << "the other one was closed";
    EXPECT_EQ(self.alive_, 1u);
  }(*this));
}

TEST_F(PoolTest, AClosedLeaseKeepsItsTurn) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.exchanges_per_origin_max = 1});
    auto lease = co_await self.lease_new(pool, "a", 3);
    {
      const Pool::Turn turn = std::move(lease).close();
      EXPECT_EQ(self.alive_, 0u);
      EXPECT_EQ(pool.streams(), 0u);
      EXPECT_EQ(pool.origins(), 1u);
    }
    EXPECT_EQ(pool.origins(), 0u);
  }(*this));
}

// Other exchanges still use a shared connection that one of them gives up.
TEST_F(PoolTest, ASharedConnectionIsClosedByItsLastUser) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({});
    auto first = co_await self.lease_new(pool, "a", 3);
    auto turn = co_await pool.enter("a");
    auto second = pool.take(*turn);
    {
      const Pool::Turn kept = std::move(first).close();
      EXPECT_EQ(self.alive_, 1u);
      EXPECT_EQ(pool.streams(), 1u);
    }
    const Pool::Turn last = std::move(second).close();
    EXPECT_EQ(self.alive_, 0u);
  }(*this));
}

// Shared connections take more memory, so one of them makes room, even if another idles longer.
TEST_F(PoolTest, ASharedConnectionIsClosedBeforeTheOthers) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.connections_max = 2});
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
    }
    CHECK(co_await async::sleep(1s));
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "b", 3);
    }
    const Pool::Lease third = co_await self.lease_new(pool, "c");
    EXPECT_EQ(pool.shared(), 0u);
    EXPECT_EQ(pool.idle(), 1u);
    EXPECT_EQ(pool.open(), 2u);
  }(*this));
}

// BORROWS: all.
async::Task<Result<void>> open_and_leave(PoolTest& test, Pool& pool, bool& is_open) {
  const Pool::Lease lease = co_await test.lease_new(pool, "b");
  is_open = true;
  co_return {};
}

TEST_F(PoolTest, AConnectionIsNotKeptWhileAnotherOriginWaitsForRoom) {
  auto world = sim::World::calm();
  world.run([](PoolTest& self) -> async::Task<void> {
    Pool pool({.connections_max = 1});
    async::Scope scope;
    bool is_open = false;
    {
      const Pool::Lease lease = co_await self.lease_new(pool, "a");
      scope.spawn(open_and_leave(self, pool, is_open));
      CHECK(co_await async::sleep(1s));
      EXPECT_FALSE(is_open);
    }
    CHECK(co_await async::sleep(1ms));
    EXPECT_TRUE(is_open);
    CHECK(co_await scope.join());
    EXPECT_EQ(pool.idle(), 1u) << "nobody waits any more";
    auto turn = co_await pool.enter("a");
    EXPECT_FALSE(pool.take(*turn));
  }(*this));
}

// BORROWS: all.
async::Task<Result<void>> wait_for_dial(Pool& pool, bool& is_over) {
  auto turn = co_await pool.enter("a");
  CHECK(pool.is_dialing(*turn));
  auto waited = co_await pool.wait_for_dial(*turn);
  is_over = waited.has_value();
  EXPECT_FALSE(pool.is_dialing(*turn));
  co_return {};
}

TEST_F(PoolTest, ADialThatEndsWakesThoseThatWait) {
  auto world = sim::World::calm();
  world.run([]() -> async::Task<void> {
    Pool pool({});
    async::Scope scope;
    bool is_over = false;
    {
      auto turn = co_await pool.enter("a");
      EXPECT_FALSE(pool.is_dialing(*turn));
      const Pool::Dial dial = pool.dial(*turn);
      scope.spawn(wait_for_dial(pool, is_over));
      CHECK(co_await async::sleep(1s));
      EXPECT_FALSE(is_over);
    }
    CHECK(co_await scope.join());
    EXPECT_TRUE(is_over);
    EXPECT_EQ(pool.origins(), 0u);
  }());
}

TEST_F(PoolTest, ACancelledWaiterLeavesTheLine) {
  auto world = sim::World::calm();
  world.run([]() -> async::Task<void> {
    Pool pool({.exchanges_per_origin_max = 1});
    {
      auto turn = co_await pool.enter("a");
      auto late = co_await async::with_timeout(1s, pool.enter("a"));
      CHECK(!late);
      EXPECT_EQ(late.error(), Errc::timed_out);
    }
    EXPECT_EQ(pool.origins(), 0u);
  }());
}

}  // namespace
}  // namespace gossamer::http
