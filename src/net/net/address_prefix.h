#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "async/endpoint.h"
#include "base/result.h"

namespace gossamer::net {

// A range of addresses: all that begin with the same bits. The port does not matter.
struct AddressPrefix {
  async::Endpoint address;
  std::uint8_t bits = 0;  // how many of them count

  // Parses "10.0.0.0/8", "fd00::/8", or one address: "192.0.2.1", "::1". Bits beyond the prefix
  // become zero. Fails with Errc::malformed.
  static Result<AddressPrefix> parse(std::string_view text);
  // Returns whether the address is in the range, which contains only addresses of its own family.
  bool contains(const async::Endpoint& endpoint) const noexcept;
  std::string to_string() const;

  friend bool operator==(const AddressPrefix&, const AddressPrefix&) = default;
};

}  // namespace gossamer::net
