// The decoders, one block at a time. Other code uses Decoder (decoder.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "html/encoding/decoder.h"
#include "html/encoding/encoding.h"
#include "html/encoding/utf8.h"

namespace gossamer::html {

// For n bytes a decoder writes at most 3 * n bytes, plus this many for bytes that it withheld
// before.
inline constexpr std::size_t kBlockSlackBytes = 16;

// The positions where a decoder reads and writes.
// REQUIRES: room for 3 * (end - in) + kBlockSlackBytes at `out`.
struct DecodedBlock {
  const std::uint8_t* in;
  const std::uint8_t* end;
  char* out;
  Decoder::State& state;

  bool at_end() const noexcept { return in == end; }
  void put(std::uint32_t code_point) noexcept { out = put_utf8(out, code_point); }
  void put_error() noexcept {
    ++state.errors;
    put(0xFFFD);
  }
  // Copies a run of ASCII, most of it word by word.
  void copy_ascii() noexcept {
    while (end - in >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, in, sizeof word);
      if ((word & 0x8080808080808080) != 0) break;
      std::memcpy(out, &word, sizeof word);
      in += 8;
      out += 8;
    }
    while (in != end && *in < 0x80) *out++ = static_cast<char>(*in++);
  }
};

// Each one reads the whole block and leaves an unfinished sequence in the state.
void decode_utf_8(DecodedBlock& block) noexcept;
void decode_utf_16be(DecodedBlock& block) noexcept;
void decode_utf_16le(DecodedBlock& block) noexcept;
void decode_gb18030(DecodedBlock& block) noexcept;
void decode_big5(DecodedBlock& block) noexcept;
void decode_euc_kr(DecodedBlock& block) noexcept;
void decode_euc_jp(DecodedBlock& block) noexcept;
void decode_shift_jis(DecodedBlock& block) noexcept;
void decode_iso_2022_jp(DecodedBlock& block) noexcept;
// REQUIRES: ibm866 to x_mac_cyrillic, or x_user_defined.
void decode_single_byte(Encoding encoding, DecodedBlock& block) noexcept;

// Ends the input in ISO-2022-JP, which may produce several characters.
void finish_iso_2022_jp(DecodedBlock& block) noexcept;

// Returns the character of a byte from 0x80 of a single-byte encoding; 0 if there is none.
std::uint32_t single_byte_code_point(Encoding encoding, std::uint8_t byte) noexcept;

// Reads a block of an encoding with one or two bytes per character: kFirst receives a byte from
// 0x80, kSecond the next one, if kFirst left the first in the state.
template <void (*kFirst)(DecodedBlock&, std::uint8_t), void (*kSecond)(DecodedBlock&, std::uint8_t)>
void decode_pairs(DecodedBlock& block) noexcept {
  while (!block.at_end()) {
    const std::uint8_t byte = *block.in;
    if (block.state.first != 0) {
      kSecond(block, byte);
    } else if (byte < 0x80) {
      block.copy_ascii();
    } else {
      kFirst(block, byte);
    }
  }
}

constexpr bool is_within(std::uint32_t value, std::uint32_t least, std::uint32_t most) noexcept {
  return value - least <= most - least;
}

}  // namespace gossamer::html
