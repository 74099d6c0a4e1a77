#include "dom/node.h"

#include "base/check.h"

namespace gossamer::dom {

const Attribute* Node::find(AttributeId id) const noexcept {
  for (const Attribute& attribute : attributes()) {
    if (attribute.id() == id) return &attribute;
  }
  return nullptr;
}

const Attribute* Node::find(std::string_view name) const noexcept {
  for (const Attribute& attribute : attributes()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

std::string_view Node::value(AttributeId id) const noexcept {
  const Attribute* const found = find(id);
  return found == nullptr ? std::string_view() : found->value();
}

const Node* next_in(const Node& root, const Node& node) noexcept {
  const Node* const child = node.first_child();
  if (child != nullptr && child->kind() != Kind::content) return child;
  return next_after(root, node);
}

const Node* next_after(const Node& root, const Node& node) noexcept {
  for (const Node* at = &node; at != &root; at = at->parent()) {
    CHECK(at != nullptr, "the node is not below the root of the walk");
    if (at->next() != nullptr) return at->next();
  }
  return nullptr;
}

}  // namespace gossamer::dom
