#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gossamer::async {

// An IP address and a port to connect to. No names, no kernel types.
struct Endpoint {
  enum class Family : std::uint8_t { v4, v6 };

  Family family = Family::v4;
  std::uint16_t port = 0;
  std::array<std::uint8_t, 16> address = {};  // network order; v4 uses the first four

  static Endpoint v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                     std::uint16_t port);
  static Endpoint loopback(std::uint16_t port) { return v4(127, 0, 0, 1, port); }

  // Parses "127.0.0.1:80" or "[::1]:80". Fails with Errc::malformed.
  static Result<Endpoint> parse(std::string_view text);
  std::string to_string() const;

  // Parses only the address: "127.0.0.1" or "::1", without brackets; the port is 0. Other spellings
  // such as "127.1" and "0x7f.0.0.1" are malformed.
  static Result<Endpoint> parse_address(std::string_view text);
  std::string address_text() const;

  friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

}  // namespace gossamer::async
