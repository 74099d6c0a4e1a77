#include "base/escape.h"

#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

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

}  // namespace

bool is_harmful(char32_t c) noexcept {
  return (c >= 0x80 && c <= 0x9f) ||      // C1; U+009B starts a control sequence
         c == 0x061c ||                   // Arabic letter mark
         c == 0x200e || c == 0x200f ||    // left-to-right and right-to-left mark
         (c >= 0x2028 && c <= 0x202e) ||  // separators, embeddings and overrides
         (c >= 0x2066 && c <= 0x2069);    // isolates
}

void append_escaped(std::string& out, std::string_view text) {
  std::size_t clean = 0;  // where the current run of unescaped bytes starts
  std::size_t at = 0;
  const auto flush = [&] { out.append(text, clean, at - clean); };
  while (at < text.size()) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte >= 0x20 && byte < 0x7f) {
      ++at;
      continue;
    }
    const Utf8Sequence decoded = byte < 0x80 ? Utf8Sequence() : decode_utf8(text.substr(at));
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

std::string escape_attribute(std::string_view value) {
  std::string out;
  out.reserve(value.size());
  for (const char c : value) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : escape_for_terminal(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string escape_xml(std::string_view text) {
  std::string safe = escape_html(text);
  // These are the only other characters that XML 1.0 does not allow.
  for (const std::string_view unknown : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
    for (std::size_t at = 0; (at = safe.find(unknown, at)) != std::string::npos;) {
      safe.replace(at, unknown.size(), "\xEF\xBF\xBD");
    }
  }
  return safe;
}

}  // namespace gossamer::base
