#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/hosts_file.h"
#include "net/resolver.h"

namespace gossamer::net {

// Resolves what is known without a query: addresses themselves, entries of the hosts file, and the
// names that must not be sent to a name server (RFC 6761, RFC 7686): localhost and all names below
// it are this machine; invalid and onion do not exist. Everything else goes to the next resolver.
class LocalNames final : public Resolver {
 public:
  // BORROWS: next.
  explicit LocalNames(Resolver& next, HostsFile hosts = {});

  async::Task<Result<Addresses>> look_up(std::string host) override;

 private:
  std::optional<Addresses> find(std::string_view host) const;

  Resolver& next_;
  const HostsFile hosts_;
};

// Returns whether a name means a host of the local network: localhost and all names below it, names
// of one label, and names below the domains of home and company networks (RFC 6762, appendix G, and
// its successors): local, internal, home.arpa, lan, corp, ...
bool is_local_name(std::string_view host);

}  // namespace gossamer::net
