// https://encoding.spec.whatwg.org/#utf-8-decoder and #shared-utf-16-decoder

#include <utility>

#include "html/encoding/block.h"

namespace gossamer::html {
namespace {

// Reads the first byte of a sequence that is not ASCII.
void start_utf_8(DecodedBlock& block, std::uint8_t byte) noexcept {
  Decoder::State& state = block.state;
  if (is_within(byte, 0xC2, 0xDF)) {
    state.bytes_needed = 1;
    state.code_point = byte & 0x1F;
  } else if (is_within(byte, 0xE0, 0xEF)) {
    if (byte == 0xE0) state.lower_boundary = 0xA0;
    if (byte == 0xED) state.upper_boundary = 0x9F;
    state.bytes_needed = 2;
    state.code_point = byte & 0xF;
  } else if (is_within(byte, 0xF0, 0xF4)) {
    if (byte == 0xF0) state.lower_boundary = 0x90;
    if (byte == 0xF4) state.upper_boundary = 0x8F;
    state.bytes_needed = 3;
    state.code_point = byte & 0x7;
  } else {
    block.put_error();
  }
}

void continue_utf_8(DecodedBlock& block) noexcept {
  Decoder::State& state = block.state;
  const std::uint8_t byte = *block.in;
  const bool fits = is_within(byte, state.lower_boundary, state.upper_boundary);
  state.lower_boundary = 0x80;
  state.upper_boundary = 0xBF;
  if (!fits) {
    state.bytes_needed = 0;
    block.put_error();
    return;  // the byte is read again, as the first of a sequence
  }
  ++block.in;
  state.code_point = state.code_point << 6 | (byte & 0x3F);
  if (--state.bytes_needed == 0) block.put(state.code_point);
}

void put_utf_16(DecodedBlock& block, std::uint32_t unit) noexcept {
  Decoder::State& state = block.state;
  if (state.code_point != 0) {
    const std::uint32_t lead = state.code_point;
    state.code_point = 0;
    if (is_within(unit, 0xDC00, 0xDFFF)) {
      block.put(0x10000 + ((lead - 0xD800) << 10) + (unit - 0xDC00));
      return;
    }
    block.put_error();
  }
  if (is_within(unit, 0xD800, 0xDBFF)) {
    state.code_point = unit;
  } else if (is_within(unit, 0xDC00, 0xDFFF)) {
    block.put_error();
  } else {
    block.put(unit);
  }
}

template <bool kIsBigEndian>
void decode_utf_16(DecodedBlock& block) noexcept {
  Decoder::State& state = block.state;
  const auto unit_of = [](std::uint8_t first, std::uint8_t second) -> std::uint32_t {
    return kIsBigEndian ? first << 8 | second : second << 8 | first;
  };
  if (state.has_first && !block.at_end()) {
    state.has_first = false;
    put_utf_16(block, unit_of(std::exchange(state.first, 0), *block.in++));
  }
  while (block.end - block.in >= 2) {
    const std::uint32_t unit = unit_of(block.in[0], block.in[1]);
    block.in += 2;
    if (unit < 0x80 && state.code_point == 0) {
      *block.out++ = static_cast<char>(unit);
    } else {
      put_utf_16(block, unit);
    }
  }
  if (!block.at_end()) {
    state.has_first = true;
    state.first = *block.in++;
  }
}

}  // namespace

void decode_utf_8(DecodedBlock& block) noexcept {
  while (!block.at_end()) {
    if (block.state.bytes_needed > 0) {
      continue_utf_8(block);
      continue;
    }
    const std::string_view rest(reinterpret_cast<const char*>(block.in),
                                static_cast<std::size_t>(block.end - block.in));
    const std::size_t valid_bytes = valid_utf8_prefix(rest);
    std::memcpy(block.out, block.in, valid_bytes);
    block.in += valid_bytes;
    block.out += valid_bytes;
    if (!block.at_end()) start_utf_8(block, *block.in++);
  }
}

void decode_utf_16be(DecodedBlock& block) noexcept { decode_utf_16<true>(block); }
void decode_utf_16le(DecodedBlock& block) noexcept { decode_utf_16<false>(block); }

}  // namespace gossamer::html
