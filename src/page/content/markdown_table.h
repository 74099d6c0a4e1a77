// Tables of a page as those of GitHub.
#pragma once

#include <cstdint>
#include <string>

#include "content/markdown_inline.h"
#include "content/outline.h"

namespace gossamer::content {

enum class TableKind : std::uint8_t {
  layout,   // it puts parts of the page side by side
  grid,     // rows and columns of text
  complex,  // a grid with code of several lines or with further tables
};

// By its structure: heads, rows, columns, the length of cells. Time is that of the elements before
// a further table, so it is linear for all tables of a page.
TableKind table_kind(const Outline& outline, std::uint32_t at);

// Returns the rows of a table. A cell that spans columns or rows is in the first of these, the
// others are empty. Blocks in a cell are separated by <br>. BOUND: spans that would make most of
// the table empty count as one.
std::string grid_table(const Outline& outline, std::uint32_t at, MarkdownInline& inlines);

}  // namespace gossamer::content
