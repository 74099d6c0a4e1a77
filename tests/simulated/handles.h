#pragma once

#include <cstdint>

#include "async/operation.h"

namespace gossamer::sim {

// The numbers by which programs name sockets and files. None is used twice, so that a use after
// close is detected and does not reach another socket.
class Handles {
 public:
  async::Handle next() { return static_cast<async::Handle>(next_++); }

 private:
  std::int32_t next_ = 0;
};

}  // namespace gossamer::sim
