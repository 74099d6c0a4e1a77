#include "scope/token_text.h"

#include <algorithm>
#include <cstdint>

namespace gossamer::crawler {
namespace {

enum class Kind : std::uint8_t { digit, lower, upper, separator, other };

constexpr Kind kind_of(char c) noexcept {
  if (c >= '0' && c <= '9') return Kind::digit;
  if (c >= 'a' && c <= 'z') return Kind::lower;
  if (c >= 'A' && c <= 'Z') return Kind::upper;
  return c == '-' || c == '_' ? Kind::separator : Kind::other;
}

constexpr bool is_hex(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// RFC 9562: 8-4-4-4-12 hexadecimal digits.
bool is_uuid(std::string_view text) noexcept {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_hyphen = i == 8 || i == 13 || i == 18 || i == 23;
    if (is_hyphen ? text[i] != '-' : !is_hex(text[i])) return false;
  }
  return true;
}

}  // namespace

bool may_be_token(std::string_view text) noexcept {
  return text.size() >= kTokenBytesMin &&
         std::ranges::none_of(text, [](char c) { return kind_of(c) == Kind::other; });
}

bool looks_like_token(std::string_view text) noexcept {
  if (!may_be_token(text)) return false;
  if (is_uuid(text)) return true;
  std::size_t separators = 0;
  std::size_t changes = 0;
  bool has_digit = false;
  Kind before = Kind::separator;
  for (const char c : text) {
    const Kind kind = kind_of(c);
    has_digit |= kind == Kind::digit;
    if (kind == Kind::separator) {
      ++separators;
      continue;
    }
    // An upper-case letter before a lower-case one begins a word.
    const bool begins_word = before == Kind::upper && kind == Kind::lower;
    changes += kind != before && before != Kind::separator && !begins_word;
    before = kind;
  }
  return has_digit && separators * 12 <= text.size() && changes * 4 >= text.size();
}

}  // namespace gossamer::crawler
