// Writes code points as UTF-8 and finds the end of valid text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::html {

// Writes a code point and returns the end of the output.
// REQUIRES: room for four bytes, and a scalar value.
inline char* put_utf8(char* out, std::uint32_t code_point) noexcept {
  if (code_point < 0x80) {
    *out++ = static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    *out++ = static_cast<char>(0xC0 | code_point >> 6);
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    *out++ = static_cast<char>(0xE0 | code_point >> 12);
    *out++ = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | code_point >> 18);
    *out++ = static_cast<char>(0x80 | (code_point >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (code_point & 0x3F));
  }
  return out;
}

// Returns the length of the longest prefix that is valid UTF-8 and ends with a whole code point.
std::size_t valid_utf8_prefix(std::string_view bytes) noexcept;

// Returns the length of the longest prefix of bytes below 0x80.
std::size_t ascii_prefix(std::string_view bytes) noexcept;

}  // namespace gossamer::html
