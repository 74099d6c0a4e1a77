// Decoders of the multi-byte encodings of Japanese.
//
// Where the standard says "restore byte", the byte is not consumed, so the loop reads it again.

#include <utility>

#include "html/encoding/block.h"
#include "html/encoding/indexes.h"

namespace gossamer::html {
namespace {

constexpr std::uint8_t kEscape = 0x1B;
constexpr std::uint32_t kHalfwidthKatakana = 0xFF61;

void euc_jp_second_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  Decoder::State& state = block.state;
  const std::uint32_t lead = std::exchange(state.first, 0);
  if (lead == 0x8E && is_within(byte, 0xA1, 0xDF)) {
    ++block.in;
    block.put(kHalfwidthKatakana + (byte - 0xA1));
    return;
  }
  if (lead == 0x8F && is_within(byte, 0xA1, 0xFE)) {
    ++block.in;
    state.is_jis0212 = true;
    state.first = byte;
    return;
  }
  const bool is_jis0212 = std::exchange(state.is_jis0212, false);
  std::uint32_t code_point = 0;
  if (is_within(lead, 0xA1, 0xFE) && is_within(byte, 0xA1, 0xFE)) {
    const std::uint32_t pointer = (lead - 0xA1) * 94 + (byte - 0xA1);
    code_point = is_jis0212 ? jis0212_code_point(pointer) : jis0208_code_point(pointer);
  }
  if (code_point != 0) {
    ++block.in;
    block.put(code_point);
    return;
  }
  if (byte >= 0x80) ++block.in;
  block.put_error();
}

void euc_jp_first_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  ++block.in;
  if (byte == 0x8E || byte == 0x8F || is_within(byte, 0xA1, 0xFE)) {
    block.state.first = byte;
  } else {
    block.put_error();
  }
}

std::uint32_t shift_jis_code_point(std::uint32_t lead, std::uint32_t byte) noexcept {
  if (!is_within(byte, 0x40, 0x7E) && !is_within(byte, 0x80, 0xFC)) return 0;
  const std::uint32_t offset = byte < 0x7F ? 0x40 : 0x41;
  const std::uint32_t lead_offset = lead < 0xA0 ? 0x81 : 0xC1;
  const std::uint32_t pointer = (lead - lead_offset) * 188 + (byte - offset);
  if (is_within(pointer, 8836, 10715)) return 0xE000 + (pointer - 8836);  // private use
  return jis0208_code_point(pointer);
}

void shift_jis_second_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  const std::uint32_t lead = std::exchange(block.state.first, 0);
  const std::uint32_t code_point = shift_jis_code_point(lead, byte);
  if (code_point != 0) {
    ++block.in;
    block.put(code_point);
    return;
  }
  if (byte >= 0x80) ++block.in;
  block.put_error();
}

void shift_jis_first_byte(DecodedBlock& block, std::uint8_t byte) noexcept {
  ++block.in;
  if (is_within(byte, 0xA1, 0xDF)) {
    block.put(kHalfwidthKatakana + (byte - 0xA1));
  } else if (is_within(byte, 0x81, 0x9F) || is_within(byte, 0xE0, 0xFC)) {
    block.state.first = byte;
  } else if (byte == 0x80) {
    block.put(byte);
  } else {
    block.put_error();
  }
}

// "ISO-2022-JP decoder state". ASCII is the first, so that a zeroed state is the initial one.
enum class Mode : std::uint8_t {
  ascii,
  roman,
  katakana,
  lead_byte,
  trail_byte,
  escape_start,
  escape,
};

Mode mode_of(const DecodedBlock& block) noexcept { return static_cast<Mode>(block.state.mode); }
void set_mode(DecodedBlock& block, Mode mode) noexcept {
  block.state.mode = static_cast<std::uint8_t>(mode);
}

// A byte in the states ASCII, Roman, katakana and lead byte.
void put_iso_2022_jp(DecodedBlock& block, std::uint8_t byte) noexcept {
  if (byte == kEscape) {
    set_mode(block, Mode::escape_start);
    return;
  }
  const Mode mode = mode_of(block);
  block.state.has_output = false;
  if (mode == Mode::katakana && is_within(byte, 0x21, 0x5F)) {
    block.put(kHalfwidthKatakana + (byte - 0x21));
  } else if (mode == Mode::lead_byte && is_within(byte, 0x21, 0x7E)) {
    block.state.first = byte;
    set_mode(block, Mode::trail_byte);
  } else if ((mode == Mode::ascii || mode == Mode::roman) && byte < 0x80 && byte != 0x0E &&
             byte != 0x0F) {
    const bool is_roman = mode == Mode::roman;
    block.put(is_roman && byte == 0x5C ? 0xA5 : is_roman && byte == 0x7E ? 0x203E : byte);
  } else {
    block.put_error();
  }
}

void put_iso_2022_jp_trail(DecodedBlock& block, std::uint8_t byte) noexcept {
  const std::uint32_t lead = std::exchange(block.state.first, 0);
  set_mode(block, byte == kEscape ? Mode::escape_start : Mode::lead_byte);
  std::uint32_t code_point = 0;
  if (is_within(byte, 0x21, 0x7E)) {
    code_point = jis0208_code_point((lead - 0x21) * 94 + (byte - 0x21));
  }
  if (code_point == 0) {
    block.put_error();
  } else {
    block.put(code_point);
  }
}

// Returns the mode that an escape sequence selects; Mode::escape if it is invalid.
Mode mode_after_escape(std::uint8_t first, std::uint8_t second) noexcept {
  if (first == 0x28 && second == 0x42) return Mode::ascii;
  if (first == 0x28 && second == 0x4A) return Mode::roman;
  if (first == 0x28 && second == 0x49) return Mode::katakana;
  if (first == 0x24 && (second == 0x40 || second == 0x42)) return Mode::lead_byte;
  return Mode::escape;
}

void break_off_escape(DecodedBlock& block) noexcept {
  block.state.has_output = false;
  block.state.mode = block.state.output_mode;
  block.put_error();
}

void finish_escape(DecodedBlock& block) noexcept {
  const std::uint8_t first = std::exchange(block.state.first, 0);
  const Mode mode = mode_after_escape(first, *block.in);
  if (mode == Mode::escape) {
    break_off_escape(block);
    put_iso_2022_jp(block, first);  // restored, like the byte that is not consumed
    return;
  }
  ++block.in;
  set_mode(block, mode);
  block.state.output_mode = block.state.mode;
  // Two consecutive escape sequences are an error: text could hide between them.
  if (std::exchange(block.state.has_output, true)) block.put_error();
}

void start_escape(DecodedBlock& block) noexcept {
  const std::uint8_t byte = *block.in;
  if (byte != 0x24 && byte != 0x28) {
    break_off_escape(block);
    return;
  }
  ++block.in;
  block.state.first = byte;
  set_mode(block, Mode::escape);
}

}  // namespace

// https://encoding.spec.whatwg.org/#euc-jp-decoder
void decode_euc_jp(DecodedBlock& block) noexcept {
  decode_pairs<euc_jp_first_byte, euc_jp_second_byte>(block);
}

// https://encoding.spec.whatwg.org/#shift_jis-decoder
void decode_shift_jis(DecodedBlock& block) noexcept {
  decode_pairs<shift_jis_first_byte, shift_jis_second_byte>(block);
}

// https://encoding.spec.whatwg.org/#iso-2022-jp-decoder
void decode_iso_2022_jp(DecodedBlock& block) noexcept {
  while (!block.at_end()) {
    switch (mode_of(block)) {
      case Mode::escape_start: start_escape(block); break;
      case Mode::escape: finish_escape(block); break;
      case Mode::trail_byte: put_iso_2022_jp_trail(block, *block.in++); break;
      default: put_iso_2022_jp(block, *block.in++); break;
    }
  }
}

void finish_iso_2022_jp(DecodedBlock& block) noexcept {
  const Mode mode = mode_of(block);
  if (mode == Mode::escape_start || mode == Mode::escape) {
    const std::uint8_t first = std::exchange(block.state.first, 0);
    break_off_escape(block);
    if (mode == Mode::escape) put_iso_2022_jp(block, first);
  }
  if (mode_of(block) == Mode::trail_byte) block.put_error();
}

}  // namespace gossamer::html
