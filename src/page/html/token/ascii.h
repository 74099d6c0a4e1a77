// Character classes of the HTML and CSS standards. ASCII only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace gossamer::html {

// "ASCII whitespace".
constexpr bool is_html_space(int c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r';
}
constexpr bool is_ascii_letter(int c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_ascii_digit(int c) noexcept { return c >= '0' && c <= '9'; }

using base::lower_case;
using base::to_lower;

inline void append_lower_case(std::string& out, std::string_view text) {
  for (const char c : text) out.push_back(to_lower(c));
}

// Returns whether `text`, in any case, equals `lower`, which is in lower case.
constexpr bool equals_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (to_lower(text[i]) != lower[i]) return false;
  }
  return true;
}
constexpr bool starts_ignoring_case(std::string_view text, std::string_view lower) noexcept {
  return text.size() >= lower.size() && equals_ignoring_case(text.substr(0, lower.size()), lower);
}

// Removes white space at both ends.
constexpr std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_html_space(text.back())) text.remove_suffix(1);
  return text;
}

// Calls use(word) for every word between white space.
template <class Use>
constexpr void for_each_word(std::string_view text, Use use) {
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_html_space(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && !is_html_space(text[at])) ++at;
    if (at > begin) use(text.substr(begin, at - begin));
  }
}

}  // namespace gossamer::html
