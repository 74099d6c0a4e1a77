// Finds the part of a page that a reader came for: the text of an article, without navigation,
// advertisements, comments and footers.
//
// It scores elements by the paragraphs in them, in the way that the reader views of browsers do:
// much text with commas and few links is content. Names of classes help, languages do not matter.
#pragma once

#include <cstdint>
#include <vector>

#include "content/outline.h"
#include "dom/document.h"

namespace gossamer::content {

// The elements of the outline that are kept are the content. BORROWS: the document.
struct MainContent {
  Outline outline;
  std::vector<std::uint32_t> roots;  // places in the outline, in document order, side by side
};

// Time is linear in the size of the document.
MainContent find_main_content(const dom::Document& document);

}  // namespace gossamer::content
