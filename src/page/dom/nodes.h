// Makes the nodes of one document and links them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "dom/arena.h"
#include "dom/node.h"

namespace gossamer::dom {

// Owns all nodes of a document, also those that are in no tree. Text from `input` is not copied.
// BORROWS: the input, for as long as the nodes are used.
class Nodes {
 public:
  // Where a node goes: before `before`, or last if that is nullptr.
  struct Place {
    Node* parent = nullptr;
    Node* before = nullptr;
  };

  explicit Nodes(std::string_view input);
  Nodes(Nodes&&) noexcept = default;
  Nodes& operator=(Nodes&&) noexcept = default;

  Node& make(Kind kind) {
    ++count_;
    return *new (arena_.take<Node>()) Node(kind);
  }
  // `name` is that of `tag`, or for TagId::other any name.
  Node& make_element(Space space, TagId tag, std::string_view name,
                     std::span<const Attribute> attributes);
  Node& make_comment(std::string_view text);
  // Returns an element with the same name and attributes, but without children.
  Node& make_alike(const Node& element);

  // REQUIRES: the node has no parent.
  static void append(Node& parent, Node& node) noexcept {
    node.parent_ = &parent;
    node.previous_ = parent.last_child_;
    (parent.last_child_ == nullptr ? parent.first_child_ : parent.last_child_->next_) = &node;
    parent.last_child_ = &node;
  }
  static void insert(Place place, Node& node) noexcept;
  // Takes a node from its parent, if it has one. What is below it stays there.
  static void remove(Node& node) noexcept;
  // Appends all children of `from` to `to`. Returns how many there are.
  static std::size_t move_children(Node& from, Node& to) noexcept;
  // Adds to the text before the place, or makes a new text there.
  void insert_text(Place place, std::string_view text);

  // Returns memory for the attributes of one element.
  Attribute* attribute_room(std::size_t count) { return arena_.take<Attribute>(count); }
  static void set_attributes(Node& element, std::span<const Attribute> attributes) noexcept;
  static void set_traits(Node& element, std::uint8_t traits) noexcept { element.traits_ = traits; }
  static void set(Node& element, Trait trait) noexcept {
    element.traits_ |= static_cast<std::uint8_t>(trait);
  }
  static void clear(Node& element, Trait trait) noexcept {
    element.traits_ &= static_cast<std::uint8_t>(~static_cast<std::uint8_t>(trait));
  }

  // Returns the text itself if it is part of the input, else a copy.
  std::string_view stored(std::string_view text) {
    return is_in_input(text) ? text : arena_.copy(text);
  }

  std::size_t count() const noexcept { return count_; }
  std::size_t bytes_used() const noexcept { return arena_.bytes_used(); }

 private:
  bool is_in_input(std::string_view text) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(text.data());
    return address - reinterpret_cast<std::uintptr_t>(input_.data()) < input_.size();
  }
  void add_text(Node& node, std::string_view text);
  const std::string_view* interned(std::string_view name);

  std::string_view input_;
  Arena arena_;
  std::size_t count_ = 0;
  // Names of elements without a number: a hash table with open addressing.
  std::vector<const std::string_view*> names_;
  std::size_t names_count_ = 0;
};

}  // namespace gossamer::dom
