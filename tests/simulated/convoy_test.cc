#include "tests/simulated/convoy.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <cstdint>
#include <mutex>
#include <vector>

#include "async/event.h"
#include "async/sleep.h"
#include "async/timeout.h"
#include "base/random.h"
#include "tests/simulated/fleet.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

constexpr Duration kSlack = 2ms;
constexpr std::uint64_t kStepMax = 5'000'000;  // nanoseconds

// A world that other worlds can ring.
struct Port {
  std::mutex mutex;
  World* world = nullptr;  // while it is there
  async::Event bell;
  int rings = 0;                           // not yet received
  std::atomic<Instant> clock = Instant();  // when it last did something
  std::atomic<bool> is_done = false;

  // From any thread.
  void ring() {
    const std::scoped_lock lock(mutex);
    if (world == nullptr) return;
    world->loop().post([this] {
      ++rings;
      bell.set();
    });
  }
};

using Ports = std::vector<Port>;

// Runs `make(ports, i)` in each world. All of them exist before the first begins.
void sail(Ports& ports, async::Task<void> (*make)(Ports& ports, std::size_t index)) {
  std::barrier all(static_cast<std::ptrdiff_t>(ports.size()));
  run_fleet(ports.size(), calm_options(), kSlack, [&](World& world, std::size_t index) {
    ports[index].world = &world;
    all.arrive_and_wait();
    world.run(make(ports, index));
    ports[index].is_done = true;
    const std::scoped_lock lock(ports[index].mutex);
    ports[index].world = nullptr;
  });
}

Instant now() { return async::Loop::current().now(); }

async::Task<Result<void>> rest(Duration duration) { co_return co_await async::sleep(duration); }

// BORROWS: the port.
async::Task<Result<void>> hear(Port& port) {
  auto heard = co_await port.bell.wait();
  if (--port.rings == 0) port.bell.clear();
  port.clock = now();
  co_return heard;
}

// BORROWS: the ports.
async::Task<void> ring_after_an_hour(Ports& ports, std::size_t index) {
  if (index == 0) {
    EXPECT_TRUE(co_await hear(ports[0]));
    co_return;
  }
  EXPECT_TRUE(co_await async::sleep(1h));
  ports[0].ring();
}

TEST(ConvoyTest, OneThatWaitsForNothingButAPostTakesOverTheClockOfWhoSendsIt) {
  Ports ports(2);
  sail(ports, ring_after_an_hour);
  EXPECT_EQ(ports[0].clock.load(), Instant(1h));
}

// BORROWS: the ports.
async::Task<void> ring_after_a_second(Ports& ports, std::size_t index) {
  if (index == 0) {
    EXPECT_TRUE(co_await async::with_timeout(1h, hear(ports[0])));
    co_return;
  }
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(co_await async::sleep(1ms));
  ports[0].ring();
}

TEST(ConvoyTest, NobodyHurriesToAFarTimerWhileOthersAreBusy) {
  Ports ports(2);
  sail(ports, ring_after_a_second);
  EXPECT_EQ(ports[0].clock.load(), Instant(1s));
}

// BORROWS: the ports.
async::Task<void> wander(Ports& ports, std::size_t index) {
  base::Random random(index);
  for (int i = 0; i < 3000; ++i) {
    EXPECT_TRUE(co_await async::sleep(Duration(random.below(kStepMax))));
    ports[index].clock = now();
    for (const Port& other : ports) {
      // It may be about to wake up from its next sleep.
      const Instant there = other.clock.load() + Duration(kStepMax);
      if (!other.is_done) EXPECT_LE(now(), there + kSlack);
    }
  }
}

TEST(ConvoyTest, NoClockGetsFarAheadOfAnother) {
  Ports ports(3);
  sail(ports, wander);
}

// BORROWS: the ports.
async::Task<void> answer_each_other(Ports& ports, std::size_t index) {
  constexpr int kTurns = 2000;
  for (int i = 0; i < kTurns; ++i) {
    if (index == 1) EXPECT_TRUE(co_await async::sleep(1ms));
    ports[1 - index].ring();
    EXPECT_TRUE(co_await hear(ports[index]));
  }
  // A world that has each reply before it waits for it keeps its own clock.
  EXPECT_GE(now(), Instant(1ms * kTurns - kSlack));
}

TEST(ConvoyTest, WorldsThatAnswerEachOtherComeToAnEnd) {
  Ports ports(2);
  sail(ports, answer_each_other);
}

TEST(ConvoyTest, AllWaitingForEachOtherIsADeadlock) {
  run_fleet(3, calm_options(), kSlack, [](World& world, std::size_t index) {
    if (index == 0) EXPECT_TRUE(world.run(rest(1h)));
    EXPECT_FALSE(world.loop().step());
  });
}

TEST(ConvoyTest, OneThatLeavesHoldsNobodyUp) {
  run_fleet(3, calm_options(), kSlack, [](World& world, std::size_t index) {
    if (index > 0) EXPECT_TRUE(world.run(rest(index * 1h)));
  });
}

}  // namespace
}  // namespace gossamer::sim
