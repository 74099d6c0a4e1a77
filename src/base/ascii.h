// Character classes of protocol text: ASCII only, independent of the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::base {

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}

// Returns `text` without leading and trailing characters of `blanks`.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks) noexcept {
  const std::size_t start = text.find_first_not_of(blanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(blanks) + 1 - start);
}

}  // namespace gossamer::base
