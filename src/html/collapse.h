// White space as a reader sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Appends `text`, each run of white space made one space; also with what `out` ends in. NUL is left
// out. A space at the begin or end of the whole stays.
void append_collapsed(std::string& out, std::string_view text);

// Cuts a UTF-8 text to at most `bytes_max` bytes, not inside a character.
void cut_utf8(std::string& text, std::size_t bytes_max);

}  // namespace gossamer::html
