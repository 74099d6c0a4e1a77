#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/endpoint.h"
#include "base/result.h"
#include "net/address_prefix.h"

namespace gossamer::net {

struct GuardOptions {
  // Lets every link lead into the own machine and network (loopback, private use, link-local, ...).
  // Multicast, reserved and the like stay closed.
  bool allow_private = false;
  // Addresses that may be connected to whatever they are.
  std::vector<AddressPrefix> allowed_addresses;
  // Hosts that the caller named himself, as names or addresses ("localhost", "intranet.example",
  // "10.0.0.7"): they may be local, as with allow_private. Case and a final dot do not matter.
  std::vector<std::string> allowed_hosts;
  // Ports that may be used though they are on the list of blocked ones.
  std::vector<std::uint16_t> allowed_ports;
};

// Decides where connections may go: to hosts of the internet and to what the caller opened. Asked
// in the one function that connects a socket (net/connector.h), about the endpoint that is used.
class AddressGuard {
 public:
  AddressGuard() = default;
  explicit AddressGuard(GuardOptions options);

  // Fails with Errc::denied and the reason. `host` is the name that led to the endpoint; it may be
  // empty. Success allocates nothing.
  Result<void> check(std::string_view host, const async::Endpoint& peer) const;
  // The port alone, before a name is looked up.
  Result<void> check_port(std::uint16_t port) const;

 private:
  bool names_host(std::string_view host) const;
  bool is_opened(const async::Endpoint& peer) const;

  GuardOptions options_;
};

}  // namespace gossamer::net
