#include "url/percent.h"

#include <algorithm>

namespace gossamer::url {
namespace {

constexpr std::string_view kEscapedReplacement = "%EF%BF%BD";

// The bytes that may follow a lead byte: how many, and the bounds of the first.
struct Lead {
  std::size_t following = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

// https://encoding.spec.whatwg.org/#utf-8-decoder
Lead read_lead(unsigned char byte) noexcept {
  if (byte >= 0xC2 && byte <= 0xDF) return {.following = 1};
  if (byte == 0xE0) return {.following = 2, .low = 0xA0};
  if (byte == 0xED) return {.following = 2, .high = 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {.following = 2};
  if (byte == 0xF0) return {.following = 3, .low = 0x90};
  if (byte == 0xF4) return {.following = 3, .high = 0x8F};
  if (byte >= 0xF1 && byte <= 0xF3) return {.following = 3};
  return {};
}

void append_escaped(char c, std::string& out) {
  char escape[3];
  Writer(escape, sizeof escape).put_escaped(c);
  out.append(escape, sizeof escape);
}

}  // namespace

std::size_t utf8_sequence(std::string_view text, std::size_t& broken) noexcept {
  const Lead lead = read_lead(static_cast<unsigned char>(text[0]));
  broken = 1;
  if (lead.following == 0) return 0;
  for (std::size_t i = 1; i <= lead.following; ++i) {
    broken = i;
    if (i == text.size()) return 0;
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool fits = i == 1 ? byte >= lead.low && byte <= lead.high : (byte & 0xC0) == 0x80;
    if (!fits) return 0;
  }
  return lead.following + 1;
}

std::size_t percent_encode_non_ascii(std::string_view text, Writer& out) noexcept {
  std::size_t broken = 0;
  const std::size_t bytes = utf8_sequence(text, broken);
  if (bytes == 0) {
    out.put(kEscapedReplacement);
    return broken;
  }
  for (std::size_t i = 0; i < bytes; ++i) out.put_escaped(text[i]);
  return bytes;
}

void percent_encode(std::string_view text, ByteClass set, Writer& out) noexcept {
  while (true) {
    text.remove_prefix(out.put_until(text, set));
    if (text.empty()) return;
    if (is_ascii(text[0])) {
      out.put_escaped(text[0]);
      text.remove_prefix(1);
    } else {
      text.remove_prefix(percent_encode_non_ascii(text, out));
    }
  }
}

void percent_encode(std::string_view text, ByteClass set, std::string& out) {
  char piece[4 * 3 + 9];
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_ascii(c)) {
      in_set(c, set) ? append_escaped(c, out) : out.push_back(c);
      ++i;
      continue;
    }
    Writer writer(piece, sizeof piece);
    i += percent_encode_non_ascii(text.substr(i), writer);
    out.append(writer.from(0));
  }
}

void percent_decode(std::string_view text, std::string& out) {
  out.reserve(out.size() + text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool room = text[i] == '%' && text.size() - i > 2;
    const int high = room ? hex_value(text[i + 1]) : -1;
    const int low = room ? hex_value(text[i + 2]) : -1;
    if (high < 0 || low < 0) {
      out.push_back(text[i]);
    } else {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    }
  }
}

}  // namespace gossamer::url
