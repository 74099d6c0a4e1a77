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
  // Lets every link lead to this machine and the local network (loopback, private use, link-local,
  // cloud metadata, ...). Multicast, reserved and the like stay closed.
  bool allow_private = false;
  // Addresses that may be connected to whatever they are.
  std::vector<AddressPrefix> allowed_addresses;
  // Hosts that the user typed, as names or addresses ("localhost", "intranet.example", "10.0.0.7").
  // They may be local, unless their first answer was public. Link-local and metadata addresses
  // need allow_private all the same. Case and a final dot do not matter.
  std::vector<std::string> allowed_hosts;
  // Ports that may be used though they are on the list of blocked ones.
  std::vector<std::uint16_t> allowed_ports;
};

// Decides where connections may go: to hosts of the internet and to what the caller opened. The one
// function that connects a socket (net/connector.h) calls it with the endpoint that is used.
class AddressGuard {
 public:
  AddressGuard() = default;
  explicit AddressGuard(GuardOptions options);

  // Fails with Errc::denied and the reason. `host` is the name that led to the endpoint; it may be
  // empty. Success allocates nothing.
  Result<void> check(std::string_view host, const async::Endpoint& peer) const;
  // The port alone, before a name is looked up.
  Result<void> check_port(std::uint16_t port) const;
  // A host that a proxy will look up. Fails with Errc::denied for addresses as check() does, and
  // for local names (net/local_names.h) that the user did not type. Where other names lead only the
  // proxy knows.
  Result<void> check_for_proxy(std::string_view host, std::uint16_t port) const;

  // Call with every answer of the resolver, before check(). A typed name is trusted only as far as
  // its first answer: if that has a public address, local ones stay closed from then on, so that
  // a name server cannot lead into the local network later (DNS rebinding).
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
