// The indexes of the WHATWG Encoding Standard: pointer to code point, 0 if there is none.
//
// Each index is extracted from the closest ICU converter on first use (a few milliseconds). The few
// code points where ICU and browsers differ are corrected. The decoders do not pass text to ICU,
// because the standard defines how invalid sequences are handled.
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
// The inverse. REQUIRES: the code point is at least 0x80 and not in the two-byte index.
std::uint32_t gb18030_ranges_pointer(std::uint32_t code_point) noexcept;

// Pointer 0 is U+FF61. Maps half-width katakana for ISO-2022-JP.
std::span<const std::uint16_t> katakana_index() noexcept;

// How many pointers the indexes have.
inline constexpr std::uint32_t kGb18030Pointers = 23940;
inline constexpr std::uint32_t kJis0208Pointers = 11280;
inline constexpr std::uint32_t kJis0212Pointers = 7708;
inline constexpr std::uint32_t kEucKrPointers = 23940;
inline constexpr std::uint32_t kBig5Pointers = 19782;

}  // namespace gossamer::html
