// What one step of undoing a compression did.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossamer::base {

enum class CodecStatus : std::uint8_t {
  more,     // out is full, or the input is used up
  ended,    // the data is whole; what follows belongs to something else
  damaged,  // the data is not what it says it is
  refused,  // it asks for more memory than it may
};

struct CodecStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  CodecStatus status = CodecStatus::more;
};

}  // namespace gossamer::base
