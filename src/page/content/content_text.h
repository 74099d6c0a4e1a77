// The content of a page as plain text.
#pragma once

#include <cstddef>
#include <string>

#include "content/main_content.h"

namespace gossamer::content {

// Returns the text with one line per block. White space is collapsed, except in <pre>. Cells of a
// row are separated by tabs. Formulas are TeX, signs that link to their own place are left out.
// BOUND: ends after the text that exceeds `bytes_max`.
std::string to_text(const MainContent& content, std::size_t bytes_max);

}  // namespace gossamer::content
