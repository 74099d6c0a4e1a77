#include "net/address_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tests/support/processor_time.h>

#include <algorithm>
#include <string>

#include "net/blocked_ports.h"

namespace gossamer::net {
namespace {

using async::Endpoint;
using testing::HasSubstr;

bool allows(const AddressGuard& guard, std::string_view host, const char* endpoint) {
  const auto checked = guard.check(host, *Endpoint::parse(endpoint));
  if (!checked) EXPECT_EQ(checked.error(), Errc::denied);
  return checked.has_value();
}

TEST(AddressGuard, LetsHostsOfTheInternetPass) {
  const AddressGuard guard;
  EXPECT_TRUE(allows(guard, "a.example", "93.184.216.34:443"));
  EXPECT_TRUE(allows(guard, "a.example", "[2606:4700::1111]:80"));
  EXPECT_TRUE(allows(guard, "", "[64:ff9b::808:808]:80")) << "a NAT64 of the internet";
}

TEST(AddressGuard, TakesTwiceAsLongForTwiceTheHosts) {
  const auto cost = [](std::size_t count) {
    GuardOptions options;
    for (std::size_t i = 0; i < count; ++i) {
      options.allowed_hosts.push_back("host" + std::to_string(count - i) + ".example");
    }
    const std::vector<std::string> hosts = options.allowed_hosts;
    const Duration before = processor_time();
    const AddressGuard guard(std::move(options));
    for (const std::string& host : hosts) EXPECT_TRUE(allows(guard, host, "10.0.0.1:80"));
    return processor_time() - before;
  };
  EXPECT_LT(growth(5'000, cost), 3);
}

TEST(AddressGuard, RejectsSpecialAddressesAndSaysWhy) {
  const AddressGuard guard;
  for (const char* endpoint :
       {"127.0.0.1:80",     "10.0.0.1:80",          "172.16.0.0:80",     "172.31.255.255:80",
        "192.168.1.1:80",   "169.254.169.254:80",   "100.64.0.1:80",     "0.0.0.0:80",
        "224.0.0.1:80",     "255.255.255.255:80",   "[::1]:80",          "[::]:80",
        "[fd00::1]:80",     "[fe80::1]:80",         "[ff02::1]:80",      "[::ffff:127.0.0.1]:80",
        "[::127.0.0.1]:80", "[64:ff9b::7f00:1]:80", "[64:ff9b:1::1]:80", "[2002:7f00:1::]:80",
        "[2001::1]:80"}) {
    EXPECT_FALSE(allows(guard, "a.example", endpoint)) << endpoint;
  }
  const auto checked = guard.check("a.example", *Endpoint::parse("[64:ff9b::a00:1]:80"));
  EXPECT_EQ(checked.error().to_string(),
            "denied: [64:ff9b::a00:1]:80 is a special address: private use, 10.0.0.1 inside");
}

TEST(AddressGuard, AllowsTheLocalNetworkIfConfigured) {
  const AddressGuard guard(GuardOptions{.allow_private = true});
  EXPECT_TRUE(allows(guard, "a.example", "127.0.0.1:80"));
  EXPECT_TRUE(allows(guard, "a.example", "[::ffff:10.0.0.1]:80"));
  EXPECT_TRUE(allows(guard, "a.example", "[fe80::1]:80"));
  EXPECT_FALSE(allows(guard, "a.example", "224.0.0.1:80"));
  EXPECT_FALSE(allows(guard, "a.example", "0.0.0.0:80"));
}

TEST(AddressGuard, OpensTheAddressesThatWereNamed) {
  const AddressGuard guard(GuardOptions{
      .allowed_addresses = {*AddressPrefix::parse("10.1.0.0/16"), *AddressPrefix::parse("::1")}});
  EXPECT_TRUE(allows(guard, "a.example", "10.1.255.255:80"));
  EXPECT_FALSE(allows(guard, "a.example", "10.2.0.0:80"));
  EXPECT_TRUE(allows(guard, "a.example", "[::1]:80"));
  EXPECT_TRUE(allows(guard, "a.example", "[::ffff:10.1.0.1]:80"));
  EXPECT_FALSE(allows(guard, "a.example", "127.0.0.1:80"));
}

TEST(AddressGuard, OpensTheHostsThatTheCallerNamed) {
  const AddressGuard guard(
      GuardOptions{.allowed_hosts = {"LocalHost", "10.0.0.7", "[0:0::1]", "intranet.example."}});
  EXPECT_TRUE(allows(guard, "localhost", "127.0.0.1:80"));
  EXPECT_TRUE(allows(guard, "INTRANET.example", "10.3.3.3:80"));
  EXPECT_TRUE(allows(guard, "10.0.0.7", "10.0.0.7:80"));
  EXPECT_TRUE(allows(guard, "[::1]", "[::1]:80"));
  EXPECT_FALSE(allows(guard, "a.example", "127.0.0.1:80")) << "another name for the same place";
  EXPECT_FALSE(allows(guard, "10.0.0.8", "10.0.0.8:80"));
  EXPECT_FALSE(allows(guard, "localhost", "224.0.0.1:80"));
  EXPECT_FALSE(allows(guard, "", "127.0.0.1:80"));
}

TEST(AddressGuard, TrustsATypedNameOnlyAsFarAsItsFirstAnswer) {
  AddressGuard guard(GuardOptions{.allowed_hosts = {"was-public.example", "was-local.example"}});
  const auto inside = *Endpoint::parse("10.0.0.1:80");
  const auto outside = *Endpoint::parse("93.184.216.34:80");
  const Endpoint mixed[] = {inside, outside};
  guard.learn("was-public.example", {}, mixed);
  EXPECT_FALSE(allows(guard, "was-public.example", "10.0.0.1:80")) << "one of it is public";
  guard.learn("Was-Public.example.", {}, {&inside, 1});
  EXPECT_FALSE(allows(guard, "was-public.example", "10.0.0.1:80")) << "the first answer counts";
  EXPECT_TRUE(allows(guard, "was-public.example", "93.184.216.34:80"));
  guard.learn("was-local.example", {}, {});
  guard.learn("was-local.example", {&inside, 1}, {});
  guard.learn("was-local.example", {&outside, 1}, {});
  EXPECT_TRUE(allows(guard, "was-local.example", "10.0.0.2:80"));
  guard.learn("link.example", {}, {&inside, 1});
  EXPECT_FALSE(allows(guard, "link.example", "10.0.0.1:80")) << "nobody typed it";
}

TEST(AddressGuard, SaysWhichHostsItTrustsBecauseTheyWereTyped) {
  const GuardOptions options = {
      .allowed_hosts = {"new.example", "public.example", "10.0.0.7", "93.184.216.34"}};
  AddressGuard guard(options);
  const auto outside = *Endpoint::parse("93.184.216.34:80");
  guard.learn("public.example", {}, {&outside, 1});
  EXPECT_TRUE(guard.trusts_typed("new.example")) << "nobody knows where it leads";
  EXPECT_TRUE(guard.trusts_typed("10.0.0.7"));
  EXPECT_FALSE(guard.trusts_typed("public.example"));
  EXPECT_FALSE(guard.trusts_typed("93.184.216.34"));
  EXPECT_FALSE(guard.trusts_typed("link.example"));
  GuardOptions open = options;
  open.allow_private = true;
  EXPECT_FALSE(AddressGuard(open).trusts_typed("10.0.0.7")) << "it would be allowed anyway";
}

TEST(AddressGuard, KeepsTypedNamesFromLinkLocalAndMetadataAddresses) {
  AddressGuard guard(GuardOptions{.allowed_hosts = {"a.example", "169.254.169.254"}});
  const AddressGuard open(GuardOptions{.allow_private = true});
  for (const char* endpoint :
       {"169.254.169.254:80", "169.254.1.1:80", "[fe80::1]:80", "[fd00:ec2::254]:80",
        "[fd20:ce::254]:80", "100.100.100.200:80", "168.63.129.16:80", "192.0.0.192:80",
        "[::ffff:169.254.169.254]:80"}) {
    EXPECT_FALSE(allows(guard, "a.example", endpoint)) << endpoint;
    EXPECT_TRUE(allows(open, "a.example", endpoint)) << endpoint;
  }
  EXPECT_FALSE(allows(guard, "169.254.169.254", "169.254.169.254:80"));
  EXPECT_TRUE(allows(guard, "a.example", "[fd00:ec2::253]:80"));
}

TEST(AddressGuard, JudgesNamesThatAProxyLooksUp) {
  const auto passes = [](const AddressGuard& guard, std::string_view host, std::uint16_t port) {
    const auto checked = guard.check_for_proxy(host, port);
    if (!checked) EXPECT_EQ(checked.error(), Errc::denied);
    return checked.has_value();
  };
  const AddressGuard guard(GuardOptions{.allowed_hosts = {"intranet", "10.0.0.7"}});
  for (const char* host :
       {"127.0.0.1", "169.254.169.254", "[::1]", "[::ffff:7f00:1]", "10.0.0.8", "localhost",
        "LOCALHOST.", "localhost..", "a.localhost", "router", "printer.local", "nas.lan",
        "metadata.google.internal", "nas.home.arpa", "224.0.0.1"}) {
    EXPECT_FALSE(passes(guard, host, 80)) << host;
  }
  for (const char* host : {"a.example", "local.example", "xlocalhost.example", "intranet",
                           "10.0.0.7", "93.184.216.34", "[2606:4700::1111]"}) {
    EXPECT_TRUE(passes(guard, host, 80)) << host;
    EXPECT_FALSE(passes(guard, host, 25)) << host;
  }
  const AddressGuard open(GuardOptions{.allow_private = true});
  EXPECT_TRUE(passes(open, "localhost", 80));
  EXPECT_TRUE(passes(open, "127.0.0.1", 80));
  EXPECT_FALSE(passes(open, "224.0.0.1", 80));
  EXPECT_EQ(guard.check_for_proxy("nas.lan", 80).error().to_string(),
            "denied: nas.lan is a name of the local network");
}

TEST(AddressGuard, RejectsPortsOfOtherProtocols) {
  const AddressGuard guard;
  constexpr std::uint16_t kBlocked[] = {0,   1,   7,   21,   22,   23,   25,   53,   110,   143,
                                        465, 587, 993, 2049, 5060, 6000, 6379, 6667, 10080, 11211};
  for (const std::uint16_t port : kBlocked) {
    EXPECT_TRUE(is_blocked_port(port)) << port;
    EXPECT_FALSE(guard.check_port(port).has_value()) << port;
  }
  constexpr std::uint16_t kOpen[] = {80, 443, 8080, 8443, 3000, 5000, 8000, 9000, 65535, 2, 24};
  for (const std::uint16_t port : kOpen) {
    EXPECT_FALSE(is_blocked_port(port)) << port;
  }
  EXPECT_FALSE(allows(guard, "a.example", "93.184.216.34:25"));
  EXPECT_THAT(guard.check_port(25).error().to_string(),
              HasSubstr("port 25 belongs to another protocol"));
  const AddressGuard open(GuardOptions{.allowed_ports = {25}});
  EXPECT_TRUE(allows(open, "a.example", "93.184.216.34:25"));
  EXPECT_FALSE(allows(open, "a.example", "93.184.216.34:22"));
}

TEST(AddressGuard, TheListOfPortsIsThatOfTheStandard) {
  int blocked = 0;
  for (int port = 0; port <= 65535; ++port) {
    if (is_blocked_port(static_cast<std::uint16_t>(port))) ++blocked;
  }
  EXPECT_EQ(blocked, 83 + 2) << "the standard's, Redis and memcached";
}

TEST(AddressPrefix, ReadsRangesAndSingleAddresses) {
  EXPECT_EQ(AddressPrefix::parse("10.1.2.3/8")->to_string(), "10.0.0.0/8");
  EXPECT_EQ(AddressPrefix::parse("192.0.2.1")->to_string(), "192.0.2.1/32");
  EXPECT_EQ(AddressPrefix::parse("2001:db8:ffff::/33")->to_string(), "2001:db8:8000::/33");
  EXPECT_EQ(AddressPrefix::parse("::/0")->to_string(), "::/0");
  EXPECT_EQ(AddressPrefix::parse("192.0.2.1/32")->to_string(), "192.0.2.1/32");
  EXPECT_EQ(AddressPrefix::parse("2001:db8::1/128")->to_string(), "2001:db8::1/128");
  for (const char* text : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1",
                           "10.0.0.0/8x", "10.0.0/8", "a.example/8", "10.0.0.0/300"}) {
    EXPECT_FALSE(AddressPrefix::parse(text).has_value()) << text;
  }
}

TEST(AddressPrefix, ContainsItsEdgesAndNothingElse) {
  const auto prefix = *AddressPrefix::parse("172.16.0.0/12");
  EXPECT_TRUE(prefix.contains(*Endpoint::parse("172.16.0.0:1")));
  EXPECT_TRUE(prefix.contains(*Endpoint::parse("172.31.255.255:1")));
  EXPECT_FALSE(prefix.contains(*Endpoint::parse("172.15.255.255:1")));
  EXPECT_FALSE(prefix.contains(*Endpoint::parse("172.32.0.0:1")));
  EXPECT_FALSE(prefix.contains(*Endpoint::parse("[ac10::]:1")));
}

}  // namespace
}  // namespace gossamer::net
