#pragma once

#include <cstddef>
#include <string_view>

namespace gossamer::base {

struct Utf8Sequence {
  std::size_t length = 0;  // 0: no valid sequence starts here
  char32_t code_point = 0;
};

// The first code point of `text` (Unicode 15, table 3-7: no overlong forms, no surrogates, nothing
// above U+10FFFF). REQUIRES: text is not empty.
Utf8Sequence decode_utf8(std::string_view text);

}  // namespace gossamer::base
