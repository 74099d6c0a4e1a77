// Decoders of the multi-byte encodings of Chinese and Korean.
//
// Where the standard says "restore byte", the byte is not consumed, so the loop reads it again.

#include "html/encoding/block.h"
#include "html/encoding/indexes.h"

namespace gossamer::html {
namespace {

// Decodes the second byte of a pair. An invalid pair consumes its second byte, unless that is
// ASCII, which might be markup.
void finish_pair(DecodedBlock& block, std::uint8_t byte, std::uint32_t code_point) noexcept {
  if (code_point != 0) {
    ++block.in;
    block.put(code_point);
    return;
  }
  if (byte >= 0x80) ++block.in;
  block.put_error();
}

void gb18030_second_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  Decoder::State& state = block.state;
  if (is_within(byte, 0x30, 0x39)) {
    state.second = byte;
    ++block.in;
    return;
  }
  const std::uint32_t lead = state.first;
  state.first = 0;
  std::uint32_t code_point = 0;
  if (is_within(byte, 0x40, 0x7E) || is_within(byte, 0x80, 0xFE)) {
    const std::uint32_t offset = byte < 0x7F ? 0x40 : 0x41;
    code_point = gb18030_code_point((lead - 0x81) * 190 + (byte - offset));
  }
  finish_pair(block, byte, code_point);
}

void gb18030_third_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  Decoder::State& state = block.state;
  if (is_within(byte, 0x81, 0xFE)) {
    state.third = byte;
    ++block.in;
    return;
  }
  // The second byte, a digit, is restored and written as itself.
  const std::uint8_t digit = state.second;
  state.first = state.second = 0;
  block.put_error();
  block.put(digit);
}

void gb18030_fourth_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  Decoder::State& state = block.state;
  if (!is_within(byte, 0x30, 0x39)) {
    // The second and third bytes are restored: a digit, and a byte that starts a new sequence.
    block.put_error();
    block.put(state.second);
    state.first = state.third;
    state.second = state.third = 0;
    return;
  }
  ++block.in;
  const std::uint32_t pointer = (state.first - 0x81U) * 12600 + (state.second - 0x30U) * 1260 +
                                (state.third - 0x81U) * 10 + (byte - 0x30U);
  state.first = state.second = state.third = 0;
  const std::uint32_t code_point = gb18030_ranges_code_point(pointer);
  if (code_point == 0) {
    block.put_error();
  } else {
    block.put(code_point);
  }
}

void gb18030_first_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  ++block.in;
  if (byte == 0x80) {
    block.put(0x20AC);
  } else if (byte == 0xFF) {
    block.put_error();
  } else {
    block.state.first = byte;
  }
}

// Some pointers mean a letter and a combining mark, which an index cannot represent.
bool put_big5_pair(DecodedBlock& block, std::uint32_t pointer) noexcept {
  if (pointer != 1133 && pointer != 1135 && pointer != 1164 && pointer != 1166) return false;
  block.put(pointer < 1150 ? 0xCA : 0xEA);
  block.put(pointer == 1133 || pointer == 1164 ? 0x304 : 0x30C);
  ++block.in;
  return true;
}

void big5_second_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  const std::uint32_t lead = block.state.first;
  block.state.first = 0;
  std::uint32_t code_point = 0;
  if (is_within(byte, 0x40, 0x7E) || is_within(byte, 0xA1, 0xFE)) {
    const std::uint32_t offset = byte < 0x7F ? 0x40 : 0x62;
    const std::uint32_t pointer = (lead - 0x81) * 157 + (byte - offset);
    if (put_big5_pair(block, pointer)) return;
    code_point = big5_code_point(pointer);
  }
  finish_pair(block, byte, code_point);
}

void euc_kr_second_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  const std::uint32_t lead = block.state.first;
  block.state.first = 0;
  std::uint32_t code_point = 0;
  if (is_within(byte, 0x41, 0xFE)) {
    code_point = euc_kr_code_point((lead - 0x81) * 190 + (byte - 0x41));
  }
  finish_pair(block, byte, code_point);
}

void lead_from_81_to_fe(DecodedBlock& block, std::uint8_t byte) noexcept {
  ++block.in;
  if (is_within(byte, 0x81, 0xFE)) {
    block.state.first = byte;
  } else {
    block.put_error();
  }
}

}  // namespace

// https://encoding.spec.whatwg.org/#gb18030-decoder
void decode_gb18030(DecodedBlock& block) noexcept {
  const Decoder::State& state = block.state;
  while (!block.at_end()) {
    const std::uint8_t byte = *block.in;
    if (state.third != 0) {
      gb18030_fourth_byte(block, byte);
    } else if (state.second != 0) {
      gb18030_third_byte(block, byte);
    } else if (state.first != 0) {
      gb18030_second_byte(block, byte);
    } else if (byte < 0x80) {
      block.copy_ascii();
    } else {
      gb18030_first_byte(block, byte);
    }
  }
}

// https://encoding.spec.whatwg.org/#big5-decoder
void decode_big5(DecodedBlock& block) noexcept {
  decode_pairs<lead_from_81_to_fe, big5_second_byte>(block);
}

// https://encoding.spec.whatwg.org/#euc-kr-decoder
void decode_euc_kr(DecodedBlock& block) noexcept {
  decode_pairs<lead_from_81_to_fe, euc_kr_second_byte>(block);
}

}  // namespace gossamer::html
