#pragma once

#include <cstdint>
#include <random>

namespace gossamer::cli {

// For tables whose keys strangers choose.
inline std::uint64_t random_salt() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

}  // namespace gossamer::cli
