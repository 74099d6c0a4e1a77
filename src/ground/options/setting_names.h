#pragma once

#include <string>
#include <string_view>

namespace gossamer::options {

// Texts name a setting in backquotes, "larger than `max-size`", because each face of the program
// spells it in its own way. Other words in backquotes stay as they are: they have blanks, dots or
// capitals.

// "larger than --max-size".
std::string as_flags(std::string_view text);
// "larger than max_size".
std::string as_keywords(std::string_view text);

}  // namespace gossamer::options
