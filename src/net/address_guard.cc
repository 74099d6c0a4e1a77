#include "net/address_guard.h"

#include <algorithm>
#include <utility>

#include "net/blocked_ports.h"
#include "net/resolver.h"
#include "net/special_address.h"

namespace gossamer::net {

namespace {

// Addresses are compared as addresses, so that "[::1]" and "0:0::1" are one host.
std::string host_key(std::string_view host) {
  const auto literal = literal_address(host);
  return literal ? literal->address_text() : canonical_host(host);
}

[[gnu::cold, gnu::noinline]] Error refusal(const async::Endpoint& peer, AddressKind kind) {
  std::string detail = peer.to_string() + " is a special address: " + std::string(name(kind));
  if (const auto inner = embedded_v4(peer)) detail += ", " + inner->address_text() + " inside";
  return Error(Errc::denied, std::move(detail));
}

}  // namespace

AddressGuard::AddressGuard(GuardOptions options) : options_(std::move(options)) {
  for (std::string& host : options_.allowed_hosts) host = host_key(host);
}

bool AddressGuard::names_host(std::string_view host) const {
  if (options_.allowed_hosts.empty()) return false;
  return std::ranges::find(options_.allowed_hosts, host_key(host)) != options_.allowed_hosts.end();
}

bool AddressGuard::is_opened(const async::Endpoint& peer) const {
  const auto inner = embedded_v4(peer);
  return std::ranges::any_of(options_.allowed_addresses, [&](const AddressPrefix& prefix) {
    return prefix.contains(peer) || (inner && prefix.contains(*inner));
  });
}

Result<void> AddressGuard::check(std::string_view host, const async::Endpoint& peer) const {
  if (auto port = check_port(peer.port); !port) return port;
  const AddressKind kind = kind_of(peer);
  if (kind == AddressKind::public_unicast) [[likely]]
    return {};
  if (is_local(kind) && (options_.allow_private || names_host(host))) return {};
  if (is_opened(peer)) return {};
  return fail(refusal(peer, kind));
}

Result<void> AddressGuard::check_port(std::uint16_t port) const {
  if (!is_blocked_port(port)) [[likely]]
    return {};
  if (std::ranges::find(options_.allowed_ports, port) != options_.allowed_ports.end()) return {};
  return fail(Errc::denied, "port " + std::to_string(port) + " is blocked: it is not for HTTP");
}

}  // namespace gossamer::net
