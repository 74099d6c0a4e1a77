// IP addresses as URLs spell them, where 0x7f.1 is 127.0.0.1.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "url/writer.h"

namespace gossamer::url {

inline constexpr std::size_t kIpv4TextBytesMax = 15;
inline constexpr std::size_t kIpv6TextBytesMax = 39;

// Returns whether a domain must be read as an IPv4 address because its last label is a number.
// https://url.spec.whatwg.org/#ends-in-a-number-checker
bool ends_in_a_number(std::string_view domain) noexcept;

// https://url.spec.whatwg.org/#concept-ipv4-parser
std::optional<std::uint32_t> parse_ipv4(std::string_view text) noexcept;

// The text between the brackets. https://url.spec.whatwg.org/#concept-ipv6-parser
using Ipv6Pieces = std::array<std::uint16_t, 8>;
std::optional<Ipv6Pieces> parse_ipv6(std::string_view text) noexcept;

// REQUIRES: room for the text of an address; the caller writes the brackets.
void write_ipv4(std::uint32_t address, Writer& out) noexcept;
void write_ipv6(const Ipv6Pieces& pieces, Writer& out) noexcept;

}  // namespace gossamer::url
