// The stack of open elements.
// https://html.spec.whatwg.org/#the-stack-of-open-elements
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dom/nodes.h"
#include "dom/tag_set.h"

namespace gossamer::dom {

// Where the search for an open element ends.
// https://html.spec.whatwg.org/#has-an-element-in-the-specific-scope
enum class Scope : std::uint8_t { usual, list_item, button, table };

// BOUND: a search looks at no more than kSearchMax elements, so that a million elements without end
// tags take linear time. An element that is further away is not found.
class OpenElements {
 public:
  static constexpr std::size_t kSearchMax = 512;

  bool empty() const noexcept { return stack_.empty(); }
  std::size_t size() const noexcept { return stack_.size(); }
  Node& operator[](std::size_t index) const noexcept { return *stack_[index].element; }
  // The current node. REQUIRES: not empty.
  Node& current() const noexcept { return *stack_.back().element; }
  bool current_is(TagId tag) const noexcept { return current().is(tag); }
  bool current_is_in(const TagSet& tags) const noexcept { return is_in(current(), tags); }

  // Returns the level of an element in the tree, from 1, or a higher one. It is kDepthMax for those
  // that are deeper. An element that leaves the stack before those in it does not change theirs.
  std::size_t level(std::size_t index) const noexcept { return stack_[index].level; }
  // Returns the level of a new element in the current node.
  std::size_t next_level() const noexcept {
    return stack_.empty() ? 1 : std::min(stack_.back().level + 1, kDepthMax);
  }
  // Returns the last element that is not too deep for children. REQUIRES: not empty.
  Node& deepest_parent() const noexcept;
  // Says that these elements are now in each other, the first of them in the one before it.
  void renumber(std::size_t begin, std::size_t end) noexcept;

  void push(Node& element);
  void pop() noexcept;
  // Pops up to and including an element with this name. REQUIRES: there is one.
  void pop_through(TagId tag) noexcept;
  // The same for one of these names.
  void pop_through(const TagSet& tags) noexcept;
  void pop_through(const Node& element) noexcept;
  // Pops until the current node is one of these elements.
  void pop_to(const TagSet& tags) noexcept;
  // Removes an element from anywhere in the stack.
  void remove(const Node& element) noexcept;
  // Inserts an element that is in the one before it. REQUIRES: there is one.
  void insert(std::size_t index, Node& element);
  void replace(std::size_t index, Node& element) noexcept;
  void remove_at(std::size_t index) noexcept;

  // Returns whether an HTML element of this name is on the stack.
  bool has(TagId tag) const noexcept { return counts_[static_cast<std::size_t>(tag)] != 0; }
  bool has_in_scope(TagId tag, Scope scope = Scope::usual) const noexcept;
  bool has_in_scope(const TagSet& tags, Scope scope = Scope::usual) const noexcept;
  bool has_in_scope(const Node& element) const noexcept;

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Returns the position of an element, or kNone.
  std::size_t find(const Node& element) const noexcept;
  // Returns the position of the last HTML element with this name, or kNone.
  std::size_t find(TagId tag) const noexcept;
  // Returns the lowest position that a search looks at.
  std::size_t search_end() const noexcept {
    return stack_.size() > kSearchMax ? stack_.size() - kSearchMax : 0;
  }

  // Returns how many elements all searches looked at. Rules that search themselves report it.
  std::uint64_t steps() const noexcept { return steps_; }
  void looked_at(std::size_t elements) const noexcept { steps_ += elements; }

  static bool is_in(const Node& element, const TagSet& tags) noexcept {
    return tags.has(element.tag()) && element.space() == Space::html;
  }

 private:
  template <class Matches>
  bool search(Scope scope, Matches matches) const noexcept;
  template <class Matches>
  std::size_t find_if(Matches matches) const noexcept;
  std::uint32_t& count_of(const Node& element) noexcept;

  // INVARIANT: levels do not decrease.
  struct Entry {
    Node* element;
    std::size_t level;
  };
  std::vector<Entry> stack_;
  // By tag, the number of HTML elements on the stack. Most searches are for names without any.
  // Elements of SVG and MathML, and names without a number, count as `other`.
  std::array<std::uint32_t, 256> counts_ = {};
  mutable std::uint64_t steps_ = 0;
};

inline std::uint32_t& OpenElements::count_of(const Node& element) noexcept {
  const TagId counted = element.space() == Space::html ? element.tag() : TagId::other;
  return counts_[static_cast<std::size_t>(counted)];
}

inline void OpenElements::push(Node& element) {
  Nodes::set(element, Trait::open);
  ++count_of(element);
  stack_.push_back({&element, next_level()});
}

inline void OpenElements::pop() noexcept {
  Node& element = *stack_.back().element;
  Nodes::clear(element, Trait::open);
  --count_of(element);
  stack_.pop_back();
}

}  // namespace gossamer::dom
