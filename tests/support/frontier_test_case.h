// For tests of the frontier: a frontier in a simulated world, driven by hand.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "base/hash.h"
#include "frontier/frontier.h"
#include "tests/simulated/world.h"

namespace gossamer::crawler {

inline const auto kStranger = *async::Endpoint::parse_address("93.184.216.34");
inline const auto kOwn = *async::Endpoint::parse_address("10.0.0.1");
inline bool is_own(const async::Endpoint& address) { return address == kOwn; }

// Origins are ready immediately and hosts have no pauses.
inline FrontierOptions free_options() {
  FrontierOptions options;
  options.needs_address = false;
  options.needs_robots = false;
  options.politeness.delay = Duration::zero();
  return options;
}

class FrontierTest : public testing::Test {
 protected:
  Frontier& open(FrontierOptions options) {
    return frontier.emplace(world.loop(), std::move(options));
  }
  Verdict add(const std::string& url, std::uint16_t depth = 0) {
    Target facts;
    facts.depth = depth;
    return frontier->discover(*url::Url::parse(url), base::hash64(url), facts);
  }
  // Waits for a claim, in virtual time. Fails the test run if there will never be one.
  Claim next() { return std::move(*world.run(frontier->claim())); }
  std::string next_url() {
    Claim claim = next();
    std::string url = claim.target.url;
    finish(std::move(claim));
    return url;
  }
  void finish(Claim claim, HostSign sign = HostSign::answered) {
    EXPECT_FALSE(frontier->finish(std::move(claim), sign, std::nullopt));
  }
  // Completes a claim immediately. Returns true if it was a request.
  bool answer(Claim claim, const async::Endpoint& address) {
    switch (claim.work) {
      case Work::resolve:
        frontier->resolved(std::move(claim), address, is_own(address));
        return false;
      case Work::robots: frontier->has_rules(std::move(claim), {}, Duration::zero()); return true;
      case Work::page: finish(std::move(claim)); return true;
    }
    return false;
  }
  bool is_idle() { return frontier->waiting() + frontier->claimed() == 0; }
  Instant now() { return world.loop().now(); }

  sim::World world{sim::calm_options()};
  std::optional<Frontier> frontier;
};

}  // namespace gossamer::crawler
