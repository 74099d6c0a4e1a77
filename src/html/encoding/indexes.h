// The indexes of the WHATWG Encoding Standard: pointer to code point, 0 where there is none.
//
// Each is read out of the converter of ICU that is nearest to it, when it is first needed (some
// milliseconds), with the few code points corrected in which ICU and browsers differ. The decoders
// do not hand text to ICU: what becomes of broken sequences is the standard's to say.
#pragma once

#include <cstdint>
#include <span>

namespace gossamer::html {

std::uint32_t gb18030_code_point(std::uint32_t pointer) noexcept;  // two bytes
std::uint32_t jis0208_code_point(std::uint32_t pointer) noexcept;
std::uint32_t jis0212_code_point(std::uint32_t pointer) noexcept;
std::uint32_t euc_kr_code_point(std::uint32_t pointer) noexcept;
std::uint32_t big5_code_point(std::uint32_t pointer) noexcept;

// "index gb18030 ranges code point", for four bytes.
std::uint32_t gb18030_ranges_code_point(std::uint32_t pointer) noexcept;
// Its inverse. REQUIRES: the code point is at least 0x80 and not in the two-byte index.
std::uint32_t gb18030_ranges_pointer(std::uint32_t code_point) noexcept;

// Pointer 0 is U+FF61: what half-width katakana become in ISO-2022-JP.
std::span<const std::uint16_t> katakana_index() noexcept;

// How many pointers the indexes have.
inline constexpr std::uint32_t kGb18030Pointers = 23940;
inline constexpr std::uint32_t kJis0208Pointers = 11280;
inline constexpr std::uint32_t kJis0212Pointers = 7708;
inline constexpr std::uint32_t kEucKrPointers = 23940;
inline constexpr std::uint32_t kBig5Pointers = 19782;

}  // namespace gossamer::html
