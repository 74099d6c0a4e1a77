// What the class and id of an element say about its contents.
#pragma once

#include <cstdint>

#include "dom/node.h"

namespace gossamer::content {

// The names that authors give to elements are no standard, but many sites use the same words.
struct NameHints {
  bool is_content = false;  // "article-body", "entry", "main"
  bool is_extra = false;    // "sidebar", "comments", "share": hardly ever part of the text
  bool is_weak = false;     // "meta", "tags", "author": not part of the text if it is small
  bool is_comment = false;  // what readers wrote
  int weight = 0;           // like is_content and is_weak, for scores: -25, 0, 25 or sums of these
};

// Time is linear in the names, of which the first 512 bytes count.
NameHints name_hints(const dom::Node& element);

}  // namespace gossamer::content
