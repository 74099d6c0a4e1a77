#include "html/encoding_utf8.h"

#include <bit>
#include <cstring>

namespace gossamer::html {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080;

std::uint64_t load64(const unsigned char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// One test for many bytes: the loop is unrolled, and made of the widest loads there are.
template <std::ptrdiff_t kBytes>
const unsigned char* skip_ascii_blocks(const unsigned char* at, const unsigned char* end) {
  while (end - at >= kBytes) {
    std::uint64_t any = 0;
    for (std::ptrdiff_t i = 0; i < kBytes; i += 8) any |= load64(at + i);
    if ((any & kHighBits) != 0) break;
    at += kBytes;
  }
  return at;
}

const unsigned char* skip_ascii(const unsigned char* at, const unsigned char* end) {
  at = skip_ascii_blocks<128>(at, end);
  at = skip_ascii_blocks<32>(at, end);
  while (end - at >= 8) {
    const std::uint64_t high = load64(at) & kHighBits;
    if (high != 0) {
      if constexpr (std::endian::native == std::endian::little) {
        return at + std::countr_zero(high) / 8;
      }
      break;
    }
    at += 8;
  }
  while (at != end && *at < 0x80) ++at;
  return at;
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// The length of the whole, valid sequence that starts here with a byte of at least 0x80; else 0.
// https://encoding.spec.whatwg.org/#utf-8-decoder has the bounds of the second byte.
std::ptrdiff_t sequence_length(const unsigned char* at, std::ptrdiff_t left) {
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

}  // namespace

std::size_t ascii_prefix(std::string_view bytes) noexcept {
  const auto* start = reinterpret_cast<const unsigned char*>(bytes.data());
  return static_cast<std::size_t>(skip_ascii(start, start + bytes.size()) - start);
}

std::size_t valid_utf8_prefix(std::string_view bytes) noexcept {
  const auto* start = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = start + bytes.size();
  const unsigned char* at = start;
  while (at != end) {
    if (*at < 0x80) {
      at = skip_ascii(at, end);
      continue;
    }
    const std::ptrdiff_t length = sequence_length(at, end - at);
    if (length == 0) break;
    at += length;
  }
  return static_cast<std::size_t>(at - start);
}

}  // namespace gossamer::html
