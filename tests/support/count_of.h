// For tests: counts the occurrences of a text in another.
#pragma once

#include <cstddef>
#include <string>

namespace gossamer::support {

inline std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

}  // namespace gossamer::support
