#include "net/special_address.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

namespace gossamer::net {
namespace {

using async::Endpoint;
using Kind = AddressKind;

Kind kind(const char* text) {
  const auto address = Endpoint::parse_address(text);
  EXPECT_TRUE(address.has_value()) << text;
  return address ? kind_of(*address) : Kind::reserved;
}

// The first and the last address of a range, and its neighbours.
struct Edges {
  Kind kind;
  const char* first;
  const char* last;
  const char* before;  // empty: there is none
  Kind kind_before;
  const char* behind;
  Kind kind_behind;
};

constexpr Kind kPublic = Kind::public_unicast;

constexpr Edges kV4Edges[] = {
    {Kind::unspecified, "0.0.0.0", "0.0.0.0", "", kPublic, "0.0.0.1", Kind::this_network},
    {Kind::this_network, "0.0.0.1", "0.255.255.255", "0.0.0.0", Kind::unspecified, "1.0.0.0",
     kPublic},
    {Kind::private_use, "10.0.0.0", "10.255.255.255", "9.255.255.255", kPublic, "11.0.0.0",
     kPublic},
    {Kind::shared, "100.64.0.0", "100.127.255.255", "100.63.255.255", kPublic, "100.128.0.0",
     kPublic},
    {Kind::loopback, "127.0.0.0", "127.255.255.255", "126.255.255.255", kPublic, "128.0.0.0",
     kPublic},
    {Kind::link_local, "169.254.0.0", "169.254.255.255", "169.253.255.255", kPublic, "169.255.0.0",
     kPublic},
    {Kind::private_use, "172.16.0.0", "172.31.255.255", "172.15.255.255", kPublic, "172.32.0.0",
     kPublic},
    {Kind::protocol_service, "192.0.0.0", "192.0.0.255", "191.255.255.255", kPublic, "192.0.1.0",
     kPublic},
    {Kind::documentation, "192.0.2.0", "192.0.2.255", "192.0.1.255", kPublic, "192.0.3.0", kPublic},
    {Kind::protocol_service, "192.31.196.0", "192.31.196.255", "192.31.195.255", kPublic,
     "192.31.197.0", kPublic},
    {Kind::protocol_service, "192.52.193.0", "192.52.193.255", "192.52.192.255", kPublic,
     "192.52.194.0", kPublic},
    {Kind::relay_6to4, "192.88.99.0", "192.88.99.255", "192.88.98.255", kPublic, "192.88.100.0",
     kPublic},
    {Kind::private_use, "192.168.0.0", "192.168.255.255", "192.167.255.255", kPublic, "192.169.0.0",
     kPublic},
    {Kind::protocol_service, "192.175.48.0", "192.175.48.255", "192.175.47.255", kPublic,
     "192.175.49.0", kPublic},
    {Kind::benchmarking, "198.18.0.0", "198.19.255.255", "198.17.255.255", kPublic, "198.20.0.0",
     kPublic},
    {Kind::documentation, "198.51.100.0", "198.51.100.255", "198.51.99.255", kPublic,
     "198.51.101.0", kPublic},
    {Kind::documentation, "203.0.113.0", "203.0.113.255", "203.0.112.255", kPublic, "203.0.114.0",
     kPublic},
    {Kind::multicast, "224.0.0.0", "239.255.255.255", "223.255.255.255", kPublic, "240.0.0.0",
     Kind::reserved},
    {Kind::reserved, "240.0.0.0", "255.255.255.254", "239.255.255.255", Kind::multicast,
     "255.255.255.255", Kind::broadcast},
};

constexpr Edges kV6Edges[] = {
    {Kind::unspecified, "::", "::", "", kPublic, "::1", Kind::loopback},
    {Kind::loopback, "::1", "::1", "::", Kind::unspecified, "::8.8.8.8", Kind::v4_compatible},
    {Kind::local_translation, "64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff",
     "64:ff9b:0:ffff:ffff:ffff:ffff:ffff", Kind::reserved, "64:ff9b:2::", Kind::reserved},
    {Kind::discard, "100::", "100::ffff:ffff:ffff:ffff", "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     Kind::reserved, "100:0:0:1::", Kind::discard},
    {Kind::discard, "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", "100::ffff:ffff:ffff:ffff",
     Kind::discard, "100:0:0:2::", Kind::reserved},
    {kPublic, "2400::", "25ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "23ff:ffff::", kPublic,
     "2600::", kPublic},
    {Kind::teredo, "2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::", kPublic,
     "2001:1::", Kind::protocol_service},
    {Kind::benchmarking, "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff",
     "2001:1:ffff::", Kind::protocol_service, "2001:2:1::", Kind::protocol_service},
    {Kind::orchid, "2001:10::", "2001:1f:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:f:ffff::", Kind::protocol_service, "2001:20::", Kind::orchid},
    {Kind::orchid, "2001:20::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:1f:ffff::", Kind::orchid, "2001:40::", Kind::protocol_service},
    {Kind::protocol_service, "2001:40::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:3f:ffff::", Kind::orchid, "2001:200::", kPublic},
    {Kind::documentation, "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
     "2001:db7:ffff::", kPublic, "2001:db9::", kPublic},
    {Kind::protocol_service, "2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
     "2620:4f:7fff:ffff::", kPublic, "2620:4f:8001::", kPublic},
    {Kind::documentation, "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff",
     "3ffe:ffff::", kPublic, "3fff:1000::", kPublic},
    {kPublic, "2000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "1fff:ffff::", Kind::reserved,
     "4000::", Kind::reserved},
    {Kind::segment_routing, "5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "5eff:ffff::", Kind::reserved, "5f01::", Kind::reserved},
    {Kind::unique_local, "fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "fbff:ffff::", Kind::reserved, "fe00::", Kind::reserved},
    {Kind::link_local, "fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "fe7f:ffff::", Kind::reserved, "fec0::", Kind::site_local},
    {Kind::site_local, "fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "febf:ffff::", Kind::link_local, "ff00::", Kind::multicast},
    {Kind::multicast, "ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
     "feff:ffff::", Kind::site_local, "", kPublic},
};

void expect_edges(const Edges& edges) {
  EXPECT_EQ(kind(edges.first), edges.kind) << edges.first;
  EXPECT_EQ(kind(edges.last), edges.kind) << edges.last;
  if (*edges.before != '\0') EXPECT_EQ(kind(edges.before), edges.kind_before) << edges.before;
  if (*edges.behind != '\0') EXPECT_EQ(kind(edges.behind), edges.kind_behind) << edges.behind;
}

TEST(SpecialAddress, EveryRangeOfVersionFourBeginsAndEndsWhereTheRegistrySays) {
  for (const Edges& edges : kV4Edges) expect_edges(edges);
  EXPECT_EQ(kind("255.255.255.255"), Kind::broadcast);
}

TEST(SpecialAddress, EveryRangeOfVersionSixBeginsAndEndsWhereTheRegistrySays) {
  for (const Edges& edges : kV6Edges) expect_edges(edges);
}

TEST(SpecialAddress, HostsOfTheInternetArePublic) {
  for (const char* text : {"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.64.0.1", "192.0.78.9",
                           "2606:2800:220:1:248:1893:25c8:1946", "2a00:1450:4001::200e",
                           "2001:4860:4860::8888", "2001:200::1"}) {
    EXPECT_EQ(kind(text), kPublic) << text;
  }
}

// A wrapped IPv4 address has the kind of the inner one, at every edge of every range.
TEST(SpecialAddress, AWrappedAddressIsWhatIsInside) {
  const auto wrapped = [](std::string_view how, const Endpoint& inner) {
    auto outer = *Endpoint::parse_address(how);
    const std::size_t offset = how == "2002::" ? 2 : 12;
    for (std::size_t i = 0; i < 4; ++i) outer.address[offset + i] = inner.address[i];
    return outer;
  };
  for (const std::string_view how : {"::ffff:0:0", "64:ff9b::", "2002::"}) {
    for (const Edges& edges : kV4Edges) {
      for (const char* text : {edges.first, edges.last, edges.behind}) {
        const auto inner = *Endpoint::parse_address(text);
        const Endpoint outer = wrapped(how, inner);
        EXPECT_EQ(kind_of(outer), kind_of(inner)) << outer.address_text();
        EXPECT_EQ(embedded_v4(outer), inner);
      }
    }
    EXPECT_EQ(kind_of(wrapped(how, Endpoint::v4(8, 8, 8, 8, 0))), kPublic) << how;
  }
}

TEST(SpecialAddress, AnIpv4CompatibleAddressIsNeverPublic) {
  EXPECT_EQ(kind("::8.8.8.8"), Kind::v4_compatible);
  EXPECT_EQ(kind("::127.0.0.1"), Kind::loopback);
  EXPECT_EQ(kind("::10.0.0.1"), Kind::private_use);
  EXPECT_EQ(embedded_v4(*Endpoint::parse_address("::10.0.0.1")), Endpoint::v4(10, 0, 0, 1, 0));
  EXPECT_EQ(embedded_v4(*Endpoint::parse_address("::1")), std::nullopt);
  EXPECT_EQ(embedded_v4(*Endpoint::parse_address("::")), std::nullopt);
}

TEST(SpecialAddress, IsUnchangedIfItWrapsNothing) {
  for (const char* text : {"2001::7f00:1", "64:ff9b:1::7f00:1", "2003::1", "::fffe:127.0.0.1"}) {
    EXPECT_EQ(embedded_v4(*Endpoint::parse_address(text)), std::nullopt) << text;
    EXPECT_NE(kind(text), Kind::loopback) << text;
  }
  EXPECT_EQ(embedded_v4(Endpoint::loopback(80)), std::nullopt);
}

TEST(SpecialAddress, IsLocalOnlyIfItCanBeALocalHost) {
  for (const char* text : {"10.1.2.3", "127.0.0.1", "169.254.169.254", "100.64.0.1", "::1",
                           "fd00::1", "fe80::1", "fec0::1", "192.0.2.1", "198.18.0.1"}) {
    EXPECT_TRUE(is_local(kind(text))) << text;
  }
  for (const char* text : {"0.0.0.0", "0.1.2.3", "224.0.0.1", "255.255.255.255", "240.0.0.1",
                           "::", "ff02::1", "2001::1", "100::1", "4000::1", "8.8.8.8"}) {
    EXPECT_FALSE(is_local(kind(text))) << text;
  }
}

TEST(SpecialAddress, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(Kind::reserved); ++i)
    names.insert(name(static_cast<Kind>(i)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Kind::reserved) + 1);
}

}  // namespace
}  // namespace gossamer::net
