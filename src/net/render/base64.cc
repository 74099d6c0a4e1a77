#include "render/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace gossamer::render {
namespace {

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;

constexpr auto kBase64Values = [] {
  std::array<std::uint8_t, 256> values = {};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
    values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

std::string to_base64(Bytes bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  std::size_t at = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
    }
    for (std::size_t k = 0; k <= count; ++k)
      text[at + k] = kBase64Digits[bits >> (18 - 6 * k) & 63];
    at += 4;
  }
  return text;
}

Result<std::string> from_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  if (text.size() % 4 == 1) return fail(Errc::malformed, "base64 of a wrong length");
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::uint8_t value = kBase64Values[static_cast<unsigned char>(c)];
    if (value == kNoDigit) return fail(Errc::malformed, "base64 with a wrong digit");
    bits = bits << 6 | value;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

}  // namespace gossamer::render
