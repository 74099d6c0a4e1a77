#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/endpoint.h"
#include "base/result.h"
#include "net/address_prefix.h"

namespace gossamer::net {

struct GuardOptions {
  // Allows every link to lead to this machine and the local network (loopback, private use,
  // link-local, cloud metadata, ...). Multicast, reserved and similar addresses stay blocked.
  bool allow_private = false;
  // Addresses that are allowed, whatever their kind.
  std::vector<AddressPrefix> allowed_addresses;
  // Hosts that the user typed, as names or addresses ("localhost", "intranet.example", "10.0.0.7").
  // They may be local, unless their first answer was public. Link-local and metadata addresses
  // still require allow_private. Case and a final dot do not matter.
  std::vector<std::string> allowed_hosts;
  // Ports that are allowed although they are on the list of blocked ones.
  std::vector<std::uint16_t> allowed_ports;
};

// Decides which connections are allowed: to hosts of the internet and to those that the caller
// allowed. The only function that connects a socket (net/connector.h) calls it with the endpoint
// that it uses.
//
//   AddressGuard       the decision; uses all of the following
//   special_address.h  the kind of an address: loopback, private use, metadata, ...
//   address_prefix.h   a range of addresses that the user allowed
//   blocked_ports.h    ports of other protocols
class AddressGuard {
 public:
  AddressGuard() = default;
  explicit AddressGuard(GuardOptions options);

  // Fails with Errc::denied and the reason. `host` is the name that led to the endpoint; it may be
  // empty. Success allocates nothing.
  Result<void> check(std::string_view host, const async::Endpoint& peer) const;
  // Checks only the port, before a name is looked up.
  Result<void> check_port(std::uint16_t port) const;
  // Checks a host that a proxy will look up. Fails with Errc::denied for addresses as check() does,
  // and for local names (net/local_names.h) that the user did not type. Only the proxy knows where
  // other names lead.
  Result<void> check_for_proxy(std::string_view host, std::uint16_t port) const;

  // Whether this host may be local only because the user typed it.
  bool trusts_typed(std::string_view host) const;

  // Call it with every answer of the resolver, before check(). The first answer for a typed name
  // decides: if it contains a public address, local ones stay blocked from then on, so that a name
  // server cannot lead into the local network later (DNS rebinding).
  void learn(std::string_view host, std::span<const async::Endpoint> v6,
             std::span<const async::Endpoint> v4);

 private:
  enum class Trust : std::uint8_t { unresolved, local, public_only };

  bool may_be_local(std::string_view host) const;
  bool is_opened(const async::Endpoint& peer) const;

  GuardOptions options_;
  std::unordered_map<std::string, Trust> typed_hosts_;
};

}  // namespace gossamer::net
