#include "html/links/refresh.h"

#include <limits>

#include "html/token/ascii.h"

namespace gossamer::html {
namespace {

void skip_blanks(std::string_view& text) noexcept {
  while (!text.empty() && is_html_space(text.front())) text.remove_prefix(1);
}

bool skip_letter(std::string_view& text, char lower) noexcept {
  if (text.empty() || to_lower(text.front()) != lower) return false;
  text.remove_prefix(1);
  return true;
}

// Reads the part after the separator: [url =] ["] address.
std::string_view read_url(std::string_view text) noexcept {
  const std::string_view whole = text;
  if (skip_letter(text, 'u')) {
    if (!skip_letter(text, 'r') || !skip_letter(text, 'l')) return whole;
    skip_blanks(text);
    if (!text.starts_with('=')) return whole;
    text.remove_prefix(1);
    skip_blanks(text);
  }
  if (text.starts_with('"') || text.starts_with('\'')) {
    const char quote = text.front();
    text.remove_prefix(1);
    text = text.substr(0, text.find(quote));
  }
  return text;
}

}  // namespace

std::optional<Refresh> parse_refresh(std::string_view content) noexcept {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 10 - 1;
  skip_blanks(content);
  Refresh refresh;
  bool has_digits = false;
  while (!content.empty() && is_ascii_digit(content.front())) {
    if (refresh.seconds < kMost) {
      refresh.seconds = refresh.seconds * 10 + static_cast<unsigned>(content.front() - '0');
    }
    content.remove_prefix(1);
    has_digits = true;
  }
  if (!has_digits && !content.starts_with('.')) return {};
  while (!content.empty() && (is_ascii_digit(content.front()) || content.front() == '.')) {
    content.remove_prefix(1);
  }
  if (content.empty()) return refresh;
  const char separator = content.front();
  if (separator != ';' && separator != ',' && !is_html_space(separator)) return {};
  skip_blanks(content);
  if (content.starts_with(';') || content.starts_with(',')) content.remove_prefix(1);
  skip_blanks(content);
  if (!content.empty()) refresh.url = read_url(content);
  return refresh;
}

}  // namespace gossamer::html
