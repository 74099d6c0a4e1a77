#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace gossamer::run {

// For tables whose keys come from other hosts.
inline std::uint64_t random_salt() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

// Returns a new unpredictable text.
inline std::string random_nonce() {
  return std::to_string(random_salt()) + std::to_string(random_salt());
}

}  // namespace gossamer::run
