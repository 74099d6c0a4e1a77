// The constants of ZIP files (APPNOTE 6.3.10), for reading and writing.
//
//   | local header | name | data | ... | central directory | (zip64 end | locator) | end |
#pragma once

#include <cstddef>
#include <cstdint>

namespace gossamer::warc::zip {

inline constexpr std::uint32_t kLocalHeader = 0x04034B50;
inline constexpr std::uint32_t kCentralHeader = 0x02014B50;
inline constexpr std::uint32_t kEnd = 0x06054B50;
inline constexpr std::uint32_t kEnd64 = 0x06064B50;
inline constexpr std::uint32_t kEnd64Locator = 0x07064B50;

inline constexpr std::size_t kLocalHeaderBytes = 30;
inline constexpr std::size_t kEndBytes = 22;
inline constexpr std::size_t kEnd64Bytes = 56;
inline constexpr std::size_t kEnd64LocatorBytes = 20;

inline constexpr std::uint16_t kZip64Field = 0x0001;
inline constexpr std::uint16_t kVersionPlain = 20;
inline constexpr std::uint16_t kVersion64 = 45;
inline constexpr std::uint16_t kFlagEncrypted = 0x0001;
inline constexpr std::uint16_t kFlagUtf8 = 0x0800;

// These replace a number that does not fit; the number is then in the zip64 field.
inline constexpr std::uint32_t kInZip64 = 0xFFFFFFFF;
inline constexpr std::uint16_t kCountInZip64 = 0xFFFF;

}  // namespace gossamer::warc::zip
