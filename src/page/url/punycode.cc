#include "url/punycode.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "url/code_points.h"

namespace gossamer::url {
namespace {

// RFC 3492 section 5.
constexpr std::uint32_t kBase = 36;
constexpr std::uint32_t kThresholdMin = 1;
constexpr std::uint32_t kThresholdMax = 26;
constexpr std::uint32_t kSkew = 38;
constexpr std::uint32_t kDamp = 700;
constexpr std::uint32_t kInitialBias = 72;
constexpr std::uint32_t kInitialCodePoint = 0x80;
constexpr std::uint32_t kCodePointMax = 0x10FFFF;
constexpr std::uint32_t kMax = std::numeric_limits<std::uint32_t>::max();

// RFC 3492 section 6.1.
std::uint32_t adapt(std::uint32_t delta, std::uint32_t points, bool is_first) noexcept {
  delta = is_first ? delta / kDamp : delta / 2;
  delta += delta / points;
  std::uint32_t k = 0;
  while (delta > (kBase - kThresholdMin) * kThresholdMax / 2) {
    delta /= kBase - kThresholdMin;
    k += kBase;
  }
  return k + (kBase - kThresholdMin + 1) * delta / (delta + kSkew);
}

constexpr std::uint32_t threshold(std::uint32_t k, std::uint32_t bias) noexcept {
  if (k <= bias) return kThresholdMin;
  return std::min(k - bias, kThresholdMax);
}

// Returns kBase if the character is not a digit.
constexpr std::uint32_t from_digit(char c) noexcept {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0') + 26;
  return is_alpha(c) ? static_cast<std::uint32_t>(to_lower(c) - 'a') : kBase;
}

constexpr bool is_scalar_value(char32_t c) noexcept {
  return c <= kCodePointMax && (c < 0xD800 || c > 0xDFFF);
}

// Reads one generalized variable-length integer and adds it to `index`. Returns false if there is
// none.
bool read_variable_length(std::string_view& text, std::uint32_t bias, std::uint32_t& index) {
  std::uint32_t weight = 1;
  for (std::uint32_t k = kBase;; k += kBase) {
    if (text.empty()) return false;
    const std::uint32_t digit = from_digit(text[0]);
    text.remove_prefix(1);
    if (digit == kBase || digit > (kMax - index) / weight) return false;
    index += digit * weight;
    const std::uint32_t t = threshold(k, bias);
    if (digit < t) return true;
    if (weight > kMax / (kBase - t)) return false;
    weight *= kBase - t;
  }
}

}  // namespace

// RFC 3492 section 6.2.
std::optional<std::u32string> punycode_decode(std::string_view text) {
  std::u32string out;
  if (const std::size_t dash = text.rfind('-'); dash != std::string_view::npos && dash > 0) {
    if (dash > kPunycodeCodePointsMax || !all_ascii(text.substr(0, dash))) return std::nullopt;
    out.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(dash));
    text.remove_prefix(dash + 1);
  }
  std::uint32_t code_point = kInitialCodePoint;
  std::uint32_t index = 0;
  std::uint32_t bias = kInitialBias;
  while (!text.empty()) {
    const std::uint32_t index_before = index;
    if (out.size() == kPunycodeCodePointsMax) return std::nullopt;
    if (!read_variable_length(text, bias, index)) return std::nullopt;
    const auto points = static_cast<std::uint32_t>(out.size()) + 1;
    bias = adapt(index - index_before, points, index_before == 0);
    if (index / points > kCodePointMax - code_point) return std::nullopt;
    code_point += index / points;
    index %= points;
    if (!is_scalar_value(code_point)) return std::nullopt;
    out.insert(out.begin() + index, static_cast<char32_t>(code_point));
    ++index;
  }
  return out;
}

}  // namespace gossamer::url
