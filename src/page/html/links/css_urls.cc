#include "html/links/css_urls.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "html/token/ascii.h"
#include "html/token/scan.h"

namespace gossamer::html {
namespace {

constexpr char32_t kReplacementInCss = 0xFFFD;

constexpr bool is_newline(int c) noexcept { return c == '\n' || c == '\r' || c == '\f'; }

// https://drafts.csswg.org/css-syntax-3/#non-printable-code-point, without NUL, which is U+FFFD.
constexpr bool is_non_printable(int c) noexcept {
  return (c > 0 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F;
}

// Bytes of names and numbers, which make up most of a style sheet. A number with its unit is one
// run of them, and so is a name. If a run is only part of a token (1.5, -->), the rest is not a
// letter and cannot begin or end a URL.
constexpr auto kNameBytes = [] {
  std::array<bool, 256> bytes = {};
  for (int c = 0; c < 256; ++c) {
    bytes[static_cast<std::size_t>(c)] =
        is_ascii_letter(c) || is_ascii_digit(c) || c == '-' || c == '_' || c >= 0x80 || c == 0;
  }
  return bytes;
}();

// Bytes of an unquoted URL that need no decoding.
constexpr auto kPlainUrlBytes = [] {
  std::array<bool, 256> bytes = {};
  for (int c = 1; c < 256; ++c) {
    bytes[static_cast<std::size_t>(c)] = !is_html_space(c) && !is_non_printable(c) && c != '"' &&
                                         c != '\'' && c != '(' && c != ')' && c != '\\';
  }
  return bytes;
}();

bool is_in(const std::array<bool, 256>& bytes, char c) noexcept {
  return bytes[static_cast<unsigned char>(c)];
}

constexpr int hex_value(int c) noexcept {
  if (is_ascii_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void put(int byte, std::string& out) {
  if (byte == 0) {
    base::append_utf8(out, kReplacementInCss);
  } else {
    out.push_back(static_cast<char>(byte));
  }
}

// Accepts image-set and its older names, such as -webkit-image-set.
bool is_image_set(std::string_view name) noexcept {
  constexpr std::string_view kName = "image-set";
  return name.size() >= kName.size() &&
         equals_ignoring_case(name.substr(name.size() - kName.size()), kName);
}

}  // namespace

bool CssUrls::may_have_urls(std::string_view css) noexcept {
  const char* const begin = css.data();
  const char* const end = begin + css.size();
  for (const char* at = begin; (at = find_any(at, end, '(', '@', '\\')) != end; ++at) {
    if (*at == '\\') return true;  // an escape can hide any letter
    if (*at == '(' && at != begin && to_lower(at[-1]) == 'l') return true;
    if (*at == '(' && is_image_set({begin, at})) return true;
    if (*at == '@' && end - at > 1 && to_lower(at[1]) == 'i') return true;
  }
  return false;
}

bool CssUrls::next(std::size_t bytes) {
  const std::size_t end = at_ + std::min(bytes, css_.size() - at_);
  while (at_ < end) {
    begin_ = at_;
    if (!read_token()) continue;
    // A fragment of the page itself: in a custom property such values are usually references for
    // other rules, often filters.
    const bool is_own_place = in_custom_property_ && url_.starts_with('#');
    if (!is_own_place) return true;
  }
  return false;
}

// Reads one token, or several that do not matter. Returns true if it was a URL.
bool CssUrls::read_token() {
  const char c = css_[at_];
  if (is_in(kNameBytes, c) || starts_escape(0)) return read_name_or_function();
  if (is_html_space(c)) {
    ++at_;
    return false;
  }
  if (c == '/' && skip_comment()) return false;
  const bool is_import = after_import_;
  after_import_ = false;
  switch (c) {
    case '"':
    case '\'':
      url_is_import_ = is_import;
      return read_string(url_) && (is_import || image_set_depth_ == 1);
    case '@':
    case '#': {
      ++at_;
      const std::string_view name = read_name();
      after_import_ = c == '@' && !in_custom_property_ && equals_ignoring_case(name, "import");
      return false;
    }
    default:
      follow_custom_property(c);
      follow_image_set(c);
      ++at_;
      return false;
  }
}

// Reads a name, a function, or a number with its unit.
bool CssUrls::read_name_or_function() {
  url_is_import_ = after_import_;
  after_import_ = false;
  const bool is_number = is_ascii_digit(css_[at_]);
  const std::string_view name = read_name();
  if (peek() == '(') {
    ++at_;
    if (!is_number && equals_ignoring_case(name, "url")) return read_url();
    follow_custom_property('(');
    if (image_set_depth_ > 0 || is_image_set(name)) ++image_set_depth_;
  } else if (!in_custom_property_ && name.starts_with("--")) {
    skip_spaces_and_comments();
    in_custom_property_ = peek() == ':';
    depth_ = 0;
  }
  return false;
}

// A custom property ends at ';', or at the '}' of the block that contains it.
void CssUrls::follow_custom_property(char c) noexcept {
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

// An image-set() that is not closed ends with its declaration.
void CssUrls::follow_image_set(char c) noexcept {
  if (image_set_depth_ == 0) return;
  if (c == '(') ++image_set_depth_;
  if (c == ')') --image_set_depth_;
  if (c == ';' || c == '}') image_set_depth_ = 0;
}

// https://drafts.csswg.org/css-syntax-3/#starts-with-a-valid-escape
bool CssUrls::starts_escape(std::size_t ahead) const noexcept {
  return peek(ahead) == '\\' && !is_newline(peek(ahead + 1));
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

// https://drafts.csswg.org/css-syntax-3/#consume-name. Without escapes nothing is copied.
std::string_view CssUrls::read_name() {
  const std::size_t begin = at_;
  while (at_ < css_.size() && is_in(kNameBytes, css_[at_])) ++at_;
  const std::string_view plain = css_.substr(begin, at_ - begin);
  if (!starts_escape(0)) return plain;
  name_ = plain;
  while (starts_escape(0)) {
    ++at_;
    read_escape(name_);
    const std::size_t run = at_;
    while (at_ < css_.size() && is_in(kNameBytes, css_[at_])) ++at_;
    name_ += css_.substr(run, at_ - run);
  }
  return name_;
}

// https://drafts.csswg.org/css-syntax-3/#consume-escaped-code-point, after the backslash
void CssUrls::read_escape(std::string& out) {
  int c = peek();
  if (c < 0) {
    base::append_utf8(out, kReplacementInCss);
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
  base::append_utf8(out, is_scalar ? code : kReplacementInCss);
}

// https://drafts.csswg.org/css-syntax-3/#consume-string-token. False: a line ended in it.
bool CssUrls::read_string(std::string& out) {
  out.clear();
  const char quote = css_[at_++];
  const char* const end = css_.data() + css_.size();
  for (;;) {
    const char* const begin = css_.data() + at_;
    const char* const stop = find_any(begin, end, quote, '\\', '\n', '\r', '\f', '\0');
    out.append(begin, stop);
    at_ = static_cast<std::size_t>(stop - css_.data());
    const int c = peek();
    if (c < 0) return true;
    if (is_newline(c)) return false;
    ++at_;
    if (c == quote) return true;
    if (c == 0) {
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
    const std::size_t begin = at_;
    while (at_ < css_.size() && is_in(kPlainUrlBytes, css_[at_])) ++at_;
    url_ += css_.substr(begin, at_ - begin);
    if (is_html_space(peek())) {
      skip_spaces();
      if (peek() >= 0 && peek() != ')') {
        skip_rest_of_bad_url();
        return false;
      }
    }
    const int c = peek();
    if (c < 0) return true;
    if (c == ')') {
      ++at_;
      return true;
    }
    if (c == 0) {
      ++at_;
      put(c, url_);
    } else if (starts_escape(0)) {
      ++at_;
      read_escape(url_);
    } else {
      skip_rest_of_bad_url();
      return false;
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
