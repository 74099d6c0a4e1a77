// References in XML: &amp; and its kin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::robots {

enum class ReferenceKind : std::uint8_t {
  none,        // an ampersand that should have been escaped
  character,   // &#38; &#x26; or one of the five that XML predefines
  entity,      // a name that only a DTD can declare
  unfinished,  // its end is not there yet
};

struct XmlReference {
  ReferenceKind kind = ReferenceKind::none;
  std::size_t size = 1;          // with the ampersand and the semicolon
  std::uint32_t code_point = 0;  // of a character
};

// What stands at the ampersand that `text` starts with. A number that is no character of XML is
// ReferenceKind::none.
XmlReference read_reference(std::string_view text) noexcept;

}  // namespace gossamer::robots
