// Elements of a page, whether an outline lists them or not.
#pragma once

#include <cstdint>

#include "content/outline.h"

namespace gossamer::content {

struct Part {
  const dom::Node* node = nullptr;
  std::uint32_t at = kNoItem;  // its place in the outline; kNoItem: it is not listed

  bool is_listed() const noexcept { return at != kNoItem; }
};

// Calls `on_text(node)` and `on_part(part)` for each child, in order. Elements that are listed but
// not kept are left out.
template <class OnText, class OnPart>
void for_each_part(const Outline& outline, Part parent, OnText on_text, OnPart on_part) {
  std::uint32_t child = parent.is_listed() ? parent.at + 1 : 0;
  const std::uint32_t end = parent.is_listed() ? outline[parent.at].end : 0;
  const bool drops_text = parent.is_listed() && outline[parent.at].drops_text;
  for (const dom::Node* node = parent.node->first_child(); node != nullptr; node = node->next()) {
    if (node->is_text() && !drops_text) on_text(*node);
    if (!node->is_element()) continue;
    if (child >= end || outline[child].node != node) {
      if (!drops_text) on_part(Part{.node = node});
      continue;
    }
    if (outline[child].is_kept) on_part(Part{.node = node, .at = child});
    child = outline[child].end;
  }
}

}  // namespace gossamer::content
