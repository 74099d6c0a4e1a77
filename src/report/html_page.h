// The style and the script of every HTML report. The page allows nothing else.
#pragma once

#include <string_view>

namespace gossamer::report {

// Supports light and dark, wide and narrow screens, and paper.
std::string_view page_style();
// Sorts tables by a click on a column header, and hides rows that do not match a word.
std::string_view page_script();

}  // namespace gossamer::report
