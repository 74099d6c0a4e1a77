#include "tests/support/places.h"

// No other file is compiled with paths of this machine, so a compiler cache can be shared by
// several source trees.

namespace gossamer::support {

std::string source_path(std::string_view relative) {
  return std::string(GOSSAMER_SOURCE_DIR "/").append(relative);
}

std::string build_path(std::string_view relative) {
  return std::string(GOSSAMER_BUILD_DIR "/").append(relative);
}

}  // namespace gossamer::support
