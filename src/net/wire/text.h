// The character classes of HTTP's grammar (RFC 9110 section 5.6) and small functions on them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/ascii.h"

namespace gossamer::wire {

namespace text_detail {

enum : unsigned char { kToken = 1, kFieldText = 2 };

consteval std::array<unsigned char, 256> make_classes() {
  std::array<unsigned char, 256> classes = {};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (c == '\t' || (c >= 0x20 && c != 0x7F)) classes[c] |= kFieldText;
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~0123456789"
                                       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    classes[static_cast<unsigned char>(c)] |= kToken;
  }
  return classes;
}

inline constexpr std::array<unsigned char, 256> kClasses = make_classes();

template <unsigned char kClass>
constexpr bool consists_of(std::string_view text) noexcept {
  unsigned char all = kClass;
  for (const char c : text) all &= kClasses[static_cast<unsigned char>(c)];
  return all != 0;
}

}  // namespace text_detail

constexpr bool is_token_char(char c) noexcept {
  return (text_detail::kClasses[static_cast<unsigned char>(c)] & text_detail::kToken) != 0;
}

// token: one or more characters.
constexpr bool is_token(std::string_view text) noexcept {
  return !text.empty() && text_detail::consists_of<text_detail::kToken>(text);
}

// The characters of a field value or reason phrase: tab, space, visible characters, bytes from
// 0x80.
constexpr bool is_field_text(std::string_view text) noexcept {
  return text_detail::consists_of<text_detail::kFieldText>(text);
}

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
using base::equals_ignoring_case;
using base::is_digit;
using base::lower_case;
using base::to_lower;

// Removes spaces and tabs at both ends.
constexpr std::string_view trim_blanks(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Calls `use(element)` for every element of a comma-separated list, trimmed; empty ones too. It
// ignores quoting, so use it for lists of tokens only.
template <class Use>
constexpr void for_each_in_list(std::string_view list, Use use) {
  while (true) {
    const std::size_t comma = list.find(',');
    use(trim_blanks(list.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace gossamer::wire
