// Collapses white space as a browser shows it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gossamer::html {

// Appends `text` with each run of white space replaced by one space, also across the end of `out`.
// NUL is dropped. A space at the beginning or end of the whole text is kept.
void append_collapsed(std::string& out, std::string_view text);

// Returns the end of the words at a place of the text: the place of the first white space, unless
// it is one space before a visible character, or the end of the text. Control characters count as
// white space. REQUIRES: the place has a visible character.
std::size_t end_of_words(std::string_view text, std::size_t at) noexcept;

// Returns how much of a UTF-8 text to keep: at most `bytes_max` bytes, not a part of a character.
std::size_t utf8_end(std::string_view text, std::size_t bytes_max) noexcept;
// Cuts a UTF-8 text to at most `bytes_max` bytes, not inside a character.
void cut_utf8(std::string& text, std::size_t bytes_max);

}  // namespace gossamer::html
