#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "async/endpoint.h"
#include "net/resolver.h"

namespace gossamer::net {

// Returns the order in which addresses are tried (RFC 8305, section 4): the families in turn, IPv6
// first, each in the given order; with `port`, and at most `count_max`. With a source, only its
// family.
std::vector<async::Endpoint> in_order_of_attempts(const Addresses& addresses, std::uint16_t port,
                                                  const std::optional<async::Endpoint>& source,
                                                  std::size_t count_max);

}  // namespace gossamer::net
