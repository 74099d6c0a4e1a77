// Lists of a page: their numbers, and how close their items are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "content/outline.h"

namespace gossamer::content {

// Returns whether there is one paragraph in each item at most, with lists after it, so that no
// empty lines are needed between items.
bool is_tight_list(const Outline& outline, std::uint32_t at);

// Returns whether an element begins with text, not with a list, code or a heading.
bool begins_with_text(const Outline& outline, std::uint32_t at);

// The numbers of items, by the attributes `start`, `reversed` and `value`.
class ListNumbers {
 public:
  ListNumbers(const Outline& outline, std::uint32_t list);

  // Goes to the next item. Returns whether its number is not the one after the last.
  bool begin_item(const dom::Node* item);
  std::size_t number() const noexcept { return number_; }

 private:
  std::size_t number_ = 0;
  std::size_t next_ = 1;
  bool is_reversed_ = false;
  bool is_first_ = true;
};

}  // namespace gossamer::content
