// Determines the encoding of a document (HTML Standard, "encoding sniffing algorithm").
//
// The order is: byte order mark, transport, the document's own declaration, its content, the
// fallback. As browsers do, the content is only read to find undeclared UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "html/encoding/encoding.h"

namespace gossamer::html {

// Decides which declarations count.
enum class DocumentKind : std::uint8_t {
  html,  // <meta charset>, <meta http-equiv=content-type>, else an XML declaration
  xml,   // the XML declaration
  css,   // @charset "...";
  text,  // none
};

enum class EncodingSource : std::uint8_t {
  byte_order_mark,
  transport,
  declaration,  // <meta>, XML declaration, @charset
  content,      // none, but its first non-ASCII characters are UTF-8
  fallback,
};

struct SniffOptions {
  DocumentKind kind = DocumentKind::html;
  // The charset of the Content-Type header, if it had one with a known label.
  std::optional<Encoding> transport;
  // The encoding of a document without any sign. None: UTF-8 for XML and CSS, and windows-1252 for
  // HTML and text, as the HTML Standard says for most locales.
  std::optional<Encoding> fallback;
  // Read undeclared UTF-8 as UTF-8, although the fallback is another encoding.
  bool detects_utf8 = true;
  // A <meta> that begins within the first 1024 bytes counts wherever it is. Beyond that it counts
  // until the head ends, as browsers agree, and the search ends here at the latest.
  // BOUND: this many bytes of a page may be held back.
  std::size_t bytes_max = 64 * 1024;
};

struct SniffedEncoding {
  Encoding encoding = Encoding::windows_1252;
  EncodingSource source = EncodingSource::fallback;

  friend bool operator==(const SniffedEncoding&, const SniffedEncoding&) = default;
};

// Inspects the beginning of a document. Returns nothing if it needs more of it; with `is_whole`
// (there is no more) it always returns a result.
std::optional<SniffedEncoding> sniff_encoding(std::string_view bytes, const SniffOptions& options,
                                              bool is_whole);

// The same without the content: the fallback if nothing is declared.
std::optional<SniffedEncoding> sniff_declared_encoding(std::string_view bytes,
                                                       const SniffOptions& options, bool is_whole);

// Returns whether the content may turn out to be UTF-8 where a declaration is missing.
bool content_decides(const SniffedEncoding& sniffed, const SniffOptions& options) noexcept;

// How many bytes from the first non-ASCII one on decide whether undeclared text is UTF-8.
inline constexpr std::size_t kDecisiveBytes = 1024;

// Returns whether text that begins with a non-ASCII byte is UTF-8: whether more of its sequences
// are valid than not. Reads kDecisiveBytes at most.
bool begins_as_utf8(std::string_view bytes) noexcept;

// "Extracting a character encoding from a meta element", for the value of its `content`:
// "text/html; charset=koi8-r".
std::optional<Encoding> encoding_from_meta_content(std::string_view content) noexcept;

}  // namespace gossamer::html
