#pragma once

#include <string>
#include <string_view>

namespace gossamer::check {

// Returns the text that is shown next to a position, with single spaces.
// BOUND: kLinkTextBytesMax; a longer text is cut at a character and ends in "...".
std::string link_text(std::string_view text);

}  // namespace gossamer::check
