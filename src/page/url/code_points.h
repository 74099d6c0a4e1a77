// Which bytes mean what in a URL: the percent-encode sets and the forbidden code points, as one
// table with a bit per set.
//
// https://url.spec.whatwg.org/#percent-encoded-bytes
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/ascii.h"

namespace gossamer::url {

// The sets are made to be tested together: (class_of(c) & (a | b)) != 0.
enum ByteClass : std::uint16_t {
  kC0ControlSet = 1 << 0,     // to be escaped in opaque paths and opaque hosts
  kFragmentSet = 1 << 1,      // ... in fragments
  kQuerySet = 1 << 2,         // ... in queries
  kSpecialQuerySet = 1 << 3,  // ... in queries of special schemes
  kPathSet = 1 << 4,          // ... in paths
  kUserinfoSet = 1 << 5,      // ... in user names and passwords
  kComponentSet = 1 << 6,     // ... by encodeURIComponent
  kForbiddenHost = 1 << 7,
  kForbiddenDomain = 1 << 8,
  kSchemeByte = 1 << 9,           // alphanumeric, plus, minus, dot
  kPathStop = 1 << 10,            // ends the plain run of a path: its set, / \ ? #
  kNeedsDomainWork = 1 << 11,     // in a host: bytes that are not simply copied
  kUnreserved = 1 << 12,          // RFC 3986: escaping it changes nothing
  kAuthorityDelimiter = 1 << 13,  // / ? # and, for the special schemes, backslash
  kUsualPathStop = 1 << 14,       // path bytes that are not simply copied: its set, \ ? # . %
};

namespace code_points_detail {

constexpr bool among(unsigned byte, std::string_view set) {
  return byte < 0x80 && set.find(static_cast<char>(byte)) != std::string_view::npos;
}

constexpr bool is_alpha(unsigned byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

constexpr bool is_digit(unsigned byte) { return byte >= '0' && byte <= '9'; }

constexpr std::uint16_t classify_escaped(unsigned byte) {
  const bool c0 = byte < 0x20 || byte > 0x7E;
  const bool fragment = c0 || among(byte, " \"<>`");
  const bool query = c0 || among(byte, " \"#<>");
  const bool path = query || among(byte, "?^`{}");
  const bool userinfo = path || among(byte, "/:;=@[\\]|");
  const bool component = userinfo || among(byte, "$%&+,");
  return static_cast<std::uint16_t>(
      (c0 ? kC0ControlSet : 0) | (fragment ? kFragmentSet : 0) | (query ? kQuerySet : 0) |
      (query || byte == '\'' ? kSpecialQuerySet : 0) | (path ? kPathSet : 0) |
      (userinfo ? kUserinfoSet : 0) | (component ? kComponentSet : 0) |
      (path || among(byte, "/\\?#") ? kPathStop : 0) |
      (path || among(byte, "\\?#.%") ? kUsualPathStop : 0));
}

constexpr std::uint16_t classify(unsigned byte) {
  const bool alphanumeric = is_alpha(byte) || is_digit(byte);
  const bool host = among(byte, std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17));
  const bool domain = host || byte < 0x20 || byte == 0x7F || byte == '%';
  const bool work = domain || byte >= 0x80 || (byte >= 'A' && byte <= 'Z');
  return static_cast<std::uint16_t>(
      classify_escaped(byte) | (host ? kForbiddenHost : 0) | (domain ? kForbiddenDomain : 0) |
      (alphanumeric || among(byte, "+-.") ? kSchemeByte : 0) | (work ? kNeedsDomainWork : 0) |
      (alphanumeric || among(byte, "-._~") ? kUnreserved : 0) |
      (among(byte, "/?#\\") ? kAuthorityDelimiter : 0));
}

constexpr std::array<std::uint16_t, 256> make_table() {
  std::array<std::uint16_t, 256> table = {};
  for (unsigned byte = 0; byte < 256; ++byte) table[byte] = classify(byte);
  return table;
}

inline constexpr std::array<std::uint16_t, 256> kTable = make_table();

}  // namespace code_points_detail

// Returns whether the byte is in one of the sets. Bytes of multi-byte UTF-8 sequences are in all
// percent-encode sets.
constexpr bool in_set(char c, unsigned sets) noexcept {
  return (code_points_detail::kTable[static_cast<unsigned char>(c)] & sets) != 0;
}

constexpr bool is_ascii(char c) noexcept { return static_cast<unsigned char>(c) < 0x80; }

using base::hex_value;
using base::is_digit;
using base::to_lower;
constexpr bool is_alpha(char c) noexcept { return base::is_letter(c); }

inline constexpr char kUpperHexDigits[] = "0123456789ABCDEF";

constexpr bool all_ascii(std::string_view text) noexcept {
  unsigned char seen = 0;
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

}  // namespace gossamer::url
