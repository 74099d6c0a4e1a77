// The shape of a page in numbers, by which kinds of pages are distinguished.
#pragma once

#include <cstddef>

#include "dom/document.h"

namespace gossamer::content {

struct PageShape {
  std::size_t text = 0;             // bytes
  std::size_t link_text = 0;        // of these, in links
  std::size_t long_texts = 0;       // outside of links
  std::size_t prices = 0;           // short texts with an amount of money
  std::size_t code_blocks = 0;      // <pre>
  std::size_t headings = 0;         // <h2> to <h4>
  std::size_t linked_headings = 0;  // of these, links to other pages

  bool is_mostly_links() const noexcept { return link_text * 100 > text * 35; }
  // Returns whether the headings are titles of other pages.
  bool has_titles_of_others() const noexcept {
    return linked_headings >= 5 && linked_headings * 2 >= headings;
  }
};

// Time is linear in the size of the document.
PageShape measure_shape(const dom::Document& document);

}  // namespace gossamer::content
