// Drive letters in file URLs: https://url.spec.whatwg.org/#windows-drive-letter
#pragma once

#include <string_view>

#include "url/code_points.h"

namespace gossamer::url {

// "C:" or "C|".
constexpr bool is_windows_drive_letter(std::string_view text) noexcept {
  return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

// A drive letter at the end of the text, or before a slash, a question mark or a number sign.
constexpr bool starts_with_windows_drive_letter(std::string_view text) noexcept {
  return is_windows_drive_letter(text.substr(0, 2)) &&
         (text.size() == 2 || in_set(text[2], kAuthorityDelimiter));
}

// Returns "/C:" for "/C:/x", else nothing. The path is that of a URL, so a colon follows the
// letter.
constexpr std::string_view leading_drive_of_path(std::string_view path) noexcept {
  const bool has_drive = path.size() >= 3 && path[0] == '/' && is_alpha(path[1]) &&
                         path[2] == ':' && (path.size() == 3 || path[3] == '/');
  return has_drive ? path.substr(0, 3) : std::string_view();
}

}  // namespace gossamer::url
