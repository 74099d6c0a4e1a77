// The encodings of the web and their labels (WHATWG Encoding Standard).
//
//   encoding.h   the encodings and their labels
//   sniffer.h    finds the encoding of a document
//   decoder.h    decodes bytes of one encoding to UTF-8
//   stream.h     sniffer and decoder together: bytes of a page in, UTF-8 out
//   encoder.h    encodes UTF-8, for the queries of URLs in legacy pages
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
  replacement,  // replaces encodings used for attacks: one U+FFFD, nothing more
  utf_16be,
  utf_16le,
  x_user_defined,
};

inline constexpr std::size_t kEncodingCount =
    static_cast<std::size_t>(Encoding::x_user_defined) + 1;

// Returns the standard's name: "UTF-8", "windows-1252", "Shift_JIS".
std::string_view name(Encoding encoding) noexcept;

// "Get an encoding": returns the encoding for a label from a header or a page. Case and surrounding
// white space do not matter. Returns nothing for an unknown label.
std::optional<Encoding> encoding_from_label(std::string_view label) noexcept;

// Returns whether every byte below 0x80 always means itself. This does not hold for UTF-16,
// ISO-2022-JP (escape sequences) and `replacement`.
bool is_ascii_compatible(Encoding encoding) noexcept;

// "Get an output encoding": returns the encoding for forms and URLs of such a page.
Encoding output_encoding(Encoding encoding) noexcept;

}  // namespace gossamer::html
