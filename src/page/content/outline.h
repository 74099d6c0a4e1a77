// The elements of a page as a list, with what a score needs to know about each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "content/name_hints.h"
#include "dom/document.h"

namespace gossamer::content {

// What is below an element, without the parts that were left out.
struct Counts {
  std::uint32_t text = 0;        // bytes, with white space collapsed
  std::uint32_t link_text = 0;   // of these, in links
  std::uint32_t commas = 0;      // in any script
  std::uint32_t headings = 0;    // text of headings
  std::uint32_t lists = 0;       // text of lists
  std::uint32_t paragraphs = 0;  // <p>
  std::uint32_t items = 0;       // <li>
  std::uint32_t images = 0;
  std::uint32_t inputs = 0;
  std::uint32_t blocks = 0;

  Counts& operator+=(const Counts& other) noexcept;
  double link_density() const noexcept;
};

struct OutlineItem {
  const dom::Node* node = nullptr;
  std::uint32_t parent = 0;  // its place in the list
  std::uint32_t end = 0;     // the place after the last element below it
  Counts own;                // of the element itself and its texts
  Counts all;                // with everything below it
  NameHints hints;
  html::TagId tag = html::TagId::other;  // of the node, which is further away in memory
  bool is_html = true;
  bool has_extra_role = false;  // says that it is hardly ever content
  bool has_property = false;    // of microdata
  bool is_kept = true;
  bool drops_text = false;  // its own texts and inline elements are left out
  bool is_stale = false;    // `all` must be counted again
  bool is_changed = false;  // `all` is not what it was when the outline was made

  // Returns whether it is this element of HTML. REQUIRES: a name with a number.
  bool is(html::TagId wanted) const noexcept { return tag == wanted && is_html; }
};

// BOUND: the rest of a page with more elements is left out.
inline constexpr std::size_t kOutlineItemsMax = 65'536;

inline constexpr std::uint32_t kNoItem = std::numeric_limits<std::uint32_t>::max();

// The elements below <body> in document order. Scripts, fields of forms, hidden elements and
// navigation are left out. BORROWS: the document.
class Outline {
 public:
  explicit Outline(const dom::Document& document);
  // The same for one element, whatever it is, and the elements below it.
  explicit Outline(const dom::Node& element);

  std::size_t size() const noexcept { return items_.size(); }
  // Returns whether the page has more elements than the bound.
  bool is_truncated() const noexcept { return is_truncated_; }
  OutlineItem& operator[](std::size_t at) noexcept { return items_[at]; }
  const OutlineItem& operator[](std::size_t at) const noexcept { return items_[at]; }
  // Calls `is_dropped(place)` for each element below `root`, after all elements below it, and
  // leaves out those for which it is true, with everything below them. The counts from `root` on
  // are those of what is left; those around it are counted when something around it is pruned.
  // Time is linear; what is around elements that were left out is counted again.
  template <class Test>
  void prune(std::uint32_t root, Test is_dropped) {
    bool is_any_dropped = false;
    for (std::uint32_t at = items_[root].end; at-- > root;) {
      OutlineItem& item = items_[at];
      if (!item.is_kept) continue;
      bool is_stale = item.is_stale;
      if (is_stale) count_again(at);
      if (at != root && is_dropped(at)) {
        item.is_kept = false;
        is_stale = is_any_dropped = true;
      }
      if (is_stale && item.parent != kNoItem) items_[item.parent].is_stale = true;
    }
    if (is_any_dropped) drop_below(root);
  }
  // Leaves out elements that are hardly ever content by their names, roles and tags. An element
  // with most of the text stays, except for what readers wrote.
  void drop_extras();
  // Takes back everything that was left out since the outline was made.
  void restore();
  // Leaves out all text but that of some elements: their text nodes and inline elements. What has
  // no text stays in the elements around them, and so do the cells of a row. REQUIRES: nothing was
  // left out. It cannot be taken back.
  void keep_text_of(const std::vector<bool>& is_chosen);
  // Calls `on_text(node)` and `on_element(place)` for each child that is kept, in order.
  template <class OnText, class OnElement>
  void for_each_child(std::uint32_t at, OnText on_text, OnElement on_element) const {
    std::uint32_t child = at + 1;
    for (const dom::Node* node = items_[at].node->first_child(); node != nullptr;
         node = node->next()) {
      if (node->is_text() && !items_[at].drops_text) on_text(*node);
      if (child >= items_[at].end || items_[child].node != node) continue;
      if (items_[child].is_kept) on_element(child);
      child = items_[child].end;
    }
  }

 private:
  void add_elements(const dom::Node& top);
  void count_all() noexcept;
  void count_again(std::uint32_t at) noexcept;
  void add_to_parent(std::uint32_t at) noexcept;
  void drop_below(std::uint32_t root) noexcept;

  std::vector<OutlineItem> items_;
  bool is_truncated_ = false;
};

// Counts the bytes and commas of a text.
struct TextSize {
  std::uint32_t bytes = 0;
  std::uint32_t commas = 0;
};
TextSize text_size(std::string_view text) noexcept;

}  // namespace gossamer::content
