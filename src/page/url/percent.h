// Percent-encoding of text: https://url.spec.whatwg.org/#percent-encoded-bytes
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "url/code_points.h"
#include "url/writer.h"

namespace gossamer::url {

// Returns the length of the UTF-8 sequence that `text` starts with, 0 if it is invalid. In that
// case `broken` is how many bytes count as one U+FFFD (the "maximal subpart").
// REQUIRES: text is not empty and its first byte is not ASCII.
std::size_t utf8_sequence(std::string_view text, std::size_t& broken) noexcept;

// Appends the text and escapes the bytes of the set. Invalid UTF-8 counts as U+FFFD.
// BOUND: three bytes for one, but nine for one that is not UTF-8.
void percent_encode(std::string_view text, ByteClass set, Writer& out) noexcept;
void percent_encode(std::string_view text, ByteClass set, std::string& out);

// Appends the character (of one or more bytes) that `text` starts with, and returns its bytes.
// REQUIRES: text is not empty and its first byte is not ASCII.
std::size_t percent_encode_non_ascii(std::string_view text, Writer& out) noexcept;

// Appends the text with every escape replaced by its byte. A percent sign that is not an escape is
// left unchanged.
void percent_decode(std::string_view text, std::string& out);
inline std::string percent_decoded(std::string_view text) {
  std::string out;
  percent_decode(text, out);
  return out;
}

}  // namespace gossamer::url
