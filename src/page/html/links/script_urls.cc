#include "html/links/script_urls.h"

#include <algorithm>

#include "base/utf8.h"
#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

constexpr std::size_t kUrlBytesMax = 2048;

constexpr std::string_view kPageEndings[] = {".html", ".htm",  ".xhtml", ".shtml", ".php",
                                             ".asp",  ".aspx", ".jsp",   ".do",    ".cgi",
                                             ".pdf",  ".xml",  ".json",  ".txt"};

bool is_url_byte(char c) noexcept {
  constexpr std::string_view kOther = "-._~:/?#[]@!$&'()+,;=%";
  return is_ascii_letter(c) || is_ascii_digit(c) || static_cast<unsigned char>(c) >= 0x80 ||
         kOther.find(c) != std::string_view::npos;
}

// Two hexadecimal digits after '%' are an escape; anything else is a placeholder for a value.
bool has_only_url_bytes(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_url_byte(text[i])) return false;
    if (text[i] != '%') continue;
    const auto is_hex = [](char c) {
      return is_ascii_digit(c) || (to_lower(c) >= 'a' && to_lower(c) <= 'f');
    };
    if (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])) return false;
  }
  return true;
}

// Accepts example.com and example.com:8080. The last label must be letters, so that 1.5 is not a
// host.
bool is_plausible_host(std::string_view authority) noexcept {
  const std::string_view host = authority.substr(0, authority.find(':'));
  const std::size_t dot = host.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 2 >= host.size()) return false;
  const auto is_host_byte = [](char c) {
    return is_ascii_letter(c) || is_ascii_digit(c) || c == '-' || c == '.' || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
  };
  if (!std::ranges::all_of(host, is_host_byte)) return false;
  const std::string_view last = host.substr(dot + 1);
  const bool is_ipv4 =
      std::ranges::all_of(last, is_ascii_digit) && std::ranges::count(host, '.') == 3;
  return is_ipv4 || std::ranges::none_of(last, [](char c) { return is_ascii_digit(c); });
}

std::string_view authority_of(std::string_view after_slashes) noexcept {
  return after_slashes.substr(0, after_slashes.find_first_of("/?#"));
}

}  // namespace

bool looks_like_url(std::string_view text) noexcept {
  if (text.size() < 3 || text.size() > kUrlBytesMax || !has_only_url_bytes(text)) return false;
  for (const std::string_view scheme :
       {std::string_view("https://"), std::string_view("http://")}) {
    if (starts_ignoring_case(text, scheme)) {
      return is_plausible_host(authority_of(text.substr(scheme.size())));
    }
  }
  if (text.starts_with("//")) return is_plausible_host(authority_of(text.substr(2)));
  if (text.front() != '/' || !(is_ascii_letter(text[1]) || is_ascii_digit(text[1]))) return false;
  const std::string_view path = text.substr(0, text.find_first_of("?#"));
  if (path.ends_with('/')) return true;
  return std::ranges::any_of(kPageEndings, [path](std::string_view ending) {
    return path.size() > ending.size() &&
           equals_ignoring_case(path.substr(path.size() - ending.size()), ending);
  });
}

bool ScriptUrls::next(std::size_t bytes) {
  const std::size_t end = bytes < script_.size() - at_ ? at_ + bytes : script_.size();
  while (at_ < end) {
    if (quote_ != '\0') {
      if (read_string(end) && looks_like_url(url_)) return true;
      continue;
    }
    const char c = script_[at_];
    const char following = at_ + 1 < script_.size() ? script_[at_ + 1] : '\0';
    if (c == '\\') {  // in a regular expression: /https?:\/\//
      at_ += 2;
    } else if (c == '/' && following == '*') {
      const std::size_t close = script_.find("*/", at_ + 2);
      at_ = close == std::string_view::npos ? script_.size() : close + 2;
    } else if (c == '/' && following == '/') {
      at_ = std::min(script_.find('\n', at_), script_.size());
    } else {
      ++at_;
      if (c != '"' && c != '\'' && c != '`') continue;
      quote_ = c;
      is_too_long_ = false;
      url_.clear();
    }
  }
  return false;
}

// Reads up to the closing quote, or up to `end`. Returns true if the string is complete and may be
// a URL. If the line ends before the quote, it was a quote in a comment or a regular expression.
bool ScriptUrls::read_string(std::size_t end) {
  while (at_ < end) {
    const char c = script_[at_++];
    if (c == quote_ || (c == '\n' && quote_ != '`')) {
      const bool is_closed = c == quote_;
      quote_ = '\0';
      return is_closed && !is_too_long_;
    }
    if (url_.size() > kUrlBytesMax) {
      is_too_long_ = true;
      url_.clear();
    }
    if (c == '\\' && at_ < script_.size()) {
      read_escape();
    } else {
      url_.push_back(c);
    }
  }
  return false;
}

// After the backslash: \/ \uHHHH \xHH; other escapes cannot be part of a URL.
void ScriptUrls::read_escape() {
  const char c = script_[at_++];
  const std::size_t digits = c == 'u' ? 4 : c == 'x' ? 2 : 0;
  if (digits == 0) {
    const bool is_letter = c == 'n' || c == 't' || c == 'r' || c == 'b' || c == 'f';
    url_.push_back(is_letter ? ' ' : c);
    return;
  }
  char32_t code = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char d = at_ < script_.size() ? to_lower(script_[at_]) : '\0';
    const int value = is_ascii_digit(d) ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 : -1;
    if (value < 0) {
      url_.push_back(' ');
      return;
    }
    code = code * 16 + static_cast<unsigned>(value);
    ++at_;
  }
  // Half of a surrogate pair is not worth handling in a URL.
  base::append_utf8(url_, code == 0 || (code >= 0xD800 && code <= 0xDFFF) ? U' ' : code);
}

}  // namespace gossamer::html
