// Distinguishes the two kinds of "deflate" (RFC 1950 section 2.2).
#pragma once

namespace gossamer::wire {

// Method 8 with a window of at most 32 KiB.
constexpr bool may_begin_zlib(unsigned char first) noexcept {
  return (first & 0x0F) == 8 && first >> 4 <= 7;
}

constexpr bool is_zlib_header(unsigned char first, unsigned char second) noexcept {
  return may_begin_zlib(first) && (first << 8 | second) % 31 == 0;
}

}  // namespace gossamer::wire
