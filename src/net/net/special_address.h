// Classifies addresses that are not part of the public internet.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "async/endpoint.h"

namespace gossamer::net {

// The purpose of an address according to IANA's special-purpose address registries (RFC 6890 and
// later) and the address architecture (RFC 4291).
enum class AddressKind : std::uint8_t {
  public_unicast,     // none of the following: a host of the internet
  unspecified,        // 0.0.0.0, ::
  this_network,       // 0.0.0.0/8
  private_use,        // 10/8, 172.16/12, 192.168/16
  shared,             // 100.64/10: between a carrier and its customers (CGNAT)
  loopback,           // 127/8, ::1
  link_local,         // 169.254/16, fe80::/10
  metadata,           // where cloud machines get their credentials
  unique_local,       // fc00::/7
  site_local,         // fec0::/10, deprecated and still routed in places
  protocol_service,   // 192.0.0/24, 2001::/23 and the anycast services AS112 and AMT
  documentation,      // 192.0.2/24, 198.51.100/24, 203.0.113/24, 2001:db8::/32, 3fff::/20
  benchmarking,       // 198.18/15, 2001:2::/48
  relay_6to4,         // 192.88.99/24, deprecated
  teredo,             // 2001::/32
  orchid,             // 2001:10::/28, 2001:20::/28, 2001:30::/28: hashes, not locations
  local_translation,  // 64:ff9b:1::/48: a network's own NAT64
  discard,            // 100::/64, 100:0:0:1::/64
  segment_routing,    // 5f00::/16
  v4_compatible,      // ::/96, deprecated
  multicast,          // 224/4, ff00::/8
  broadcast,          // 255.255.255.255
  reserved,           // 240/4, and all of IPv6 that is not global unicast
};

// Returns words for error messages: "loopback", "private use".
std::string_view name(AddressKind kind) noexcept;

// Returns the purpose of an address; the port does not matter. An IPv6 address that wraps an IPv4
// one (mapped, NAT64, 6to4) has the kind of the inner address, since the packets end there.
AddressKind kind_of(const async::Endpoint& address) noexcept;

// Returns the IPv4 address that an IPv6 address of one of these kinds leads to: IPv4-mapped
// ::ffff:0:0/96, NAT64 64:ff9b::/96, 6to4 2002::/16, IPv4-compatible ::/96 (except :: and ::1).
std::optional<async::Endpoint> embedded_v4(const async::Endpoint& address) noexcept;

// Returns whether it can be a host of this machine or the local network, which the user may want to
// reach: private use, loopback and the like. The other special kinds are not hosts.
bool is_local(AddressKind kind) noexcept;

// Returns whether it is local and seldom what a user means by a name: link-local and metadata.
bool is_sensitive(AddressKind kind) noexcept;

}  // namespace gossamer::net
