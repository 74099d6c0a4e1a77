#include "dom/adoption.h"

namespace gossamer::dom {
namespace {

constexpr int kOuterLoopMax = 8;
constexpr int kInnerLoopMax = 3;

// Returns the position of the first special element after `formatting`, or kNone.
std::size_t furthest_block(const OpenElements& open, std::size_t formatting) noexcept {
  for (std::size_t i = formatting + 1; i < open.size(); ++i) {
    open.looked_at(1);
    if (open[i].has(Trait::special)) return i;
  }
  return OpenElements::kNone;
}

// Puts copies of the formatting elements between the two positions around the furthest block.
// Returns the outermost node. `bookmark` is a position in the formatting list.
Node& wrap(Builder& tree, std::size_t formatting, std::size_t block_at, std::size_t* bookmark) {
  Node& block = tree.open[block_at];
  Node* last = &block;
  int steps = 0;
  for (std::size_t at = block_at - 1; at > formatting; --at) {
    ++steps;
    tree.open.looked_at(1);
    std::size_t entry = tree.formatting.find(tree.open[at]);
    if (steps > kInnerLoopMax && entry != FormattingList::kNone) {
      tree.formatting.remove_at(entry);
      if (entry < *bookmark) --*bookmark;
      entry = FormattingList::kNone;
    }
    if (entry == FormattingList::kNone) {
      tree.open.remove_at(at);
      continue;
    }
    Node& copy = tree.nodes().make_alike(tree.open[at]);
    tree.formatting.replace(entry, copy);
    tree.open.replace(at, copy);
    if (last == &block) *bookmark = entry + 1;
    Nodes::remove(*last);
    Nodes::append(copy, *last);
    last = &copy;
  }
  return *last;
}

// Moves the furthest block, and what is between it and the formatting element, out of the
// formatting element.
void move_out(Builder& tree, std::size_t entry, std::size_t formatting, std::size_t block_at) {
  Node& formatting_element = *tree.formatting[entry];
  Node& block = tree.open[block_at];
  std::size_t bookmark = entry;
  Node& last = wrap(tree, formatting, block_at, &bookmark);
  Nodes::remove(last);
  Nodes::insert(tree.place_for_element(formatting - 1), last);
  Node& copy = tree.nodes().make_alike(formatting_element);
  tree.open.looked_at(Nodes::move_children(block, copy));
  Nodes::append(block, copy);
  const std::size_t old = tree.formatting.find(formatting_element);
  tree.formatting.replace(old, copy);
  tree.formatting.move(old, bookmark);
  tree.open.remove_at(formatting);
  const std::size_t block_now = tree.open.find(block);
  tree.open.renumber(formatting, block_now + 1);
  tree.open.insert(block_now + 1, copy);
}

}  // namespace

bool adopt(Builder& tree, TagId subject) {
  OpenElements& open = tree.open;
  FormattingList& list = tree.formatting;
  if (open.current_is(subject) && list.find(open.current()) == FormattingList::kNone) {
    open.pop();
    return true;
  }
  for (int i = 0; i < kOuterLoopMax; ++i) {
    const std::size_t entry = list.find_after_marker(subject);
    if (entry == FormattingList::kNone) return false;
    Node& element = *list[entry];
    const std::size_t at = open.find(element);
    if (at == OpenElements::kNone) {
      list.remove_at(entry);
      return true;
    }
    if (!open.has_in_scope(element)) return true;
    const std::size_t block = furthest_block(open, at);
    if (block == OpenElements::kNone) {
      open.pop_through(element);
      list.remove_at(entry);
      return true;
    }
    move_out(tree, entry, at, block);
  }
  return true;
}

}  // namespace gossamer::dom
