#include "base/escape.h"

#include <cstddef>
#include <cstdint>

namespace gossamer::base {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void append_byte(std::string& out, unsigned char byte) {
  out += "\\x";
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 15];
}

void append_code_point(std::string& out, char32_t code_point) {
  out += "\\u{";
  int shift = 20;
  while (shift > 0 && (code_point >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += kHexDigits[(code_point >> shift) & 15];
  out += '}';
}

struct Decoded {
  std::size_t length = 0;  // 0: no valid sequence starts here
  char32_t code_point = 0;
};

// One sequence of two to four bytes (Unicode 15, table 3-7: no overlong forms, no surrogates,
// nothing above U+10FFFF). REQUIRES: text is not empty.
Decoded decode_multibyte(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  std::size_t length = 0;
  char32_t least = 0;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
    least = 0x80;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    least = 0x800;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    least = 0x10000;
  }
  if (length == 0 || text.size() < length) return {};
  char32_t code_point = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80) return {};
    code_point = (code_point << 6) | (byte & 0x3f);
  }
  const bool surrogate = code_point >= 0xd800 && code_point <= 0xdfff;
  if (code_point < least || code_point > 0x10ffff || surrogate) return {};
  return {.length = length, .code_point = code_point};
}

bool is_harmful(char32_t c) {
  return (c >= 0x80 && c <= 0x9f) ||      // C1; U+009B starts a control sequence
         c == 0x061c ||                   // Arabic letter mark
         c == 0x200e || c == 0x200f ||    // left-to-right and right-to-left mark
         (c >= 0x2028 && c <= 0x202e) ||  // separators, embeddings and overrides
         (c >= 0x2066 && c <= 0x2069);    // isolates
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  std::size_t clean = 0;  // where the run of bytes starts that pass as they are
  std::size_t at = 0;
  const auto flush = [&] { out.append(text, clean, at - clean); };
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7f) {
      ++at;
      continue;
    }
    const Decoded decoded = byte < 0x80 ? Decoded() : decode_multibyte(text.substr(at));
    if (decoded.length != 0 && !is_harmful(decoded.code_point)) {
      at += decoded.length;
      continue;
    }
    flush();
    if (decoded.length == 0) {
      append_byte(out, byte);
      at += 1;
    } else {
      append_code_point(out, decoded.code_point);
      at += decoded.length;
    }
    clean = at;
  }
  flush();
}

std::string escape_for_terminal(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_escaped(out, text);
  return out;
}

}  // namespace gossamer::base
