// Where '<' and '"' stand in a stretch of text, found for all of it at once.
//
// Asking for the next '<' again and again means that no tag can be begun before the one before it
// has been read. With all places known beforehand the processor works on several tags at a time.
#pragma once

#include <array>
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

// Covers nothing until it is built. BORROWS: the text, for as long as it is asked.
class ByteIndex {
 public:
  static constexpr std::size_t kBytesMax = 4096;

  // Covers [begin, end) or the first kBytesMax bytes of it.
  void build(const char* begin, const char* end) noexcept;
  void clear() noexcept { begin_ = end_ = nullptr; }

  const char* end() const noexcept { return end_; }

  // The places of '<', in order.
  std::size_t count() const noexcept { return count_; }
  const char* less_than(std::size_t number) const noexcept { return begin_ + places_[number]; }

  // The first '"' at or after `at`, else end(). REQUIRES: `at` is covered, or end().
  const char* quote(const char* at) const noexcept {
    const auto offset = static_cast<std::size_t>(at - begin_);
    std::size_t block = offset / kBlockBytes;
    const std::size_t skipped = offset % kBlockBytes;
    // The next 64 bytes, wherever blocks end: a branch that can be foretold.
    std::uint64_t word = quotes_[block] >> skipped | quotes_[block + 1] << 1 << (63 - skipped);
    if (word != 0) [[likely]]
      return at + std::countr_zero(word);
    do {
      word = quotes_[++block];
    } while (word == 0);
    return begin_ + block * kBlockBytes + static_cast<std::size_t>(std::countr_zero(word));
  }

 private:
  static constexpr std::size_t kBlockBytes = 64;
  static constexpr std::size_t kBlocksMax = kBytesMax / kBlockBytes;
  // Places are written six at a time, whether there are as many or not.
  static constexpr std::size_t kSpare = 6;

  // Bit n: byte n of the block.
  struct Marks {
    std::uint64_t less_than;
    std::uint64_t quote;
  };
  static Marks marks_of(const char* block) noexcept;
  void add(Marks marks, std::size_t block) noexcept;

  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  std::size_t count_ = 0;
  std::array<std::uint16_t, kBytesMax + kSpare> places_;
  // After the last byte stands a mark, so that every search ends; and there is a word more, so that
  // two may be read.
  std::array<std::uint64_t, kBlocksMax + 2> quotes_;
};

#if defined(__ARM_NEON)

inline ByteIndex::Marks ByteIndex::marks_of(const char* block) noexcept {
  const auto* const at = reinterpret_cast<const std::uint8_t*>(block);
  const uint8x16_t parts[4] = {vld1q_u8(at), vld1q_u8(at + 16), vld1q_u8(at + 32),
                               vld1q_u8(at + 48)};
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const auto sums_of = [&](char c) {
    const uint8x16_t wanted = vdupq_n_u8(static_cast<std::uint8_t>(c));
    const auto weighed = [&](int i) { return vandq_u8(vceqq_u8(parts[i], wanted), weights); };
    return vpaddq_u8(vpaddq_u8(weighed(0), weighed(1)), vpaddq_u8(weighed(2), weighed(3)));
  };
  const uint64x2_t marks = vreinterpretq_u64_u8(vpaddq_u8(sums_of('<'), sums_of('"')));
  return {vgetq_lane_u64(marks, 0), vgetq_lane_u64(marks, 1)};
}

#elif defined(__SSE2__)

inline ByteIndex::Marks ByteIndex::marks_of(const char* block) noexcept {
  const auto bits_of = [&](char c) {
    const __m128i wanted = _mm_set1_epi8(c);
    std::uint64_t bits = 0;
    for (int i = 0; i < 4; ++i) {
      const auto part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
      const auto mask = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(part, wanted)));
      bits |= std::uint64_t{mask} << (16 * i);
    }
    return bits;
  };
  return {bits_of('<'), bits_of('"')};
}

#else

inline ByteIndex::Marks ByteIndex::marks_of(const char* block) noexcept {
  Marks marks = {};
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    marks.less_than |= std::uint64_t{block[i] == '<'} << i;
    marks.quote |= std::uint64_t{block[i] == '"'} << i;
  }
  return marks;
}

#endif

inline void ByteIndex::add(Marks marks, std::size_t block) noexcept {
  quotes_[block] = marks.quote;
  std::uint64_t bits = marks.less_than;
  const auto new_count = count_ + static_cast<std::size_t>(std::popcount(bits));
  std::uint16_t* out = &places_[count_];
  const std::size_t base = block * kBlockBytes;
  do {
    for (std::size_t i = 0; i < kSpare; ++i) {
      out[i] = static_cast<std::uint16_t>(base + static_cast<std::size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
    out += kSpare;
  } while (bits != 0);
  count_ = new_count;
}

inline void ByteIndex::build(const char* begin, const char* end) noexcept {
  const auto available = static_cast<std::size_t>(end - begin);
  const std::size_t size = available < kBytesMax ? available : kBytesMax;
  begin_ = begin;
  end_ = begin + size;
  count_ = 0;
  std::size_t block = 0;
  for (; (block + 1) * kBlockBytes <= size; ++block) {
    add(marks_of(begin + block * kBlockBytes), block);
  }
  const std::size_t rest = size % kBlockBytes;
  quotes_[block] = 0;
  if (rest > 0) {
    char padded[kBlockBytes] = {};
    std::memcpy(padded, begin + block * kBlockBytes, rest);
    add(marks_of(padded), block);
  }
  quotes_[block] |= std::uint64_t{1} << rest;
  quotes_[block + 1] = 0;
}

}  // namespace gossamer::html
