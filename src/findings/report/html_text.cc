#include "report/html_text.h"

#include <array>

#include "wire/digest_hash.h"

namespace gossamer::report {
namespace {

std::uint8_t hex_value(char c) {
  return static_cast<std::uint8_t>(c <= '9' ? c - '0' : c - 'a' + 10);
}

// RFC 4648 section 4, of 32 bytes.
std::string base64_of_hex(std::string_view hex) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : hex) {
    bits = bits << 4 | hex_value(c);
    count += 4;
    if (count < 6) continue;
    count -= 6;
    text += kDigits[bits >> count & 0x3F];
  }
  if (count > 0) text += kDigits[bits << (6 - count) & 0x3F];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

}  // namespace

std::string html_link(std::string_view url, std::string_view shown) {
  const std::string text = escape_html(shown.empty() ? url : shown);
  if (!url.starts_with("http://") && !url.starts_with("https://")) return text;
  return "<a href=\"" + escape_html(url) + "\" rel=\"noreferrer noopener\" target=\"_blank\">" +
         text + "</a>";
}

std::string csp_source(std::string_view element_text) {
  return "'sha256-" + base64_of_hex(wire::digest_hex(wire::DigestHash::sha256, element_text)) + "'";
}

}  // namespace gossamer::report
