#include "engine/page/body_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/driver_test.h>

#include <string>
#include <vector>

#include "async/scope.h"
#include "async/sleep.h"

namespace gossamer::crawler {
namespace {

using async::tested_driver_name;
using async::TestedDriver;
using testing::ElementsAre;

class BodyMemoryTest : public async::DriverTest {};
ON_EVERY_DRIVER(BodyMemoryTest);

struct Bodies {
  BodyMemory memory{100};
  std::vector<std::string> log;
};

// A body that grows to some sizes, with a step of the loop after each. BORROWS: the bodies.
async::Task<Result<void>> read(Bodies& bodies, std::string name, std::vector<std::uint64_t> sizes) {
  BodyMemory::Share share(bodies.memory);
  for (const std::uint64_t size : sizes) {
    auto held = co_await share.hold(size);
    if (!held) {
      bodies.log.push_back(name + " is cancelled");
      co_return held;
    }
    bodies.log.push_back(name + " has " + std::to_string(size));
    static_cast<void>(co_await async::yield_now());
  }
  co_return {};
}

TEST_P(BodyMemoryTest, BodiesThatFitDoNotWait) {
  run([]() -> async::Task<void> {
    Bodies bodies;
    BodyMemory::Share one(bodies.memory);
    BodyMemory::Share two(bodies.memory);
    EXPECT_TRUE(one.try_hold(60));
    EXPECT_TRUE(two.try_hold(40));
    EXPECT_FALSE(two.try_hold(41));
    EXPECT_EQ(bodies.memory.held(), 100U);
    EXPECT_TRUE(one.try_hold(10));
    EXPECT_TRUE(two.try_hold(90));
    EXPECT_TRUE((co_await two.hold(50)).has_value());
    EXPECT_EQ(bodies.memory.held(), 60U);
  }());
}

TEST_P(BodyMemoryTest, TheFirstThatHadToWaitGetsAllItNeedsAndTheOthersFollow) {
  run([]() -> async::Task<void> {
    Bodies bodies;
    async::Scope scope;
    scope.spawn(read(bodies, "a", {60, 200, 300}));
    scope.spawn(read(bodies, "b", {30, 80, 10}));
    scope.spawn(read(bodies, "c", {10, 20}));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(bodies.log, ElementsAre("a has 60", "b has 30", "c has 10", "a has 200",
                                        "a has 300", "b has 80", "c has 20", "b has 10"));
    EXPECT_EQ(bodies.memory.held(), 0U);
  }());
}

TEST_P(BodyMemoryTest, NobodyOvertakesABodyThatWaits) {
  run([]() -> async::Task<void> {
    Bodies bodies;
    async::Scope scope;
    scope.spawn(read(bodies, "favoured", {90, 110, 110, 110}));
    scope.spawn(read(bodies, "large", {5, 95}));
    scope.spawn(read(bodies, "small", {5, 6}));
    EXPECT_TRUE((co_await scope.join()).has_value());
    EXPECT_THAT(bodies.log,
                ElementsAre("favoured has 90", "large has 5", "small has 5", "favoured has 110",
                            "favoured has 110", "favoured has 110", "large has 95", "small has 6"));
  }());
}

TEST_P(BodyMemoryTest, ACancelledBodyLetsTheOthersThrough) {
  run([]() -> async::Task<void> {
    Bodies bodies;
    BodyMemory::Share favoured(bodies.memory);
    EXPECT_TRUE((co_await favoured.hold(120)).has_value());
    async::Scope scope(async::OnFailure::keep_going);
    async::Scope others(async::OnFailure::keep_going);
    scope.spawn(read(bodies, "first", {90}));
    others.spawn(read(bodies, "second", {10}));
    static_cast<void>(co_await async::yield_now());
    EXPECT_TRUE(favoured.try_hold(80));
    static_cast<void>(co_await async::yield_now());
    EXPECT_THAT(bodies.log, ElementsAre());
    scope.cancel();
    static_cast<void>(co_await scope.join());
    EXPECT_TRUE((co_await others.join()).has_value());
    EXPECT_THAT(bodies.log, ElementsAre("first is cancelled", "second has 10"));
  }());
}

}  // namespace
}  // namespace gossamer::crawler
