#include "html/css_urls.h"

#include "html/ascii.h"
#include "html/character_reference.h"
#include "html/scan.h"

namespace gossamer::html {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

constexpr bool is_newline(int c) noexcept { return c == '\n' || c == '\r' || c == '\f'; }

constexpr bool is_name_start(int c) noexcept {
  return is_ascii_letter(c) || c == '_' || c >= 0x80 || c == 0;
}
constexpr bool is_name_byte(int c) noexcept {
  return is_name_start(c) || is_ascii_digit(c) || c == '-';
}
// https://drafts.csswg.org/css-syntax-3/#non-printable-code-point, without NUL, which is U+FFFD.
constexpr bool is_non_printable(int c) noexcept {
  return (c > 0 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F;
}

constexpr int hex_value(int c) noexcept {
  if (is_ascii_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void put(int byte, std::string& out) {
  if (byte == 0) {
    append_utf8(kReplacement, out);
  } else {
    out.push_back(static_cast<char>(byte));
  }
}

}  // namespace

bool CssUrls::may_have_urls(std::string_view css) noexcept {
  const char* const begin = css.data();
  const char* const end = begin + css.size();
  for (const char* at = begin; (at = find_any(at, end, '(', '@', '\\')) != end; ++at) {
    if (*at == '\\') return true;  // any letter may be hidden in an escape
    if (*at == '(' && at != begin && to_lower(at[-1]) == 'l') return true;
    if (*at == '@' && end - at > 1 && to_lower(at[1]) == 'i') return true;
  }
  return false;
}

bool CssUrls::next() {
  while (at_ < css_.size()) {
    if (read_token() && !in_custom_property_) return true;
  }
  return false;
}

// A custom property ends at ';', or at the '}' of the block that it stands in.
void CssUrls::follow_custom_property(int c) noexcept {
  if (!in_custom_property_) return;
  const bool closes = c == ')' || c == ']' || c == '}';
  if (c == '(' || c == '[' || c == '{') {
    ++depth_;
  } else if (closes && depth_ > 0) {
    --depth_;
  } else if (c == ';' ? depth_ == 0 : c == '}') {
    in_custom_property_ = false;
  }
}

// Reads one token. True: it was an address.
bool CssUrls::read_token() {
  const int c = peek();
  if (is_html_space(c)) {
    ++at_;
    return false;
  }
  if (skip_comment()) return false;
  const bool is_import = after_import_;
  after_import_ = false;
  url_is_import_ = is_import;
  if (c == '"' || c == '\'') return read_string(url_) && is_import;
  if (c == '@' && starts_name(1)) {
    ++at_;
    read_name(name_);
    after_import_ = equals_ignoring_case(name_, "import");
    return false;
  }
  if (c == '#' && (is_name_byte(peek(1)) || starts_escape(1))) {
    ++at_;
    read_name(name_);
    return false;
  }
  if (starts_number()) {
    skip_number();
    return false;
  }
  if (c == '-' && peek(1) == '-' && peek(2) == '>') {
    at_ += 3;
    return false;
  }
  if (!starts_name(0)) {
    follow_custom_property(c);
    ++at_;
    return false;
  }
  read_name(name_);
  if (peek() == '(') {
    ++at_;
    if (equals_ignoring_case(name_, "url")) return read_url();
    follow_custom_property('(');
  } else if (name_.starts_with("--") && !in_custom_property_) {
    skip_spaces_and_comments();
    in_custom_property_ = peek() == ':';
    depth_ = 0;
  }
  return false;
}

// https://drafts.csswg.org/css-syntax-3/#starts-with-a-valid-escape
bool CssUrls::starts_escape(std::size_t ahead) const noexcept {
  return peek(ahead) == '\\' && !is_newline(peek(ahead + 1));
}

// https://drafts.csswg.org/css-syntax-3/#would-start-an-identifier
bool CssUrls::starts_name(std::size_t ahead) const noexcept {
  const int c = peek(ahead);
  if (c == '-') {
    return is_name_start(peek(ahead + 1)) || peek(ahead + 1) == '-' || starts_escape(ahead + 1);
  }
  return is_name_start(c) || starts_escape(ahead);
}

bool CssUrls::starts_number() const noexcept {
  const std::size_t sign = peek() == '+' || peek() == '-' ? 1 : 0;
  return is_ascii_digit(peek(sign)) || (peek(sign) == '.' && is_ascii_digit(peek(sign + 1)));
}

bool CssUrls::skip_comment() noexcept {
  if (peek() != '/' || peek(1) != '*') return false;
  const std::size_t close = css_.find("*/", at_ + 2);
  at_ = close == std::string_view::npos ? css_.size() : close + 2;
  return true;
}

void CssUrls::skip_spaces() noexcept {
  while (is_html_space(peek())) ++at_;
}

void CssUrls::skip_spaces_and_comments() noexcept {
  do {
    skip_spaces();
  } while (skip_comment());
}

// A number and its unit: in 1url(a) there is no address.
void CssUrls::skip_number() noexcept {
  if (peek() == '+' || peek() == '-') ++at_;
  while (is_ascii_digit(peek())) ++at_;
  if (peek() == '.' && is_ascii_digit(peek(1))) {
    ++at_;
    while (is_ascii_digit(peek())) ++at_;
  }
  if (peek() == 'e' || peek() == 'E') {
    const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
    if (is_ascii_digit(peek(sign))) {
      at_ += sign;
      while (is_ascii_digit(peek())) ++at_;
    }
  }
  if (starts_name(0)) read_name(name_);
}

// https://drafts.csswg.org/css-syntax-3/#consume-escaped-code-point, after the backslash
void CssUrls::read_escape(std::string& out) {
  int c = peek();
  if (c < 0) {
    append_utf8(kReplacement, out);
    return;
  }
  if (hex_value(c) < 0) {
    ++at_;
    put(c, out);
    return;
  }
  char32_t code = 0;
  for (int digits = 0; digits < 6 && hex_value(c) >= 0; ++digits, c = peek()) {
    code = code * 16 + static_cast<unsigned>(hex_value(c));
    ++at_;
  }
  if (c == '\r' && peek(1) == '\n') ++at_;
  if (is_html_space(c)) ++at_;
  const bool is_scalar = code != 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  append_utf8(is_scalar ? code : kReplacement, out);
}

// https://drafts.csswg.org/css-syntax-3/#consume-name
void CssUrls::read_name(std::string& out) {
  out.clear();
  for (;;) {
    const int c = peek();
    if (c >= 0 && is_name_byte(c)) {
      ++at_;
      put(c, out);
    } else if (starts_escape(0)) {
      ++at_;
      read_escape(out);
    } else {
      return;
    }
  }
}

// https://drafts.csswg.org/css-syntax-3/#consume-string-token. False: a line ended in it.
bool CssUrls::read_string(std::string& out) {
  out.clear();
  const int quote = peek();
  ++at_;
  for (;;) {
    const int c = peek();
    if (c < 0) return true;
    if (is_newline(c)) return false;
    ++at_;
    if (c == quote) return true;
    if (c != '\\') {
      put(c, out);
    } else if (is_newline(peek())) {
      at_ += peek() == '\r' && peek(1) == '\n' ? 2 : 1;
    } else if (peek() >= 0) {
      read_escape(out);
    }
  }
}

// https://drafts.csswg.org/css-syntax-3/#consume-ident-like-token, after "url("
bool CssUrls::read_url() {
  skip_spaces();
  if (peek() != '"' && peek() != '\'') return read_unquoted_url();
  if (!read_string(url_)) return false;
  skip_spaces_and_comments();
  if (peek() >= 0 && peek() != ')') return false;
  if (peek() >= 0) ++at_;
  return true;
}

// https://drafts.csswg.org/css-syntax-3/#consume-url-token
bool CssUrls::read_unquoted_url() {
  url_.clear();
  for (;;) {
    int c = peek();
    if (is_html_space(c)) {
      skip_spaces();
      c = peek();
      if (c >= 0 && c != ')') {
        skip_rest_of_bad_url();
        return false;
      }
    }
    if (c < 0) return true;
    if (c == ')') {
      ++at_;
      return true;
    }
    const bool is_bad = c == '"' || c == '\'' || c == '(' || is_non_printable(c) ||
                        (c == '\\' && !starts_escape(0));
    if (is_bad) {
      skip_rest_of_bad_url();
      return false;
    }
    ++at_;
    if (c == '\\') {
      read_escape(url_);
    } else {
      put(c, url_);
    }
  }
}

// https://drafts.csswg.org/css-syntax-3/#consume-remnants-of-bad-url
void CssUrls::skip_rest_of_bad_url() noexcept {
  while (at_ < css_.size()) {
    const bool is_escape = starts_escape(0);
    if (css_[at_++] == ')') return;
    if (is_escape && at_ < css_.size()) ++at_;
  }
}

}  // namespace gossamer::html
