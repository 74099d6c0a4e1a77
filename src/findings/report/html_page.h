// The style and the script of every HTML report. The page allows nothing else.
#pragma once

#include <span>
#include <string_view>

#include "base/embedded_file.h"

namespace gossamer::report {

// The files of src/findings/report/page.
std::span<const base::EmbeddedFile> page_files() noexcept;

// Supports light and dark, wide and narrow screens, and paper.
std::string_view page_style();
// Sorts tables by a click on a column header, and hides rows that do not match a word.
std::string_view page_script();

}  // namespace gossamer::report
