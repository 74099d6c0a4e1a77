// Eight bytes of a tag as one word, the first in the lowest place, so that its name is compared in
// one step.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "html/token/name_table.h"

namespace gossamer::html::word {

inline constexpr std::uint64_t kOnes = 0x0101010101010101;

inline std::uint64_t load(const char* at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, 8);
  return word;
}

// Marks bytes that are not letters by bit 0x40. It marks digits, '-' and the like, but misses a few
// bytes that are not letters: good for a first test. The last byte is always marked.
constexpr std::uint64_t non_letters(std::uint64_t word) noexcept {
  return (~word & kOnes * 0x40) | std::uint64_t{0x40} << 56;
}
constexpr unsigned letters_before(std::uint64_t marks) noexcept {
  return static_cast<unsigned>(std::countr_zero(marks)) / 8;
}
// Returns the byte at the lowest such mark.
constexpr std::uint64_t byte_at(std::uint64_t word, std::uint64_t marks) noexcept {
  return word >> (std::countr_zero(marks) - 6) & 0xFF;
}
// Returns the bytes before the lowest such mark, in lower case, as a key (see NameTable). Without
// such bytes, the key is arbitrary.
constexpr std::uint64_t key_before(std::uint64_t word, std::uint64_t marks) noexcept {
  const int mark = std::countr_zero(marks);  // bit 6 of the byte after the name
  return (word | kLowerCaseBits) << ((64 + 6 - mark) & 63);
}

}  // namespace gossamer::html::word
