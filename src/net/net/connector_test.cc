#include "net/connector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/connected_pair.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "async/gather.h"
#include "async/scope.h"
#include "async/timeout.h"
#include "net/address_order.h"
#include "tests/simulated/cancellation_points.h"
#include "tests/simulated/named_hosts.h"
#include "tests/simulated/world.h"

namespace gossamer::net {
namespace {

using async::Endpoint;
using async::Listener;
using async::Task;
using testing::HasSubstr;

constexpr std::uint16_t kPort = 80;

Endpoint at(std::string_view address, std::uint16_t port = kPort) {
  Endpoint endpoint = *Endpoint::parse_address(address);
  endpoint.port = port;
  return endpoint;
}

// A world with one-way delays of 10 ms and name servers that take 5 ms.
class ConnectorTest : public testing::Test {
 protected:
  static sim::SimOptions calm() {
    sim::SimOptions options;
    options.network.delay = {10ms, 10ms};
    return options;
  }

  void listen(std::string_view address, std::uint16_t port = kPort) {
    auto listener = Listener::bind(world_.loop(), at(address, port));
    ASSERT_TRUE(listener.has_value());
    listeners_.push_back(std::make_unique<Listener>(std::move(*listener)));
  }
  void host(std::string_view name, std::initializer_list<std::string_view> addresses) {
    for (const std::string_view address : addresses) servers_.add(name, address);
  }

  Result<Connected> connect(ConnectRequest request, ConnectOptions options = {},
                            GuardOptions guard = {}) {
    Connector connector(servers_, AddressGuard(std::move(guard)), options);
    return world_.run(connector.connect(std::move(request)));
  }
  std::string reached(ConnectRequest request, ConnectOptions options = {}) {
    const auto connected = connect(std::move(request), options);
    return connected ? connected->peer.to_string() : connected.error().to_string();
  }
  Instant now() { return world_.loop().now(); }
  std::uint32_t connections_begun() { return world_.driver().connections_begun(); }

  sim::World world_{calm()};
  sim::NamedHosts servers_{1, {.delay = {5ms, 5ms}}};
  std::vector<std::unique_ptr<Listener>> listeners_;
};

TEST_F(ConnectorTest, ConnectsToAHostAndMeasuresTheTime) {
  host("a.test", {"8.1.1.1"});
  listen("8.1.1.1");
  const auto connected = connect({.host = "a.test", .port = kPort});
  ASSERT_TRUE(connected.has_value()) << connected.error().to_string();
  EXPECT_TRUE(static_cast<bool>(connected->socket));
  EXPECT_EQ(connected->peer, at("8.1.1.1"));
  EXPECT_EQ(connected->dns_took, 5ms);
  EXPECT_EQ(connected->connect_took, 20ms);
}

TEST_F(ConnectorTest, AddressesNeedNoResolving) {
  listen("8.1.1.1");
  listen("2600::1");
  EXPECT_EQ(reached({.host = "8.1.1.1", .port = kPort}), "8.1.1.1:80");
  EXPECT_EQ(reached({.host = "[2600::1]", .port = kPort}), "[2600::1]:80");
  EXPECT_EQ(reached({.host = "a.test", .port = kPort, .addresses = {at("8.1.1.1", 9)}}),
            "8.1.1.1:80");
  EXPECT_EQ(servers_.lookups(), 0u);
}

TEST_F(ConnectorTest, VersionSixIsPreferred) {
  host("a.test", {"8.1.1.1", "2600::1"});
  listen("8.1.1.1");
  listen("2600::1");
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}), "[2600::1]:80");
  EXPECT_EQ(connections_begun(), 1u);
}

TEST_F(ConnectorTest, ABlackHoledVersionSixCostsOneAttemptDelay) {
  host("a.test", {"8.1.1.1", "2600::1"});
  listen("8.1.1.1");
  world_.driver().black_hole(at("2600::1"));
  const auto connected = connect({.host = "a.test", .port = kPort});
  ASSERT_TRUE(connected.has_value());
  EXPECT_EQ(connected->peer, at("8.1.1.1"));
  EXPECT_EQ(connected->connect_took, 250ms + 20ms);
  EXPECT_EQ(now(), Instant(5ms + 250ms + 20ms)) << "the loser is not waited for";
  EXPECT_EQ(world_.driver().operations_in_flight(), 0u);
}

TEST_F(ConnectorTest, ARefusalStartsTheNextAttemptImmediately) {
  host("a.test", {"8.1.1.1", "8.1.1.2", "2600::1"});
  listen("8.1.1.2");
  const auto connected = connect({.host = "a.test", .port = kPort});
  ASSERT_TRUE(connected.has_value());
  EXPECT_EQ(connected->peer, at("8.1.1.2"));
  EXPECT_EQ(connected->connect_took, 60ms);
}

TEST_F(ConnectorTest, ASlowWinnerStillWins) {
  // Answers come after 600 ms, when three attempts are under way; the first was first.
  sim::SimOptions options;
  options.network.delay = {300ms, 300ms};
  sim::World slow(options);
  host("a.test", {"8.1.1.1", "2600::1", "8.1.1.2"});
  std::vector<Listener> doors;
  for (const char* address : {"8.1.1.1", "2600::1", "8.1.1.2"}) {
    doors.push_back(std::move(*Listener::bind(slow.loop(), at(address))));
  }
  Connector connector(servers_);
  {
    const auto connected = slow.run(connector.connect({.host = "a.test", .port = kPort}));
    ASSERT_TRUE(connected.has_value());
    EXPECT_EQ(connected->peer, at("2600::1"));
    EXPECT_EQ(connected->connect_took, 600ms);
  }
  EXPECT_EQ(slow.driver().connections_begun(), 3u);
  EXPECT_EQ(slow.driver().sockets_open(), doors.size()) << "the losers are closed";
}

TEST_F(ConnectorTest, TheDeadlineEndsASingleAttempt) {
  world_.driver().black_hole(at("8.1.1.1"));
  EXPECT_EQ(reached({.host = "8.1.1.1", .port = kPort}),
            "timed_out: connect 8.1.1.1:80: timed out after 10 s");
  EXPECT_EQ(now(), Instant(10s));
}

TEST_F(ConnectorTest, TheDeadlineIsForAllAttemptsTogether) {
  host("a.test", {"8.1.1.1", "8.1.1.2", "2600::1"});
  for (const char* address : {"8.1.1.1", "2600::1"}) world_.driver().black_hole(at(address));
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}, {.connect_timeout = 3s}),
            "refused: connect a.test: 8.1.1.2:80 refused; [2600::1]:80 timed out after 3 s; "
            "8.1.1.1:80 timed out after 3 s");
  EXPECT_EQ(now(), Instant(5ms + 3s));
}

TEST_F(ConnectorTest, WhenAllFailAllAreNamed) {
  host("a.test", {"8.1.1.1", "8.1.1.2"});
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}),
            "refused: connect a.test: 8.1.1.1:80 refused; 8.1.1.2:80 refused");
  for (int i = 1; i < 30; ++i) servers_.add("many.test", "8.1.1." + std::to_string(i));
  EXPECT_EQ(reached({.host = "many.test", .port = kPort}),
            "refused: connect many.test: 8.1.1.1:80 refused; 8.1.1.2:80 refused; "
            "8.1.1.3:80 refused; 8.1.1.4:80 refused; 8.1.1.5:80 refused; 8.1.1.6:80 refused; "
            "and 4 more");
  EXPECT_EQ(connections_begun(), 2u + 10u) << "of many addresses only some are tried";
}

TEST_F(ConnectorTest, ASingleRefusalIsReportedUnchanged) {
  EXPECT_THAT(reached({.host = "8.1.1.1", .port = kPort}), HasSubstr("refused: connect"));
  EXPECT_THAT(reached({.host = "8.1.1.1", .port = kPort}), HasSubstr("8.1.1.1:80"));
}

TEST_F(ConnectorTest, AnUnreachableFamilyDoesNotHideWhyTheOtherFailed) {
  host("a.test", {"8.1.1.1", "2600::1"});
  world_.driver().fail_operation(1, ENETUNREACH);
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}),
            "refused: connect a.test: [2600::1]:80 unreachable; 8.1.1.1:80 refused");
}

TEST_F(ConnectorTest, WantOfDescriptorsIsNotTheHostsFault) {
  host("a.test", {"8.1.1.1", "8.1.1.2"});
  world_.driver().fail_operation(1, EMFILE);
  EXPECT_EQ(connect({.host = "a.test", .port = kPort}).error(), Errc::no_resources);
}

TEST_F(ConnectorTest, ReportsNamesThatCannotBeResolved) {
  EXPECT_EQ(reached({.host = "none.test", .port = kPort}),
            "dns_failed: resolve none.test: there is no such name (NXDOMAIN)");
  EXPECT_EQ(connections_begun(), 0u);
}

class RememberedName final : public Resolver {
 public:
  async::Task<Result<Addresses>> look_up(std::string) override {
    co_return Addresses{.v4 = {*Endpoint::parse_address("8.1.1.1")}, .from_cache = true};
  }
};

TEST_F(ConnectorTest, SaysWhetherTheAddressWasKnown) {
  host("a.test", {"8.1.1.1"});
  listen("8.1.1.1");
  EXPECT_FALSE(connect({.host = "a.test", .port = kPort})->dns_from_cache);
  RememberedName names;
  Connector connector(names);
  const auto connected = world_.run(connector.connect({.host = "a.test", .port = kPort}));
  ASSERT_TRUE(connected.has_value());
  EXPECT_TRUE(connected->dns_from_cache);
}

TEST_F(ConnectorTest, ResolvingHasItsDeadline) {
  sim::NamedHosts silent(1, {.goes_silent = 1, .patience = 60s});
  Connector connector(silent, {}, {.resolve_timeout = 2s});
  const auto connected = world_.run(connector.connect({.host = "a.test", .port = kPort}));
  EXPECT_EQ(connected.error().to_string(), "timed_out: resolve a.test: timed out after 2 s");
  EXPECT_EQ(now(), Instant(2s));
}

TEST_F(ConnectorTest, SendsNoPacketToADeniedAddress) {
  for (const char* address :
       {"127.0.0.1", "10.0.0.1", "172.16.0.0", "172.31.255.255", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "::1", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "64:ff9b::a00:1",
        "2002:a00:1::", "2001::1"}) {
    listen(address);
    const std::string name = "host" + std::to_string(listeners_.size()) + ".test";
    host(name, {address});
    for (const std::string& spelled : {name, std::string(address)}) {
      const auto connected = connect({.host = spelled, .port = kPort});
      ASSERT_FALSE(connected.has_value()) << address;
      EXPECT_EQ(connected.error(), Errc::denied) << address;
      EXPECT_THAT(connected.error().to_string(), HasSubstr("special address"));
    }
    EXPECT_FALSE(
        connect({.host = "b.test", .port = kPort, .addresses = {at(address)}}).has_value());
  }
  EXPECT_EQ(connections_begun(), 0u);
}

TEST_F(ConnectorTest, UsesOnlyThePublicPartOfAMixedAnswer) {
  host("a.test", {"127.0.0.1", "8.1.1.1", "::1"});
  listen("127.0.0.1");
  listen("::1");
  listen("8.1.1.1");
  const auto connected = connect({.host = "a.test", .port = kPort});
  ASSERT_TRUE(connected.has_value());
  EXPECT_EQ(connected->peer, at("8.1.1.1"));
  EXPECT_EQ(connected->connect_took, 20ms) << "the refused ones cost no time";
  EXPECT_EQ(connections_begun(), 1u);
}

TEST_F(ConnectorTest, ReportsAllReasonsIfAllAreRefused) {
  host("a.test", {"127.0.0.1", "::1"});
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}),
            "denied: connect a.test: [::1]:80 is a special address: loopback; "
            "127.0.0.1:80 is a special address: loopback");
}

TEST_F(ConnectorTest, AllowsHostsThatTheCallerNamed) {
  host("a.test", {"127.0.0.1"});
  host("b.test", {"127.0.0.1"});
  listen("127.0.0.1");
  const GuardOptions guard = {.allowed_hosts = {"a.test"}};
  EXPECT_TRUE(connect({.host = "a.test", .port = kPort}, {}, guard).has_value());
  EXPECT_FALSE(connect({.host = "b.test", .port = kPort}, {}, guard).has_value());
  EXPECT_FALSE(connect({.host = "127.0.0.1", .port = kPort}, {}, guard).has_value());
  EXPECT_TRUE(connect({.host = "b.test", .port = kPort}, {}, {.allow_private = true}).has_value());
}

TEST_F(ConnectorTest, RejectsABlockedPortBeforeTheLookup) {
  host("a.test", {"8.1.1.1"});
  listen("8.1.1.1", 25);
  EXPECT_EQ(reached({.host = "a.test", .port = 25}),
            "denied: port 25 belongs to another protocol than HTTP, so Gossamer never connects to "
            "it");
  EXPECT_EQ(servers_.lookups(), 0u);
  EXPECT_EQ(connections_begun(), 0u);
  EXPECT_TRUE(connect({.host = "a.test", .port = 25}, {}, {.allowed_ports = {25}}).has_value());
}

// The first answer is public, the second private: a connection uses the addresses that were
// checked.
TEST_F(ConnectorTest, RebindingGetsNowhere) {
  host("a.test", {"8.1.1.1"});
  listen("8.1.1.1");
  listen("127.0.0.1");
  EXPECT_EQ(reached({.host = "a.test", .port = kPort}), "8.1.1.1:80");
  servers_.remove("a.test");
  host("a.test", {"127.0.0.1"});
  EXPECT_THAT(reached({.host = "a.test", .port = kPort}), HasSubstr("denied"));
  EXPECT_EQ(connections_begun(), 1u);
  EXPECT_EQ(servers_.lookups(), 2u) << "one resolution for one connection";
}

TEST_F(ConnectorTest, ATypedNameThatWasPublicNeverLeadsInsideLater) {
  host("a.test", {"8.1.1.1"});
  listen("8.1.1.1");
  listen("10.0.0.1");
  Connector connector(servers_, AddressGuard(GuardOptions{.allowed_hosts = {"a.test"}}));
  const auto reach = [&] { return world_.run(connector.connect({.host = "a.test", .port = 80})); };
  EXPECT_TRUE(reach().has_value());
  servers_.remove("a.test");
  host("a.test", {"10.0.0.1"});
  const auto rebound = reach();
  ASSERT_FALSE(rebound.has_value());
  EXPECT_EQ(rebound.error(), Errc::denied);
  EXPECT_EQ(connections_begun(), 1u);
}

TEST_F(ConnectorTest, AConfiguredHostMayBeAnywhere) {
  host("proxy.test", {"10.0.0.1"});
  listen("10.0.0.1");
  EXPECT_TRUE(connect({.host = "proxy.test", .port = 80, .is_configured = true}).has_value());
  EXPECT_FALSE(connect({.host = "proxy.test", .port = 80}).has_value());
}

TEST_F(ConnectorTest, ComesFromTheSourceAndTriesOnlyItsFamily) {
  host("a.test", {"8.1.1.1", "2600::1"});
  listen("8.1.1.1");
  listen("2600::1");
  const auto connected = connect({.host = "a.test", .port = kPort, .source = at("192.168.7.7", 0)});
  ASSERT_TRUE(connected.has_value());
  EXPECT_EQ(connected->peer, at("8.1.1.1"));
  EXPECT_EQ(world_.driver().connection(0).source, at("192.168.7.7", 0));
  host("six.test", {"2600::1"});
  EXPECT_EQ(
      reached({.host = "six.test", .port = kPort, .source = at("192.168.7.7", 0)}),
      "unreachable: connect six.test from 192.168.7.7: it has no address of the requested family");
}

TEST(AddressOrder, FamiliesTakeTurnsAndVersionSixIsFirst) {
  Addresses addresses;
  for (const char* text : {"2600::1", "2600::2", "2600::3"}) addresses.v6.push_back(at(text, 0));
  for (const char* text : {"8.1.1.1", "8.1.1.2"}) addresses.v4.push_back(at(text, 0));
  const std::vector<Endpoint> all = {at("2600::1"), at("8.1.1.1"), at("2600::2"), at("8.1.1.2"),
                                     at("2600::3")};
  EXPECT_EQ(in_order_of_attempts(addresses, kPort, std::nullopt, 10), all);
  EXPECT_EQ(in_order_of_attempts(addresses, kPort, std::nullopt, 2),
            std::vector<Endpoint>(all.begin(), all.begin() + 2));
  const std::vector<Endpoint> four = {at("8.1.1.1"), at("8.1.1.2")};
  EXPECT_EQ(in_order_of_attempts(addresses, kPort, at("8.0.0.1"), 10), four);
}

// BORROWS: the servers.
Task<Result<void>> connect_in_a_race(sim::NamedHosts& servers, bool is_won) {
  std::vector<Listener> doors;
  if (is_won) doors.push_back(std::move(*Listener::bind(at("8.1.1.2"))));
  Connector connector(servers, {}, {.connect_timeout = 2s, .attempt_delay = 5ms});
  auto connected = co_await connector.connect({.host = "a.test", .port = kPort});
  if (!connected) co_return fail(std::move(connected).error());
  co_return Result<void>();
}

TEST(ConnectorTorture, CanBeCutAndFailAnywhere) {
  sim::NamedHosts servers(1, {.delay = {5ms, 5ms}});
  for (const char* address : {"2600::1", "8.1.1.1", "2600::2", "8.1.1.2"}) {
    servers.add("a.test", address);
  }
  sim::SimOptions options;
  options.network.delay = {10ms, 10ms};
  options.network.jitter = 5ms;
  options.network.cancel_delay = {Duration::zero(), 2ms};
  for (const bool is_won : {true, false}) {
    const auto make = [&] { return connect_in_a_race(servers, is_won); };
    sim::for_every_cancellation_point(make, options);
    sim::for_every_failing_operation(make, ENETUNREACH, options);
    sim::for_every_failing_operation(make, EMFILE, options);
  }
}

// Many hosts, some addresses dead, in worlds with every fault: all end, within their deadlines,
// and leave nothing behind.
Task<void> connect_many(sim::NamedHosts& servers, int count) {
  std::vector<Listener> doors;
  for (const char* address : {"2600::1", "8.1.1.1", "8.1.1.2"}) {
    doors.push_back(std::move(*Listener::bind(at(address))));
  }
  Connector connector(servers);
  std::vector<Task<Result<Connected>>> connecting;
  for (int i = 0; i < count; ++i) {
    connecting.push_back(
        connector.connect({.host = "h" + std::to_string(i % 5) + ".test", .port = kPort}));
  }
  const auto all = co_await async::gather(std::move(connecting));
  for (const auto& one : all) {
    if (one) EXPECT_TRUE(static_cast<bool>(one->socket));
    if (one) EXPECT_LE(one->connect_took, 10s);
  }
}

TEST(ConnectorTorture, HoldsInEveryWeather) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    sim::World world(seed);
    SCOPED_TRACE(world.describe());
    base::Random random(seed);
    sim::NamedHosts servers(seed, sim::NamedHostsOptions::stormy(random));
    const char* const addresses[] = {"2600::1", "8.1.1.1", "8.1.1.2", "8.1.1.9", "2600::9"};
    for (int i = 0; i < 4; ++i) {
      const std::string name = "h" + std::to_string(i) + ".test";
      for (int j = 0; j <= i; ++j) servers.add(name, addresses[random.below(5)]);
    }
    world.driver().black_hole(at("2600::9"));
    world.run(connect_many(servers, 20));
    EXPECT_EQ(world.driver().sockets_open(), 0u);
    EXPECT_EQ(world.driver().operations_in_flight(), 0u);
    EXPECT_LE(world.loop().now(), Instant(10s + 10s + 1s));
  }
}

}  // namespace
}  // namespace gossamer::net
