#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::base {

struct Utf8Sequence {
  std::size_t length = 0;  // 0: no valid sequence starts here
  char32_t code_point = 0;
};

// Decodes the first code point of `text` (Unicode 15, table 3-7: no overlong forms, no surrogates,
// nothing above U+10FFFF). REQUIRES: `text` is not empty.
Utf8Sequence decode_utf8(std::string_view text);

// Writes `c` to `out`, which has room for four bytes, and returns how many it wrote. REQUIRES: `c`
// is a scalar value.
inline std::size_t encode_utf8(char32_t c, char* out) noexcept {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80) {
    out[0] = byte(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = byte(0xC0 | c >> 6);
    out[1] = byte(0x80 | (c & 0x3F));
    return 2;
  }
  if (c < 0x10000) {
    out[0] = byte(0xE0 | c >> 12);
    out[1] = byte(0x80 | (c >> 6 & 0x3F));
    out[2] = byte(0x80 | (c & 0x3F));
    return 3;
  }
  out[0] = byte(0xF0 | c >> 18);
  out[1] = byte(0x80 | (c >> 12 & 0x3F));
  out[2] = byte(0x80 | (c >> 6 & 0x3F));
  out[3] = byte(0x80 | (c & 0x3F));
  return 4;
}

// REQUIRES: `c` is a scalar value.
void append_utf8(std::string& out, char32_t c);

}  // namespace gossamer::base
