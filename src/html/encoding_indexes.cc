#include "html/encoding_indexes.h"

#include <algorithm>
#include <array>

namespace gossamer::html {
namespace {

struct Gb18030Range {
  std::uint32_t pointer;
  std::uint32_t code_point;
};

#include "html/encoding_indexes.inc"

static_assert(kGb18030.size() == kGb18030Pointers);
static_assert(kJis0208.size() == kJis0208Pointers);
static_assert(kEucKr.size() == kEucKrPointers);
static_assert(kBig5.size() == kBig5Pointers);

template <class Index>
std::uint32_t at(const Index& index, std::uint32_t pointer) {
  return pointer < index.size() ? index[pointer] : 0;
}

}  // namespace

std::uint32_t gb18030_code_point(std::uint32_t pointer) noexcept { return at(kGb18030, pointer); }
std::uint32_t jis0208_code_point(std::uint32_t pointer) noexcept { return at(kJis0208, pointer); }
std::uint32_t jis0212_code_point(std::uint32_t pointer) noexcept { return at(kJis0212, pointer); }
std::uint32_t euc_kr_code_point(std::uint32_t pointer) noexcept { return at(kEucKr, pointer); }

std::uint32_t big5_code_point(std::uint32_t pointer) noexcept {
  if (pointer >= kBig5.size()) return 0;
  const bool is_plane_2 = (kBig5Plane2[pointer / 32] >> (pointer % 32) & 1) != 0;
  return kBig5[pointer] | (is_plane_2 ? 0x20000U : 0U);
}

// https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point
std::uint32_t gb18030_ranges_code_point(std::uint32_t pointer) noexcept {
  if ((pointer > 39419 && pointer < 189000) || pointer > 1237575) return 0;
  if (pointer == 7457) return 0xE7C7;
  const auto* after = std::ranges::upper_bound(kGb18030Ranges, pointer, {}, &Gb18030Range::pointer);
  const Gb18030Range& range = *(after - 1);
  return range.code_point + (pointer - range.pointer);
}

// https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer
std::uint32_t gb18030_ranges_pointer(std::uint32_t code_point) noexcept {
  if (code_point == 0xE7C7) return 7457;
  const auto* after =
      std::ranges::upper_bound(kGb18030Ranges, code_point, {}, &Gb18030Range::code_point);
  const Gb18030Range& range = *(after - 1);
  return range.pointer + (code_point - range.code_point);
}

std::span<const std::uint16_t> katakana_index() noexcept { return kIso2022JpKatakana; }

}  // namespace gossamer::html
