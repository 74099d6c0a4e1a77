#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <cstdint>
#include <limits>

#include "engine/setup/options.h"
#include "engine/setup/world.h"

namespace gossamer::crawler {
namespace {

TEST(FrontierOptionsTest, WithoutALimitHostsMayHaveAllMemory) {
  Options options;
  options.host_bytes_max = 0;
  EXPECT_EQ(frontier_options(options, true).host_bytes_max,
            std::numeric_limits<std::uint64_t>::max());
  options.host_bytes_max = 1;
  EXPECT_EQ(frontier_options(options, true).host_bytes_max, 1u);
}

TEST(FrontierOptionsTest, StoredRulesAreReadForTheAgentOfTheCrawl) {
  Options options;
  options.agent = "other";
  EXPECT_EQ(frontier_options(options, true).agent, "other");
}

TEST(FrontierOptionsTest, EachFrontierHasASaltThatSitesDoNotKnow) {
  TestWeb web;
  web.visit([](World& world) -> async::Task<void> {  // BORROWS: the world, while visit() runs
    const FrontierOptions first = frontier_options({}, world);
    const FrontierOptions second = frontier_options({}, world);
    EXPECT_NE(first.salt, 0u);
    EXPECT_NE(first.salt, second.salt);
    co_return;
  });
}

}  // namespace
}  // namespace gossamer::crawler
