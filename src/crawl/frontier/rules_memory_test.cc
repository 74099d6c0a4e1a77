// Tests that very long robots.txt leave memory while their hosts stay.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/fake_backlog.h>
#include <tests/support/frontier_test_case.h>

#include <string>
#include <utility>

#include "frontier/host_memory.h"

namespace gossamer::crawler {
namespace {

class VeryLongRulesOfAJob : public HostsOfAJob {
 protected:
  static constexpr int kHosts = 20;

  void begin_with_rules() {
    FrontierOptions options = free_options();
    options.needs_robots = true;
    begin(std::move(options));
    frontier->limit_hosts(1'000'000, [this] { is_full = true; });
    for (int i = 0; i < kHosts; ++i) add(root_of(i));
    for (int i = 0; i < kHosts; ++i) {
      Claim robots = next();
      ASSERT_EQ(robots.work, Work::robots);
      std::string source = "User-agent: *\n";
      for (int line = 0; line < 2000; ++line) source += fmt::format("Disallow: /{}\n", line);
      source += fmt::format("Disallow: /of-{}", url::Url::parse(robots.origin())->hostname());
      robots::Robots rules = robots::Robots::parse(source, "gossamer");
      frontier->has_rules(std::move(robots), {.robots = std::move(rules)}, Duration::zero(),
                          source);
    }
  }
};

TEST_F(VeryLongRulesOfAJob, StayInMemoryWhileTheDiskIsFull) {
  backlog.is_full = true;
  begin_with_rules();
  for (int i = 0; i < kHosts; ++i) {
    ASSERT_NE(frontier->rules_for(*url::Url::parse(root_of(i))), nullptr);
  }
}

TEST_F(VeryLongRulesOfAJob, AreReadAgain) {
  begin_with_rules();
  int in_memory = 0;
  for (int i = 0; i < kHosts; ++i) {
    if (frontier->rules_for(*url::Url::parse(root_of(i))) != nullptr) ++in_memory;
  }
  EXPECT_THAT(in_memory, testing::AllOf(testing::Ge(1), testing::Le(3)))
      << "a quarter of the memory";
  for (int i = 0; i < kHosts; ++i) {
    Claim page = next();
    ASSERT_EQ(page.work, Work::page);
    const std::string host(url::Url::parse(page.origin())->hostname());
    ASSERT_NE(page.rules(), nullptr);
    EXPECT_FALSE(page.rules()->robots.allows("/of-" + host));
    EXPECT_TRUE(page.rules()->robots.allows("/of-others"));
    finish(std::move(page));
  }
  EXPECT_FALSE(is_full);
}

}  // namespace
}  // namespace gossamer::crawler
