#include "dom/nodes.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>

#include "base/check.h"
#include "base/hash.h"

namespace gossamer::dom {
namespace {

// Real pages have a tag about every forty bytes, and a node for most of them.
constexpr std::size_t kArenaBytesPerInputByte = 2;
constexpr std::size_t kNamesMin = 64;
constexpr std::size_t kLongTextBytes = std::size_t{2} * 1024 * 1024;

// Differs between processes, so that no page can choose names that all have the same hash.
std::uint64_t name_seed() {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }();
  return seed;
}

}  // namespace

Nodes::Nodes(std::string_view input)
    : input_(input), arena_(input.size() * kArenaBytesPerInputByte) {}

Node& Nodes::make_element(Space space, TagId tag, std::string_view name,
                          std::span<const Attribute> attributes) {
  Node& node = make(Kind::element);
  node.space_ = space;
  node.tag_ = tag;
  const std::string_view* const known = &html::kTagNames[static_cast<std::size_t>(tag)];
  // SVG spells some names with capitals.
  node.name_ =
      tag != TagId::other && (space == Space::html || name == *known) ? known : interned(name);
  set_attributes(node, attributes);
  return node;
}

Node& Nodes::make_comment(std::string_view text) {
  Node& node = make(Kind::comment);
  const std::string_view kept = stored(text);
  node.data_ = kept.data();
  node.size_ = static_cast<std::uint32_t>(kept.size());
  return node;
}

Node& Nodes::make_alike(const Node& element) {
  Node& node = make(Kind::element);
  node.space_ = element.space_;
  node.tag_ = element.tag_;
  node.name_ = element.name_;
  node.data_ = element.data_;
  node.size_ = element.size_;
  node.traits_ = element.traits_;
  clear(node, Trait::open);
  return node;
}

void Nodes::insert(Place place, Node& node) noexcept {
  if (place.before == nullptr) {
    append(*place.parent, node);
    return;
  }
  DCHECK(place.before->parent_ == place.parent);
  node.parent_ = place.parent;
  node.next_ = place.before;
  node.previous_ = place.before->previous_;
  (node.previous_ == nullptr ? place.parent->first_child_ : node.previous_->next_) = &node;
  place.before->previous_ = &node;
}

void Nodes::remove(Node& node) noexcept {
  Node* const parent = node.parent_;
  if (parent == nullptr) return;
  (node.previous_ == nullptr ? parent->first_child_ : node.previous_->next_) = node.next_;
  (node.next_ == nullptr ? parent->last_child_ : node.next_->previous_) = node.previous_;
  node.parent_ = node.next_ = node.previous_ = nullptr;
}

std::size_t Nodes::move_children(Node& from, Node& to) noexcept {
  Node* const first = from.first_child_;
  if (first == nullptr) return 0;
  std::size_t count = 0;
  for (Node* child = first; child != nullptr; child = child->next_) {
    child->parent_ = &to;
    ++count;
  }
  first->previous_ = to.last_child_;
  (to.last_child_ == nullptr ? to.first_child_ : to.last_child_->next_) = first;
  to.last_child_ = from.last_child_;
  from.first_child_ = from.last_child_ = nullptr;
  return count;
}

void Nodes::insert_text(Place place, std::string_view text) {
  Node* const before =
      place.before == nullptr ? place.parent->last_child_ : place.before->previous_;
  if (before != nullptr && before->kind_ == Kind::text) {
    add_text(*before, text);
    return;
  }
  Node& node = make(Kind::text);
  const std::string_view kept = stored(text);
  node.data_ = kept.data();
  node.size_ = static_cast<std::uint32_t>(kept.size());
  insert(place, node);
}

// Text that follows in the input needs no copy. Other text gets twice the room, so that the cost of
// many small additions stays linear. A long text gets half as much again, so that it does not
// exceed the limit of a tree by far.
void Nodes::add_text(Node& node, std::string_view text) {
  const auto* const data = static_cast<const char*>(node.data_);
  if (data + node.size_ == text.data() && is_in_input(node.text()) && is_in_input(text)) {
    node.size_ += static_cast<std::uint32_t>(text.size());
    return;
  }
  const std::size_t size = node.size_ + text.size();
  if (size > node.room_) {
    const std::size_t room = size + (size < kLongTextBytes ? size : size / 2);
    char* const grown = arena_.take<char>(room);
    std::memcpy(grown, data, node.size_);
    node.data_ = grown;
    node.room_ = room;
  }
  char* const end = const_cast<char*>(static_cast<const char*>(node.data_)) + node.size_;
  std::memcpy(end, text.data(), text.size());
  node.size_ = static_cast<std::uint32_t>(size);
}

void Nodes::set_attributes(Node& element, std::span<const Attribute> attributes) noexcept {
  element.data_ = attributes.data();
  element.size_ = static_cast<std::uint32_t>(attributes.size());
}

const std::string_view* Nodes::interned(std::string_view name) {
  const auto slot_of = [this](std::string_view wanted) -> const std::string_view*& {
    std::size_t at = base::hash64(wanted, name_seed()) & (names_.size() - 1);
    while (names_[at] != nullptr && *names_[at] != wanted) at = (at + 1) & (names_.size() - 1);
    return names_[at];
  };
  if (names_.empty()) names_.resize(kNamesMin);
  const std::string_view*& slot = slot_of(name);
  if (slot != nullptr) return slot;
  const auto* const made = new (arena_.take<std::string_view>()) std::string_view(stored(name));
  slot = made;
  if (2 * ++names_count_ > names_.size()) {
    const std::vector<const std::string_view*> old = std::move(names_);
    names_.assign(2 * old.size(), nullptr);
    for (const std::string_view* const one : old) {
      if (one != nullptr) slot_of(*one) = one;
    }
  }
  return made;
}

}  // namespace gossamer::dom
