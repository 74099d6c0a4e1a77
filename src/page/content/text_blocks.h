// The texts of a page, block by block, with what tells the main text from the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "content/outline.h"

namespace gossamer::content {

// The text directly in an element: its text nodes and inline elements.
struct TextBlock {
  std::uint32_t at = 0;  // the place of the element in the outline
  std::uint32_t bytes = 0;
  std::uint32_t link_bytes = 0;
  std::uint32_t commas = 0;
  std::uint32_t words = 0;
  std::uint32_t sentences = 0;  // ends of them
  std::uint32_t digits = 0;
  std::uint32_t capitals = 0;  // of ASCII
  std::uint32_t prices = 0;    // signs of currencies
  std::uint32_t copies = 1;    // blocks with this text, which may differ in white space
  bool ends_sentence = false;
};

// Returns the blocks of everything that the outline keeps, by their places.
std::vector<TextBlock> text_blocks(const Outline& outline);

// Calls `use(text, is_link)` for each text of a block, in order. The depth of a tree is bounded, so
// it may be recursive.
template <class Use>
void for_each_text(const Outline& outline, std::uint32_t at, bool is_link, Use use) {
  outline.for_each_child(
      at, [&](const dom::Node& text) { use(text.text(), is_link); },
      [&](std::uint32_t child) {
        if (outline[child].all.blocks > 0) return;
        for_each_text(outline, child, is_link || outline[child].is(html::TagId::a), use);
      });
}

}  // namespace gossamer::content
