// Finds bytes, sixteen at a time if the processor can (NEON, SSE2). It never reads beyond the
// bounds that the caller gives.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace gossamer::html {

// Sixteen bytes, and for each of them whether it is one of a few values. first() is at least kBytes
// if there is none.
#if defined(__ARM_NEON)

class Block {
 public:
  static constexpr std::size_t kBytes = 16;
  using Mask = std::uint64_t;  // four bits per byte

  explicit Block(const char* bytes) noexcept
      : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(bytes))) {}

  template <class... Chars>
  Mask equal_to(Chars... chars) const noexcept {
    uint8x16_t hits = vdupq_n_u8(0);
    ((hits = vorrq_u8(hits, vceqq_u8(bytes_, vdupq_n_u8(static_cast<std::uint8_t>(chars))))), ...);
    return mask_of(hits);
  }
  static std::size_t first(Mask mask) noexcept {
    return static_cast<std::size_t>(std::countr_zero(mask)) / 4;
  }

 private:
  static Mask mask_of(uint8x16_t hits) noexcept {
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(hits), 4)), 0);
  }

  uint8x16_t bytes_;
};

#elif defined(__SSE2__)

class Block {
 public:
  static constexpr std::size_t kBytes = 16;
  using Mask = unsigned;  // one bit per byte

  explicit Block(const char* bytes) noexcept
      : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes))) {}

  template <class... Chars>
  Mask equal_to(Chars... chars) const noexcept {
    __m128i hits = _mm_setzero_si128();
    ((hits = _mm_or_si128(hits, _mm_cmpeq_epi8(bytes_, _mm_set1_epi8(chars)))), ...);
    return static_cast<Mask>(_mm_movemask_epi8(hits));
  }
  static std::size_t first(Mask mask) noexcept {
    return static_cast<std::size_t>(std::countr_zero(mask));
  }

 private:
  __m128i bytes_;
};

#else

class Block {
 public:
  static constexpr std::size_t kBytes = 8;
  using Mask = std::uint64_t;  // the high bit of each byte

  explicit Block(const char* bytes) noexcept { std::memcpy(&bytes_, bytes, sizeof(bytes_)); }

  template <class... Chars>
  Mask equal_to(Chars... chars) const noexcept {
    return (Mask{0} | ... | zeros(bytes_ ^ kOnes * static_cast<unsigned char>(chars)));
  }
  static std::size_t first(Mask mask) noexcept {
    return static_cast<std::size_t>(std::countr_zero(mask)) / 8;
  }

 private:
  static constexpr Mask kOnes = 0x0101010101010101;
  // The lowest mark is always right; higher marks may be wrong.
  static Mask zeros(Mask word) noexcept { return (word - kOnes) & ~word & kOnes * 0x80; }

  std::uint64_t bytes_;
};

#endif

// Returns the first byte in [begin, end) that is one of `chars`, else `end`.
template <class... Chars>
inline const char* find_any(const char* begin, const char* end, Chars... chars) noexcept {
  if (static_cast<std::size_t>(end - begin) >= Block::kBytes) {
    // The last block ends where the text does, and may overlap the one before it.
    const char* const last = end - Block::kBytes;
    for (;; begin = begin + Block::kBytes < last ? begin + Block::kBytes : last) {
      const Block::Mask hits = Block(begin).equal_to(chars...);
      if (hits != 0) return begin + Block::first(hits);
      if (begin == last) return end;
    }
  }
  while (begin != end && ((*begin != chars) && ...)) ++begin;
  return begin;
}

// Returns whether one of `chars` is in [begin, end). May read up to `readable`, so that no branch
// depends on the length of the text. REQUIRES: all three point into one text.
template <class... Chars>
inline bool has_any(const char* begin, const char* end, const char* readable,
                    Chars... chars) noexcept {
  const auto size = static_cast<std::size_t>(end - begin);
  if (size > 2 * Block::kBytes || readable - begin < std::ptrdiff_t{2 * Block::kBytes}) {
    return find_any(begin, end, chars...) != end;
  }
  const std::size_t first = Block::first(Block(begin).equal_to(chars...));
  const std::size_t second = Block::first(Block(begin + Block::kBytes).equal_to(chars...));
  return (first < std::min(size, Block::kBytes)) | (second + Block::kBytes < size);
}

}  // namespace gossamer::html
