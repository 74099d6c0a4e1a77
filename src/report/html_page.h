// What every HTML report has in common: its style and its script. The page allows nothing else.
#pragma once

#include <string_view>

namespace gossamer::report {

// For light and dark, wide and narrow, and paper.
std::string_view page_style();
// Sorts tables by a click on the head of a column, and hides rows that do not match a word.
std::string_view page_script();

}  // namespace gossamer::report
