// The list of active formatting elements.
// https://html.spec.whatwg.org/#the-list-of-active-formatting-elements
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dom/node.h"

namespace gossamer::dom {

// BOUND: the list holds kEntriesMax entries; the first is dropped for a new one. Real pages have
// far fewer. Every paragraph reopens all entries, so a longer list could multiply the size of a
// page.
class FormattingList {
 public:
  static constexpr std::size_t kEntriesMax = 128;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t size() const noexcept { return entries_.size(); }
  // Returns nullptr for a marker.
  Node* operator[](std::size_t index) const noexcept { return entries_[index].element; }

  // Adds an element. Drops the first of three equal elements after the last marker.
  void push(Node& element);
  void push_marker();
  // Removes everything from the last marker on, or everything.
  void clear_to_marker() noexcept;

  // Returns the position of the last element with this name after the last marker, or kNone.
  std::size_t find_after_marker(TagId tag) const noexcept;
  std::size_t find(const Node& element) const noexcept;
  // Puts an element with the same attributes in the place of another.
  void replace(std::size_t index, Node& element) noexcept { entries_[index].element = &element; }
  // Moves the entry at `from` before the one at `to`.
  void move(std::size_t from, std::size_t to) noexcept;
  void remove_at(std::size_t index) noexcept;
  void remove(const Node& element) noexcept;

 private:
  struct Entry {
    Node* element;
    // Of the attributes, whatever their order. It is computed when an element of the same name
    // follows, which is rare.
    std::optional<std::uint64_t> hash = {};
  };

  static std::uint64_t hash_of(Entry& entry) noexcept;
  void make_room() noexcept;

  std::vector<Entry> entries_;
};

}  // namespace gossamer::dom
