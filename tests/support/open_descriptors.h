// For tests that look for descriptors which are never closed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>

namespace gossamer::support {

// The number of descriptors that this process has open.
inline std::size_t open_descriptors() {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

}  // namespace gossamer::support
