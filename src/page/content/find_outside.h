// Marks that separate the parts of CSS and XPath.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gossamer::content {

// Returns the first place of `mark` outside of quotes, brackets, parentheses and escapes; the
// length of the text if there is none. XPath has no escapes.
inline std::size_t find_outside(std::string_view text, char mark, bool has_escapes = true) {
  char quote = '\0';
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && has_escapes) {
      ++at;
    } else if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[' || c == '(') {
      ++depth;
    } else if (c == ']' || c == ')') {
      depth = std::max(depth - 1, 0);
    } else if (c == mark && depth == 0) {
      return at;
    }
  }
  return text.size();
}

}  // namespace gossamer::content
