// The bits of a comparison of 64 bytes at a time.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace gossamer::html {

// Returns one bit for each byte of a vector, whose bytes are 0 or -1.
template <class Bytes>
[[gnu::always_inline]] inline std::uint64_t mask_bits(const Bytes& bytes) noexcept {
  static_assert(sizeof bytes == 64);
#if defined(__clang__)
  using Bits __attribute__((ext_vector_type(64))) = bool;
  return std::bit_cast<std::uint64_t>(__builtin_convertvector(bytes, Bits));
#else
  // g++ has no vectors of bits. The product has the lowest bits of eight bytes in its highest byte.
  std::uint64_t words[8];
  std::memcpy(words, &bytes, sizeof words);
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < 8; ++i) {
    const std::uint64_t lowest = words[i] & 0x0101010101010101;
    bits |= (lowest * 0x0102040810204080 >> 56) << (8 * i);
  }
  return bits;
#endif
}

}  // namespace gossamer::html
