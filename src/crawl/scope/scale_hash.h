#pragma once

#include <cstdint>

namespace gossamer::crawler {

// Maps a hash to [0, range) without a division and keeps the order: range * (hash / 2^64).
// D. Lemire, "Fast random integer generation in an interval" (2019).
inline std::uint64_t scale_hash(std::uint64_t hash, std::uint64_t range) noexcept {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(hash) * range) >> 64);
}

}  // namespace gossamer::crawler
