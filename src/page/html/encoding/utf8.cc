#include "html/encoding/utf8.h"

#include <bit>
#include <cstring>

#include "base/processor.h"
#include "html/token/mask_bits.h"

#if defined(__ARM_NEON)
#include <arm_neon.h>
#endif

namespace gossamer::html {
namespace {

constexpr std::ptrdiff_t kMaskBytes = 64;

// Returns which of the next 64 bytes are not ASCII.
#if defined(__ARM_NEON)

[[gnu::always_inline]] inline std::uint64_t high_bits_of(const unsigned char* at) noexcept {
  const uint8x16_t weights = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
  const auto weighed = [&](int i) {
    const int8x16_t bytes = vreinterpretq_s8_u8(vld1q_u8(at + 16 * i));
    return vandq_u8(vcltzq_s8(bytes), weights);
  };
  uint8x16_t sums = vpaddq_u8(vpaddq_u8(weighed(0), weighed(1)), vpaddq_u8(weighed(2), weighed(3)));
  sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u64(vreinterpretq_u64_u8(sums), 0);
}

#else

[[gnu::always_inline]] inline std::uint64_t high_bits_of(const unsigned char* at) noexcept {
  using Bytes [[gnu::vector_size(kMaskBytes)]] = signed char;
  Bytes bytes;
  std::memcpy(&bytes, at, kMaskBytes);
  return mask_bits(bytes < 0);
}

#endif

// One test covers many bytes: the loop is unrolled and uses the widest loads available.
[[gnu::always_inline]] inline const unsigned char* skip_ascii_blocks(
    const unsigned char* at, const unsigned char* end) noexcept {
  constexpr std::ptrdiff_t kBytes = 2 * kMaskBytes;
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  for (; end - at >= kBytes; at += kBytes) {
    std::uint64_t any = 0;
    for (std::ptrdiff_t i = 0; i < kBytes; i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at + i, sizeof word);
      any |= word;
    }
    // A branch, so that the next block does not wait for this one.
    if ((any & kHighBits) != 0) [[unlikely]]
      return at;
  }
  return at;
}

[[gnu::always_inline]] inline bool is_continuation(unsigned char byte) noexcept {
  return (byte & 0xC0) == 0x80;
}

// Returns the length of the complete, valid sequence that starts here with a byte of at least 0x80;
// else 0. The bounds of the second byte are those of
// https://encoding.spec.whatwg.org/#utf-8-decoder.
[[gnu::always_inline]] inline std::ptrdiff_t sequence_length(const unsigned char* at,
                                                             std::ptrdiff_t left) noexcept {
  const unsigned char lead = *at;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return left >= 2 && is_continuation(at[1]) ? 2 : 0;
  if (lead < 0xF0) {
    if (left < 3) return 0;
    const unsigned char lower = lead == 0xE0 ? 0xA0 : 0x80;
    const unsigned char upper = lead == 0xED ? 0x9F : 0xBF;
    return at[1] >= lower && at[1] <= upper && is_continuation(at[2]) ? 3 : 0;
  }
  if (lead > 0xF4 || left < 4) return 0;
  const unsigned char lower = lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char upper = lead == 0xF4 ? 0x8F : 0xBF;
  const bool is_valid =
      at[1] >= lower && at[1] <= upper && is_continuation(at[2]) && is_continuation(at[3]);
  return is_valid ? 4 : 0;
}

[[gnu::always_inline]] inline const unsigned char* ascii_end(const unsigned char* at,
                                                             const unsigned char* end) noexcept {
  at = skip_ascii_blocks(at, end);
  for (; end - at >= kMaskBytes; at += kMaskBytes) {
    if (const std::uint64_t high = high_bits_of(at); high != 0) return at + std::countr_zero(high);
  }
  while (at != end && *at < 0x80) ++at;
  return at;
}

// Returns the end of a valid block of 64 bytes, including a sequence that extends past it; or the
// position where validity ends.
[[gnu::always_inline]] inline const unsigned char* valid_block_end(const unsigned char* block,
                                                                   const unsigned char* end,
                                                                   std::uint64_t high) noexcept {
  while (high != 0) {
    const unsigned char* const at = block + std::countr_zero(high);
    const std::ptrdiff_t length = sequence_length(at, end - at);
    if (length == 0) return at;
    const std::ptrdiff_t next = at + length - block;
    if (next >= kMaskBytes) return block + next;
    high &= ~std::uint64_t{0} << next;
  }
  return block + kMaskBytes;
}

[[gnu::always_inline]] inline const unsigned char* valid_end(const unsigned char* at,
                                                             const unsigned char* end) noexcept {
  for (;;) {
    at = skip_ascii_blocks(at, end);
    if (end - at < kMaskBytes) break;
    const unsigned char* const next = valid_block_end(at, end, high_bits_of(at));
    if (next - at < kMaskBytes) return next;
    at = next;
  }
  while (at != end) {
    const std::ptrdiff_t length = *at < 0x80 ? 1 : sequence_length(at, end - at);
    if (length == 0) break;
    at += length;
  }
  return at;
}

using Scan = const unsigned char*(const unsigned char*, const unsigned char*) noexcept;

const unsigned char* plain_ascii_end(const unsigned char* at, const unsigned char* end) noexcept {
  return ascii_end(at, end);
}

const unsigned char* plain_valid_end(const unsigned char* at, const unsigned char* end) noexcept {
  return valid_end(at, end);
}

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,bmi2,popcnt")]] const unsigned char* wide_ascii_end(
    const unsigned char* at, const unsigned char* end) noexcept {
  return ascii_end(at, end);
}

[[gnu::target("avx2,bmi,bmi2,popcnt")]] const unsigned char* wide_valid_end(
    const unsigned char* at, const unsigned char* end) noexcept {
  return valid_end(at, end);
}

#else

constexpr Scan* wide_ascii_end = plain_ascii_end;
constexpr Scan* wide_valid_end = plain_valid_end;

#endif

std::size_t prefix(std::string_view bytes, Scan* plain, Scan* wide) noexcept {
  const auto* const start = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = start + bytes.size();
  return static_cast<std::size_t>((base::has_avx2() ? wide : plain)(start, end) - start);
}

}  // namespace

std::size_t ascii_prefix(std::string_view bytes) noexcept {
  return prefix(bytes, plain_ascii_end, wide_ascii_end);
}

std::size_t valid_utf8_prefix(std::string_view bytes) noexcept {
  return prefix(bytes, plain_valid_end, wide_valid_end);
}

}  // namespace gossamer::html
