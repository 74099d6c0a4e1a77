#include "net/local_names.h"

#include <algorithm>
#include <utility>

namespace gossamer::net {

namespace {

// Returns whether `host` is the domain or below it; both are canonical.
bool is_within(std::string_view host, std::string_view domain) {
  if (!host.ends_with(domain)) return false;
  const std::string_view rest = host.substr(0, host.size() - domain.size());
  return rest.empty() || rest.ends_with('.');
}

Addresses this_machine() {
  async::Endpoint v6 = {.family = async::Endpoint::Family::v6};
  v6.address.back() = 1;
  return {.v6 = {v6}, .v4 = {async::Endpoint::loopback(0)}, .ttl = Duration::max()};
}

}  // namespace

LocalNames::LocalNames(Resolver& next, HostsFile hosts) : next_(next), hosts_(std::move(hosts)) {}

std::optional<Addresses> LocalNames::find(std::string_view host) const {
  if (const auto literal = literal_address(host)) return addresses_of_literal(*literal);
  const std::string name = canonical_host(host);
  // localhost is this machine, whatever a hosts file says.
  if (is_within(name, "localhost")) return this_machine();
  if (const Addresses* const listed = hosts_.find(name)) return *listed;
  if (is_within(name, "invalid") || is_within(name, "onion")) {
    return Addresses{.ttl = Duration::max(), .absence = Addresses::Absence::no_such_name};
  }
  return std::nullopt;
}

async::Task<Result<Addresses>> LocalNames::look_up(std::string host) {
  if (auto known = find(host)) co_return std::move(*known);
  co_return co_await next_.look_up(std::move(host));
}

bool is_local_name(std::string_view host) {
  static constexpr std::string_view kDomains[] = {
      "localhost",   "local",    "internal", "home.arpa", "lan",
      "localdomain", "intranet", "private",  "corp",      "home"};
  std::string name = canonical_host(host);
  while (name.ends_with('.')) name.pop_back();
  if (!name.contains('.')) return true;
  return std::ranges::any_of(kDomains,
                             [&name](std::string_view domain) { return is_within(name, domain); });
}

}  // namespace gossamer::net
