#include "base/utf8.h"

namespace gossamer::base {

Utf8Sequence decode_utf8(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {.length = 1, .code_point = lead};
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

void append_utf8(std::string& out, char32_t c) {
  char bytes[4];
  out.append(bytes, encode_utf8(c, bytes));
}

}  // namespace gossamer::base
