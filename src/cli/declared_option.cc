#include "cli/declared_option.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"

namespace gossamer::cli {
namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A word of a list such as "auto|io_uring|epoll", as against a name such as N or URL.
bool is_choice(std::string_view word) {
  return !word.empty() && is_lower(word.front()) &&
         std::ranges::all_of(word, [](char c) { return is_lower(c) || is_digit(c) || c == '_'; });
}

}  // namespace

bool DeclaredOption::has_key(std::string_view text) const {
  if (key.empty()) return false;
  return text == key || std::ranges::any_of(names, [text](const std::string& name) {
           return name.starts_with("--") && std::string_view(name).substr(2) == text;
         });
}

std::vector<std::string> DeclaredOption::choices() const {
  std::vector<std::string> found;
  if (placeholder.find('|') == std::string::npos) return found;
  for (std::size_t at = 0; at <= placeholder.size();) {
    const std::size_t end = std::min(placeholder.find('|', at), placeholder.size());
    std::string word = placeholder.substr(at, end - at);
    if (is_choice(word)) found.push_back(std::move(word));
    at = end + 1;
  }
  return found;
}

std::string DeclaredOption::standard() const {
  const std::size_t open = help.find('[');
  const std::size_t close = help.find(']', open);
  if (open == std::string::npos || close == std::string::npos) return {};
  if (help.find('[', close) != std::string::npos) return {};  // two: neither is the value's
  return help.substr(open + 1, close - open - 1);
}

bool DeclaredOption::has_usable_standard() const {
  const std::string text = standard();
  if (kind != OptionKind::single || text.empty()) return false;
  if (std::ranges::count(choices(), text) > 0) return true;
  return is_digit(text.front()) && text.find_first_of(" ;,") == std::string::npos;
}

}  // namespace gossamer::cli
