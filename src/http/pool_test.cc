#include "http/pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/sleep.h"
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

}  // namespace
}  // namespace gossamer::http
