// Which encoding a document is in (HTML Standard, "encoding sniffing algorithm").
//
// In this order: byte order mark; what the transport said; the document's own declaration;
// the fallback.
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
  fallback,
};

struct SniffOptions {
  DocumentKind kind = DocumentKind::html;
  // The charset of the Content-Type header, if it had one with a known label.
  std::optional<Encoding> transport;
  // What a document without any sign is taken for. The HTML Standard has windows-1252 for most
  // locales; XML and CSS have UTF-8.
  Encoding fallback = Encoding::windows_1252;
  // A <meta> that begins within the first 1024 bytes counts wherever it stands. Beyond that it
  // counts as long as the head has not ended, which is what browsers agree on; the search ends
  // here at the latest. BOUND: so many bytes of a page may have to be held back.
  std::size_t bytes_max = 64 * 1024;
};

struct SniffedEncoding {
  Encoding encoding = Encoding::windows_1252;
  EncodingSource source = EncodingSource::fallback;

  friend bool operator==(const SniffedEncoding&, const SniffedEncoding&) = default;
};

// Looks at the beginning of a document. Nothing when more of it has to be seen; with `is_whole`
// (there is no more) there always is an answer.
std::optional<SniffedEncoding> sniff_encoding(std::string_view bytes, const SniffOptions& options,
                                              bool is_whole);

// "Extracting a character encoding from a meta element", given the value of its `content`:
// "text/html; charset=koi8-r".
std::optional<Encoding> encoding_from_meta_content(std::string_view content) noexcept;

}  // namespace gossamer::html
