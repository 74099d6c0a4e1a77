#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::async {

// An IP address and a port, as the drivers connect to them. No names, no kernel types.
struct Endpoint {
  enum class Family : std::uint8_t { v4, v6 };

  Family family = Family::v4;
  std::uint16_t port = 0;
  std::array<std::uint8_t, 16> address = {};  // network order; v4 uses the first four

  static Endpoint v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                     std::uint16_t port);
  static Endpoint loopback(std::uint16_t port) { return v4(127, 0, 0, 1, port); }

  // "127.0.0.1:80" or "[::1]:80". Fails with Errc::malformed.
  static Result<Endpoint> parse(std::string_view text);
  std::string to_string() const;

  // The address alone: "127.0.0.1" or "::1", both ways without brackets; the port is 0. Only this
  // spelling: "127.1" and "0x7f.0.0.1" are malformed.
  static Result<Endpoint> parse_address(std::string_view text);
  std::string address_text() const;

  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

}  // namespace gossamer::async
