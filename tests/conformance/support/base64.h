// Base64 of the test vectors.
#pragma once

#include <string>
#include <string_view>

namespace gossamer::conformance {

inline std::string bytes_from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    held = held << 6 | static_cast<unsigned>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push_back(static_cast<char>(held >> bits & 0xFF));
  }
  return bytes;
}

// Converts a string of code points up to 0xFF to bytes.
inline std::string bytes_from_latin1(std::string_view utf8) {
  std::string bytes;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    if (lead < 0x80 || i + 1 == utf8.size()) {
      bytes.push_back(utf8[i]);
    } else {
      bytes.push_back(static_cast<char>((lead & 0x1F) << 6 | (utf8[++i] & 0x3F)));
    }
  }
  return bytes;
}

}  // namespace gossamer::conformance
