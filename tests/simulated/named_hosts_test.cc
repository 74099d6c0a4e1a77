#include "tests/simulated/named_hosts.h"

#include <gtest/gtest.h>

#include <string>

#include "async/scope.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/world.h"

namespace gossamer::sim {
namespace {

using async::Task;

// BORROWS: the hosts.
Task<std::string> describe_lookup(NamedHosts& hosts, std::string name) {
  auto found = co_await hosts.resolve(std::move(name));
  if (!found) co_return found.error().to_string();
  std::string text;
  for (const auto& family : {found->v6, found->v4}) {
    for (const async::Endpoint& address : family) text += address.address_text() + " ";
  }
  co_return text + base::to_string(found->ttl);
}

TEST(NamedHosts, KnowOnlyTheNamesAdded) {
  World world = World::calm();
  NamedHosts hosts(1);
  hosts.add("A.example", "192.0.2.1");
  hosts.add("a.example.", "2001:db8::1");
  hosts.add_without_address("empty.example");
  EXPECT_EQ(world.run(describe_lookup(hosts, "a.example")), "2001:db8::1 192.0.2.1 1 min");
  EXPECT_EQ(world.loop().now(), Instant(1ms));
  EXPECT_EQ(world.run(describe_lookup(hosts, "b.example")),
            "dns_failed: resolve b.example: there is no such name (NXDOMAIN)");
  EXPECT_EQ(world.run(describe_lookup(hosts, "empty.example")),
            "dns_failed: resolve empty.example: the name has no address (NODATA)");
  hosts.remove("a.example");
  EXPECT_EQ(world.run(describe_lookup(hosts, "a.example")),
            "dns_failed: resolve a.example: there is no such name (NXDOMAIN)");
  EXPECT_EQ(hosts.lookups(), 4u);
}

TEST(NamedHosts, FailAsOftenAsConfigured) {
  World world = World::calm();
  NamedHosts failing(1, {.fails = 1});
  EXPECT_EQ(world.run(describe_lookup(failing, "a.example")),
            "dns_failed: resolve a.example: the name server answered SERVFAIL");
  NamedHosts silent(1, {.goes_silent = 1});
  EXPECT_EQ(world.run(describe_lookup(silent, "a.example")),
            "timed_out: resolve a.example: no answer within 5 s");
  EXPECT_EQ(world.loop().now(), Instant(5001ms));
  NamedHosts half(1, {.only_one = 1});
  half.add("a.example", "192.0.2.1");
  half.add("a.example", "2001:db8::1");
  EXPECT_FALSE(world.run(half.look_up("a.example"))->complete);
}

TEST(NamedHosts, OneSeedGivesOneStory) {
  const auto story = [](std::uint64_t seed) {
    World world = World::calm();
    base::Random random(seed);
    NamedHosts hosts(seed, NamedHostsOptions::stormy(random));
    hosts.add("a.example", "192.0.2.1");
    hosts.add("a.example", "2001:db8::1");
    std::string text;
    for (int i = 0; i < 50; ++i) text += world.run(describe_lookup(hosts, "a.example")) + "\n";
    return text;
  };
  EXPECT_EQ(story(7), story(7));
  EXPECT_NE(story(7), story(8));
}

TEST(NamedHosts, CanBeCutAnywhere) {
  NamedHosts hosts(1);
  for_every_cancellation_point([&] { return hosts.look_up("a"); });
  EXPECT_EQ(hosts.lookups_in_flight(), 0u);
}

}  // namespace
}  // namespace gossamer::sim
