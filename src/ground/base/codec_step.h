// The result of one step of decompression.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossamer::base {

enum class CodecStatus : std::uint8_t {
  more,     // out is full, or the input is used up
  ended,    // the data is complete; any bytes that follow are not part of it
  damaged,  // the data is invalid
  refused,  // the data needs more memory than it is allowed
};

struct CodecStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
  CodecStatus status = CodecStatus::more;
};

}  // namespace gossamer::base
