#include "net/address_prefix.h"

#include <algorithm>
#include <charconv>

namespace gossamer::net {

namespace {

using async::Endpoint;

// Clears everything after the first `bits`.
void clear_behind(Endpoint& address, int bits) noexcept {
  for (int byte = 0; byte < 16; ++byte) {
    const int kept = std::clamp(bits - byte * 8, 0, 8);
    address.address[static_cast<std::size_t>(byte)] &= static_cast<std::uint8_t>(0xff00 >> kept);
  }
}

}  // namespace

Result<AddressPrefix> AddressPrefix::parse(std::string_view text) {
  const auto slash = text.find('/');
  auto address = Endpoint::parse_address(text.substr(0, slash));
  if (!address) return fail(std::move(address).error());
  const std::uint8_t bits_max = address->family == Endpoint::Family::v4 ? 32 : 128;
  AddressPrefix prefix = {.address = *address, .bits = bits_max};
  if (slash == text.npos) return prefix;
  const std::string_view digits = text.substr(slash + 1);
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, prefix.bits);
  if (error != std::errc() || stop != end || prefix.bits > bits_max) {
    return fail(Errc::malformed, "'" + std::string(text) + "' is not an address range");
  }
  clear_behind(prefix.address, prefix.bits);
  return prefix;
}

bool AddressPrefix::contains(const Endpoint& endpoint) const noexcept {
  if (endpoint.family != address.family) return false;
  Endpoint masked = endpoint;
  clear_behind(masked, bits);
  return masked.address == address.address;
}

std::string AddressPrefix::to_string() const {
  return address.address_text() + "/" + std::to_string(bits);
}

}  // namespace gossamer::net
