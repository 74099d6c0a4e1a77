// References in XML, such as &amp;.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::robots {

// Replaces an entity that is not expanded: U+10FFFD, a private-use code point.
inline constexpr std::string_view kEntityMark = "\xF4\x8F\xBF\xBD";

enum class ReferenceKind : std::uint8_t {
  none,        // an ampersand that should have been escaped
  character,   // &#38; &#x26; or one of the five that XML predefines
  entity,      // a name that only a DTD can declare
  unfinished,  // its end has not arrived
};

struct XmlReference {
  ReferenceKind kind = ReferenceKind::none;
  std::size_t size = 1;          // including the ampersand and the semicolon
  std::uint32_t code_point = 0;  // of a character
};

// Reads the reference at the start of `text`, which is an ampersand. A number that is not an XML
// character gives ReferenceKind::none.
XmlReference read_reference(std::string_view text) noexcept;

}  // namespace gossamer::robots
