// The text of an element, as a reader sees it.
#pragma once

#include <cstddef>
#include <string>

#include "dom/node.h"

namespace gossamer::content {

// Returns whether text before and after the element is on different lines.
bool is_block(const dom::Node& element) noexcept;

// Returns whether the element is a <noscript> without text of its own, such as a tracking picture
// or a notice. Pages of scripts have their whole text in one.
bool is_empty_noscript(const dom::Node& element) noexcept;

// Returns the text below `element`. Each run of white space is one space; so is the boundary of a
// block. Scripts and styles are left out, except if `element` is one itself.
struct ElementText {
  std::string text;
  bool is_truncated = false;
};
// BOUND: `bytes_max` of the result, and `work_max`: a node counts as one, and 8 bytes of text as
// one more. The work that was done is taken from it.
ElementText element_text(const dom::Node& element, std::size_t bytes_max, std::size_t& work_max);

}  // namespace gossamer::content
