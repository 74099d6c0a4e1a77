#include "options/setting_names.h"

#include <algorithm>

#include "base/ascii.h"

namespace gossamer::options {
namespace {

constexpr char kMark = '`';

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_small_letter(text.front()) && std::ranges::all_of(text, [](char c) {
    return is_small_letter(c) || base::is_digit(c) || c == '-';
  });
}

// Appends `spell(name)` for each name in backquotes, and all else as it is.
template <class Spell>
std::string with_names(std::string_view text, Spell spell) {
  std::string result;
  while (true) {
    const std::size_t begin = text.find(kMark);
    const std::size_t end = begin == text.npos ? text.npos : text.find(kMark, begin + 1);
    if (end == text.npos) return result.append(text);
    const std::string_view name = text.substr(begin + 1, end - begin - 1);
    if (is_name(name)) {
      result.append(text.substr(0, begin)).append(spell(name));
      text.remove_prefix(end + 1);
    } else {
      result.append(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
}

}  // namespace

std::string as_flags(std::string_view text) {
  return with_names(text, [](std::string_view name) {
    return (name.size() == 1 ? "-" : "--") + std::string(name);
  });
}

std::string as_keywords(std::string_view text) {
  return with_names(text, [](std::string_view name) {
    std::string keyword(name);
    std::ranges::replace(keyword, '-', '_');
    return keyword;
  });
}

}  // namespace gossamer::options
