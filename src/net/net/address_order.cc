#include "net/address_order.h"

#include <algorithm>

namespace gossamer::net {

namespace {

using async::Endpoint;

bool may_be_used(Endpoint::Family family, const std::optional<Endpoint>& source) {
  return !source || source->family == family;
}

}  // namespace

std::vector<Endpoint> in_order_of_attempts(const Addresses& addresses, std::uint16_t port,
                                           const std::optional<Endpoint>& source,
                                           std::size_t count_max) {
  std::vector<Endpoint> order;
  order.reserve(std::min(addresses.size(), count_max));
  const bool use_v6 = may_be_used(Endpoint::Family::v6, source);
  const bool use_v4 = may_be_used(Endpoint::Family::v4, source);
  const auto add = [&](const std::vector<Endpoint>& family, std::size_t index) {
    if (index >= family.size() || order.size() >= count_max) return;
    Endpoint peer = family[index];
    peer.port = port;
    order.push_back(peer);
  };
  for (std::size_t i = 0; i < std::max(addresses.v6.size(), addresses.v4.size()); ++i) {
    if (use_v6) add(addresses.v6, i);
    if (use_v4) add(addresses.v4, i);
  }
  return order;
}

}  // namespace gossamer::net
