#include "net/resolver.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace gossamer::net {

namespace {

constexpr std::size_t kHostBytesMax = 253;
constexpr std::size_t kLabelBytesMax = 63;

// A backslash begins an escape in DNS names.
bool may_stand_in_label(char c) noexcept { return c > ' ' && c < '\x7f' && c != '\\'; }

bool is_label(std::string_view label) noexcept {
  return !label.empty() && label.size() <= kLabelBytesMax &&
         std::ranges::all_of(label, may_stand_in_label);
}

}  // namespace

async::Task<Result<Addresses>> Resolver::resolve(std::string host) {
  auto addresses = co_await look_up(host);
  if (!addresses) co_return fail(std::move(addresses).error());
  if (!addresses->empty()) co_return std::move(*addresses);
  const bool is_unknown = addresses->absence == Addresses::Absence::no_such_name;
  co_return fail(Errc::dns_failed, "resolve " + host +
                                       (is_unknown ? ": there is no such name (NXDOMAIN)"
                                                   : ": the name has no address (NODATA)"));
}

std::optional<async::Endpoint> literal_address(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    if (!host.contains(':')) return std::nullopt;
  }
  // Most hosts are names that end in a letter: those need no further check.
  const bool may_be =
      host.contains(':') || (!host.empty() && host.back() >= '0' && host.back() <= '9');
  if (!may_be) return std::nullopt;
  auto address = async::Endpoint::parse_address(host);
  if (!address) return std::nullopt;
  return *address;
}

Addresses addresses_of_literal(const async::Endpoint& address) {
  Addresses addresses = {.ttl = Duration::max()};
  (address.family == async::Endpoint::Family::v6 ? addresses.v6 : addresses.v4).push_back(address);
  return addresses;
}

std::string canonical_host(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  std::string name(host);
  std::ranges::transform(name, name.begin(), base::to_lower);
  return name;
}

bool is_domain_name(std::string_view host) noexcept {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty() || host.size() > kHostBytesMax) return false;
  for (;;) {
    const auto dot = host.find('.');
    if (!is_label(host.substr(0, dot))) return false;
    if (dot == host.npos) return true;
    host.remove_prefix(dot + 1);
  }
}

}  // namespace gossamer::net
