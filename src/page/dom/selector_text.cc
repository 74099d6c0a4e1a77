#include "dom/selector_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

constexpr std::int32_t kNumberMax = 1'000'000'000;

int hex_value(char c) noexcept {
  if (html::is_ascii_digit(c)) return c - '0';
  const char lower = html::to_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_name_start(char c) noexcept {
  return html::is_ascii_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_part(char c) noexcept {
  return is_name_start(c) || html::is_ascii_digit(c) || c == '-';
}

bool is_line_end(char c) noexcept { return c == '\n' || c == '\r' || c == '\f'; }

}  // namespace

bool SelectorText::take(char c) noexcept {
  if (at_end() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool SelectorText::take_word(std::string_view lower) noexcept {
  if (!html::starts_ignoring_case(text_.substr(at_), lower)) return false;
  const char after = peek(lower.size());
  if (is_name_part(after) || after == '\\') return false;
  at_ += lower.size();
  return true;
}

bool SelectorText::skip_space() noexcept {
  bool has_space = false;
  skip_comments();
  while (!at_end() && html::is_html_space(peek())) {
    has_space = true;
    ++at_;
    skip_comments();
  }
  return has_space;
}

void SelectorText::skip_comments() noexcept {
  while (peek() == '/' && peek(1) == '*') {
    const std::size_t close = text_.find("*/", at_ + 2);
    at_ = close == text_.npos ? text_.size() : close + 2;
  }
}

bool SelectorText::at_name_start(std::size_t ahead) const noexcept {
  if (at_ + ahead >= text_.size()) return false;
  if (peek(ahead) == '\\') return at_ + ahead + 1 < text_.size() && !is_line_end(peek(ahead + 1));
  return is_name_start(peek(ahead));
}

std::optional<std::string> SelectorText::identifier() {
  const bool is_identifier =
      at_name_start(0) || (peek() == '-' && (peek(1) == '-' || at_name_start(1)));
  return is_identifier ? name() : std::nullopt;
}

std::optional<std::string> SelectorText::name() {
  std::string out;
  while (!at_end()) {
    if (is_name_part(peek())) {
      out.push_back(text_[at_++]);
    } else if (at_name_start(0)) {
      take_escape(out);
    } else {
      break;
    }
  }
  if (out.empty()) return std::nullopt;
  return out;
}

// https://drafts.csswg.org/css-syntax/#consume-escaped-code-point
void SelectorText::take_escape(std::string& out) {
  constexpr int kDigitsMax = 6;
  ++at_;
  char32_t code = 0;
  int digits = 0;
  while (digits < kDigitsMax && hex_value(peek()) >= 0) {
    code = code * 16 + static_cast<char32_t>(hex_value(text_[at_++]));
    ++digits;
  }
  if (digits == 0) {
    out.push_back(text_[at_++]);
    return;
  }
  if (peek() == '\r' && peek(1) == '\n') ++at_;
  if (html::is_html_space(peek())) ++at_;
  const bool is_character = code != 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  base::append_utf8(out, is_character ? code : 0xFFFD);
}

std::optional<std::string> SelectorText::string() {
  const char quote = peek();
  if (quote != '"' && quote != '\'') return std::nullopt;
  ++at_;
  std::string out;
  while (!at_end() && peek() != quote) {
    if (is_line_end(peek())) return std::nullopt;
    if (peek() != '\\') {
      out.push_back(text_[at_++]);
    } else if (at_ + 1 == text_.size()) {
      ++at_;
    } else if (is_line_end(peek(1))) {
      at_ += peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
    } else {
      take_escape(out);
    }
  }
  take(quote);  // the end of the text ends a string, too
  return out;
}

std::optional<std::int32_t> SelectorText::integer() noexcept {
  if (!html::is_ascii_digit(peek())) return std::nullopt;
  std::int64_t value = 0;
  while (html::is_ascii_digit(peek())) {
    value = std::min<std::int64_t>(value * 10 + (text_[at_++] - '0'), kNumberMax);
  }
  return static_cast<std::int32_t>(value);
}

std::optional<SelectorText::Nth> SelectorText::nth() {
  skip_space();
  if (take_word("odd")) return Nth{2, 1};
  if (take_word("even")) return Nth{2, 0};
  const std::int32_t sign = peek() == '-' ? -1 : 1;
  if (peek() == '-' || peek() == '+') ++at_;
  const std::optional<std::int32_t> first = integer();
  if (html::to_lower(peek()) != 'n') {
    if (!first || is_name_part(peek())) return std::nullopt;
    return Nth{0, sign * *first};
  }
  ++at_;
  Nth nth = {sign * first.value_or(1), 0};
  const std::size_t after_n = at_;
  skip_space();
  const char offset_sign = peek();
  if (offset_sign != '+' && offset_sign != '-') {
    at_ = after_n;
    return is_name_part(peek()) ? std::nullopt : std::optional(nth);
  }
  ++at_;
  skip_space();
  const std::optional<std::int32_t> offset = integer();
  if (!offset || is_name_part(peek())) return std::nullopt;
  nth.offset = offset_sign == '-' ? -*offset : *offset;
  return nth;
}

void SelectorText::skip_argument() noexcept {
  std::size_t depth = 0;
  char quote = '\0';
  for (; at_ < text_.size(); ++at_) {
    const char c = peek();
    if (c == '\\') {
      if (at_ + 1 < text_.size()) ++at_;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[') {
      ++depth;
    } else if (depth == 0 && (c == ',' || c == ')')) {
      return;
    } else if (c == ')' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    }
  }
}

}  // namespace gossamer::dom
