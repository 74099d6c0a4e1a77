// Counts bytes of texts, some of them at a time.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>

namespace gossamer::content {

inline constexpr std::size_t kBytesTogether = 16;
using Bytes [[gnu::vector_size(kBytesTogether)]] = unsigned char;
// What a comparison of them makes: -1 (it is so) or 0 for each.
using Masks [[gnu::vector_size(kBytesTogether)]] = signed char;

// Returns the bytes at a place, with spaces after the end of the text.
inline Bytes bytes_at(std::string_view text, std::size_t at) noexcept {
  Bytes bytes = Bytes{} + static_cast<unsigned char>(' ');
  std::memcpy(&bytes, text.data() + at, std::min(text.size() - at, kBytesTogether));
  return bytes;
}

// Returns the masks of the bytes before. `last`: the masks of the bytes that came before these.
inline Masks bytes_before(Masks last, Masks masks) noexcept {
  return __builtin_shufflevector(last, masks, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,
                                 28, 29, 30);
}

// Returns whether one of them is not of ASCII.
inline bool has_foreign(Bytes bytes) noexcept {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(bytes);
  return ((halves[0] | halves[1]) & 0x8080'8080'8080'8080) != 0;
}

inline Masks first_bytes(std::size_t count) noexcept {
  constexpr Bytes kPlaces = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  return kPlaces < static_cast<unsigned char>(count);
}

// Counts the masks that are -1.
class Tally {
 public:
  // BOUND: how often masks are added before a call of take().
  static constexpr std::size_t kMax = 255;

  void add(Masks masks) noexcept { counts_ -= std::bit_cast<Bytes>(masks); }
  std::uint32_t take() noexcept {
    const auto counts =
        std::bit_cast<std::array<unsigned char, kBytesTogether>>(std::exchange(counts_, Bytes{}));
    return std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
  }

 private:
  Bytes counts_ = {};  // for each place of its own
};

}  // namespace gossamer::content
