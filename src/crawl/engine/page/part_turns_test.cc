#include "engine/page/part_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {
namespace {

using async::Task;

struct Count {
  std::size_t now = 0;
  std::size_t most = 0;
  std::size_t failed = 0;
};

// BORROWS: both.
Task<void> use_turn(PartTurns& turns, std::string host, Count& count) {
  auto turn = co_await turns.take(std::move(host));
  if (!turn) {
    ++count.failed;
    co_return;
  }
  count.most = std::max(count.most, ++count.now);
  static_cast<void>(co_await async::sleep(100ms));
  --count.now;
}

TEST(PartTurns, BoundTheRequestsOfEachHost) {
  sim::World world = sim::World::calm();
  Count one;
  Count other;
  const auto scene = [](Count& a, Count& b) -> Task<void> {  // BORROWS: both
    PartTurns turns;
    async::Scope scope;
    for (int i = 0; i < 20; ++i) scope.spawn(use_turn(turns, "a.example", a));
    for (int i = 0; i < 2; ++i) scope.spawn(use_turn(turns, "b.example", b));
    EXPECT_TRUE(co_await scope.join());
  };
  world.run(scene(one, other));
  EXPECT_EQ(one.most, PartTurns::kPerHostMax);
  EXPECT_EQ(other.most, 2U);
  EXPECT_EQ(one.failed, 0U);
}

TEST(PartTurns, LeaveABusyHostAlone) {
  sim::World world = sim::World::calm();
  Count count;
  const auto scene = [](Count& heard) -> Task<void> {  // BORROWS: the count
    PartTurns turns;
    turns.close("a.example", async::Loop::current().now() + 10s);
    turns.close("a.example", async::Loop::current().now() + 5s);
    co_await use_turn(turns, "a.example", heard);
    EXPECT_EQ(heard.failed, 1U);
    static_cast<void>(co_await async::sleep(10s));
    co_await use_turn(turns, "a.example", heard);
  };
  world.run(scene(count));
  EXPECT_EQ(count.failed, 1U);
  EXPECT_EQ(count.most, 1U);
}

TEST(PartTurns, RememberClosedHostsAmongMany) {
  sim::World world = sim::World::calm();
  const auto scene = []() -> Task<void> {
    PartTurns turns;
    turns.close("busy.example", async::Loop::current().now() + 1h);
    for (std::size_t i = 0; i < 3 * PartTurns::kHostsMax; ++i) {
      EXPECT_TRUE(co_await turns.take(std::to_string(i)));
    }
    EXPECT_FALSE(co_await turns.take("busy.example"));
  };
  world.run(scene());
}

TEST(PartTurns, ForgetClosedHostsWhileOneIsBusy) {
  sim::World world = sim::World::calm();
  const auto scene = []() -> Task<void> {
    PartTurns turns;
    const auto busy = co_await turns.take("busy.example");
    const Instant later = async::Loop::current().now() + 1h;
    for (std::size_t i = 0; i < 2 * PartTurns::kHostsMax; ++i) {
      turns.close(std::to_string(i), later + i * 1s);
    }
    EXPECT_TRUE(co_await turns.take("0"));
    EXPECT_FALSE(co_await turns.take(std::to_string(2 * PartTurns::kHostsMax - 1)));
  };
  world.run(scene());
}

TEST(PartTurns, HoldManyHosts) {
  sim::World world = sim::World::calm();
  const auto scene = []() -> Task<void> {
    PartTurns turns;
    auto kept = co_await turns.take("kept.example");
    for (std::size_t i = 0; i < 3 * PartTurns::kHostsMax; ++i) {
      EXPECT_TRUE(co_await turns.take(std::to_string(i)));
    }
    EXPECT_TRUE(kept);
  };
  world.run(scene());
}

}  // namespace
}  // namespace gossamer::crawler
