// The encodings of the web and their labels (WHATWG Encoding Standard).
//
//   encoding.h   which encodings there are, what they are called
//   sniffer.h    which one a document is in
//   decoder.h    bytes of one encoding to UTF-8
//   stream.h     both at once: bytes of a page in, UTF-8 out
//   encoder.h    UTF-8 to bytes, for the queries of URLs in legacy pages
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gossamer::html {

// In the order of the standard's table.
enum class Encoding : std::uint8_t {
  utf_8,
  ibm866,
  iso_8859_2,
  iso_8859_3,
  iso_8859_4,
  iso_8859_5,
  iso_8859_6,
  iso_8859_7,
  iso_8859_8,
  iso_8859_8_i,
  iso_8859_10,
  iso_8859_13,
  iso_8859_14,
  iso_8859_15,
  iso_8859_16,
  koi8_r,
  koi8_u,
  macintosh,
  windows_874,
  windows_1250,
  windows_1251,
  windows_1252,
  windows_1253,
  windows_1254,
  windows_1255,
  windows_1256,
  windows_1257,
  windows_1258,
  x_mac_cyrillic,
  gbk,
  gb18030,
  big5,
  euc_jp,
  iso_2022_jp,
  shift_jis,
  euc_kr,
  replacement,  // stands for encodings that are attacks: one U+FFFD, nothing more
  utf_16be,
  utf_16le,
  x_user_defined,
};

inline constexpr std::size_t kEncodingCount =
    static_cast<std::size_t>(Encoding::x_user_defined) + 1;

// The standard's name: "UTF-8", "windows-1252", "Shift_JIS".
std::string_view name(Encoding encoding) noexcept;

// "Get an encoding": the encoding that a label from a header or a page means. Case and the white
// space around do not count. Nothing where the standard knows no such label.
std::optional<Encoding> encoding_from_label(std::string_view label) noexcept;

// Whether every byte below 0x80 stands for itself at all times. Not so in UTF-16, in ISO-2022-JP
// (escape sequences) and for `replacement`.
bool is_ascii_compatible(Encoding encoding) noexcept;

// "Get an output encoding": what a form or a URL of such a page is encoded with.
Encoding output_encoding(Encoding encoding) noexcept;

}  // namespace gossamer::html
