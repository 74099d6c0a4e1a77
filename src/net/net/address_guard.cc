#include "net/address_guard.h"

#include <algorithm>
#include <utility>

#include "net/blocked_ports.h"
#include "net/local_names.h"
#include "net/resolver.h"
#include "net/special_address.h"

namespace gossamer::net {

namespace {

// Addresses are compared by value, so that "[::1]" and "0:0::1" are one host.
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
  typed_hosts_.reserve(options_.allowed_hosts.size());
  for (const std::string& host : options_.allowed_hosts) {
    typed_hosts_.emplace(host_key(host), Trust::unresolved);
  }
  options_.allowed_hosts = {};
}

void AddressGuard::learn(std::string_view host, std::span<const async::Endpoint> v6,
                         std::span<const async::Endpoint> v4) {
  if (typed_hosts_.empty() || (v6.empty() && v4.empty())) return;
  const auto typed = typed_hosts_.find(host_key(host));
  if (typed == typed_hosts_.end() || typed->second != Trust::unresolved) return;
  const auto is_public = [](const async::Endpoint& address) {
    return kind_of(address) == AddressKind::public_unicast;
  };
  const bool has_public = std::ranges::any_of(v6, is_public) || std::ranges::any_of(v4, is_public);
  typed->second = has_public ? Trust::public_only : Trust::local;
}

bool AddressGuard::may_be_local(std::string_view host) const {
  if (typed_hosts_.empty()) return false;
  const auto typed = typed_hosts_.find(host_key(host));
  return typed != typed_hosts_.end() && typed->second != Trust::public_only;
}

bool AddressGuard::trusts_typed(std::string_view host) const {
  if (options_.allow_private || !may_be_local(host)) return false;
  const auto literal = literal_address(host);
  return !literal || kind_of(*literal) != AddressKind::public_unicast;
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
  if (is_local(kind)) {
    if (options_.allow_private || (!is_sensitive(kind) && may_be_local(host))) return {};
  }
  if (is_opened(peer)) return {};
  return fail(refusal(peer, kind));
}

Result<void> AddressGuard::check_port(std::uint16_t port) const {
  if (!is_blocked_port(port)) [[likely]]
    return {};
  if (std::ranges::find(options_.allowed_ports, port) != options_.allowed_ports.end()) return {};
  return fail(Errc::denied, "port " + std::to_string(port) +
                                " belongs to another protocol than HTTP, so Gossamer never "
                                "connects to it");
}

Result<void> AddressGuard::check_for_proxy(std::string_view host, std::uint16_t port) const {
  if (auto literal = literal_address(host)) {
    literal->port = port;
    return check(host, *literal);
  }
  if (auto allowed = check_port(port); !allowed) return allowed;
  if (!is_local_name(host) || options_.allow_private || may_be_local(host)) return {};
  return fail(Errc::denied, std::string(host) + " is a name of the local network");
}

}  // namespace gossamer::net
