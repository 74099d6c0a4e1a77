#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/hosts_file.h"
#include "net/resolver.h"

namespace gossamer::net {

// What is known without asking anybody: addresses themselves, what the hosts file says, and the
// names that no name server may be asked for (RFC 6761, RFC 7686): localhost and all below it are
// this machine; invalid and onion do not exist. Everything else is asked of the next resolver.
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

// Names that mean a host of the local network wherever they are looked up: localhost and all below
// it, names of one label, and names below the domains that people use at home and at work (RFC
// 6762, appendix G, and its successors): local, internal, home.arpa, lan, corp, ...
bool is_local_name(std::string_view host);

}  // namespace gossamer::net
