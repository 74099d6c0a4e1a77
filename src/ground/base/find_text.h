#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace gossamer::base {

// Returns the first place of `what`, or npos. Takes linear time for all texts, which
// std::string_view::find does not.
inline std::size_t find_text(std::string_view text, std::string_view what) noexcept {
  if (what.empty()) return 0;
  const void* const found = ::memmem(text.data(), text.size(), what.data(), what.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

}  // namespace gossamer::base
