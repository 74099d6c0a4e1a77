#pragma once

#include <string>
#include <string_view>

namespace gossamer::check {

// A text as it is shown beside a place: one space between words.
// BOUND: kLinkTextBytesMax; what is longer is cut at a character and ends in "...".
std::string link_text(std::string_view text);

}  // namespace gossamer::check
