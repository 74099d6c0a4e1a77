#include "engine/robots_memory.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tests/support/test_web.h>

#include <string>

#include "async/task.h"
#include "engine/setup/world.h"
#include "url/url.h"

namespace gossamer::crawler {
namespace {

constexpr std::string_view kSmall = "http://small.example/robots.txt";
constexpr std::string_view kLarge = "http://large.example/robots.txt";

// Fetches large rules whenever they have expired, and then uses small ones. BORROWS: the world.
async::Task<void> use_rules(World& world) {
  RobotsMemory memory(world.client, Settings());
  const url::Url small = *url::Url::parse("http://small.example/no");
  const url::Url large = *url::Url::parse("http://large.example/no");
  const WallTime now = world.wall_start;
  EXPECT_FALSE(co_await memory.allows(small, now));
  for (int day = 0; day < 10; ++day) {
    EXPECT_FALSE(co_await memory.allows(large, now + day * 25h));
  }
  EXPECT_FALSE(co_await memory.allows(small, now));
}

TEST(RobotsMemory, CountsRulesThatItFetchedAgainOnce) {
  std::string rules = "User-agent: *\nDisallow: /no\n";
  for (int i = 0; i < 10'000; ++i) rules += fmt::format("Disallow: /{}\n", i);
  TestWeb web;
  web.at(kSmall, Reply{.type = "text/plain", .body = "User-agent: *\nDisallow: /no"});
  web.at(kLarge, Reply{.type = "text/plain", .body = rules});
  const Crawled visited = web.visit(use_rules);
  EXPECT_EQ(visited.times_asked(kLarge), 10u);
  EXPECT_EQ(visited.times_asked(kSmall), 1u) << "there was room for both";
}

}  // namespace
}  // namespace gossamer::crawler
