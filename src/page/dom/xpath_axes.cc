#include "dom/xpath_axes.h"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>

namespace gossamer::dom {
namespace {

bool is_in_tree(const Node& node) noexcept {
  return node.kind() != Kind::doctype && node.kind() != Kind::content;
}

// The last child that is part of the page.
const Node* last_child_of(const Node& node) noexcept {
  const Node* const last = node.last_child();
  return last != nullptr && last->kind() == Kind::content ? nullptr : last;
}
const Node* first_child_of(const Node& node) noexcept {
  const Node* const first = node.first_child();
  return first != nullptr && first->kind() == Kind::content ? nullptr : first;
}
const Node& root_of(const Node& node) noexcept {
  const Node* root = &node;
  while (root->parent() != nullptr) root = root->parent();
  return *root;
}

// Collects the nodes that a step accepts.
class AxisWalk {
 public:
  AxisWalk(const XPathStep& step, SelectorSteps& steps) : step_(step), steps_(steps) {}

  void walk(const XPathNode& from) {
    const Node& node = *from.node;
    const bool is_attribute = from.attribute != nullptr;
    switch (step_.axis) {
      case XPathAxis::self: visit(from); return;
      case XPathAxis::parent:
        if (const Node* const parent = is_attribute ? &node : node.parent()) visit({parent});
        return;
      case XPathAxis::ancestor: ancestors(is_attribute ? &node : node.parent()); return;
      case XPathAxis::ancestor_or_self:
        visit(from);
        ancestors(is_attribute ? &node : node.parent());
        return;
      case XPathAxis::following: following(node, is_attribute); return;
      case XPathAxis::preceding: preceding(node); return;
      case XPathAxis::descendant_or_self:
        visit(from);
        if (!is_attribute) descendants(node);
        return;
      default: break;
    }
    if (!is_attribute) walk_around(node);
  }
  XPathNodes take() { return std::move(found_); }

 private:
  // The axes that attributes have nothing on.
  void walk_around(const Node& node) {
    switch (step_.axis) {
      case XPathAxis::attribute:
        if (!node.is_element()) return;
        for (const Attribute& attribute : node.attributes()) {
          if (!visit({&node, &attribute})) return;
        }
        return;
      case XPathAxis::child:
        for (const Node* at = first_child_of(node); at != nullptr && visit({at}); at = at->next()) {
        }
        return;
      case XPathAxis::descendant: descendants(node); return;
      case XPathAxis::following_sibling:
        for (const Node* at = node.next(); at != nullptr && visit({at}); at = at->next()) {
        }
        return;
      case XPathAxis::preceding_sibling:
        for (const Node* at = node.previous(); at != nullptr && visit({at}); at = at->previous()) {
        }
        return;
      default: return;
    }
  }
  void ancestors(const Node* node) {
    while (node != nullptr && visit({node})) node = node->parent();
  }
  void descendants(const Node& root) {
    const Node* node = next_in(root, root);
    while (node != nullptr && visit({node})) node = next_in(root, *node);
  }
  // What is in an element follows its attributes.
  void following(const Node& node, bool is_attribute) {
    const Node& root = root_of(node);
    const Node* at = is_attribute ? next_in(root, node) : next_after(root, node);
    while (at != nullptr && visit({at})) at = next_in(root, *at);
  }
  // Backwards; what contains the node does not precede it.
  void preceding(const Node& node) {
    for (const Node* around = &node; around != nullptr; around = around->parent()) {
      for (const Node* top = around->previous(); top != nullptr; top = top->previous()) {
        if (!backwards(*top)) return;
      }
    }
  }
  bool backwards(const Node& top) {
    const Node* at = deepest_last(top);
    while (visit({at})) {
      if (at == &top) return true;
      at = at->previous() == nullptr ? at->parent() : deepest_last(*at->previous());
    }
    return false;
  }
  static const Node* deepest_last(const Node& node) {
    const Node* at = &node;
    while (const Node* const last = last_child_of(*at)) at = last;
    return at;
  }

  // Returns false after the last step.
  bool visit(const XPathNode& at) {
    if (accepts(at)) found_.push_back(at);
    return steps_.take();
  }
  bool accepts(const XPathNode& at) const {
    const Node& node = *at.node;
    if (!is_in_tree(node)) return false;
    const bool is_attribute = at.attribute != nullptr;
    switch (step_.test) {
      case XPathNodeTest::node: return true;
      case XPathNodeTest::text: return !is_attribute && node.is_text();
      case XPathNodeTest::comment: return !is_attribute && node.kind() == Kind::comment;
      case XPathNodeTest::never: return false;
      default: break;
    }
    // The principal type of the axis: attributes on their own one, elements on all others.
    if (is_attribute != (step_.axis == XPathAxis::attribute) || !node.is_element()) return false;
    const std::string_view name = is_attribute ? at.attribute->name() : node.name();
    const std::string& wanted = node.space() == Space::html ? step_.lower_name : step_.name;
    if (step_.test == XPathNodeTest::prefix) return name.starts_with(wanted);
    return step_.test == XPathNodeTest::any_name || name == wanted;
  }

  const XPathStep& step_;
  SelectorSteps& steps_;
  XPathNodes found_;
};

// Returns the innermost node that contains all nodes.
const Node& common_ancestor(const XPathNodes& nodes, SelectorSteps& steps) {
  const Node* common = nodes.front().node;
  for (const XPathNode& one : nodes) {
    while (common->parent() != nullptr && !contains_node(*common, *one.node, steps)) {
      common = common->parent();
    }
  }
  return *common;
}

}  // namespace

bool is_reverse(XPathAxis axis) noexcept {
  return axis == XPathAxis::ancestor || axis == XPathAxis::ancestor_or_self ||
         axis == XPathAxis::preceding || axis == XPathAxis::preceding_sibling;
}

XPathNodes nodes_on_axis(const XPathStep& step, const XPathNode& from, SelectorSteps& steps) {
  AxisWalk axis(step, steps);
  axis.walk(from);
  return axis.take();
}

bool contains_node(const Node& outer, const Node& inner, SelectorSteps& steps) noexcept {
  const Node* node = &inner;
  while (node != nullptr && node != &outer && steps.take()) node = node->parent();
  return node == &outer;
}

void sort_nodes(XPathNodes& nodes, SelectorSteps& steps) {
  if (nodes.size() < 2 || !steps.take(nodes.size())) return;
  std::unordered_set<const void*> marked;
  for (const XPathNode& one : nodes) {
    marked.insert(one.attribute == nullptr ? static_cast<const void*>(one.node) : one.attribute);
  }
  const Node& root = common_ancestor(nodes, steps);
  const bool has_attributes =
      std::ranges::any_of(nodes, [](const XPathNode& one) { return one.attribute != nullptr; });
  nodes.clear();
  for (const Node* node = &root; node != nullptr && steps.take(); node = next_in(root, *node)) {
    if (marked.contains(node)) nodes.push_back({node});
    if (!has_attributes || !node->is_element()) continue;
    for (const Attribute& attribute : node->attributes()) {
      if (steps.take() && marked.contains(&attribute)) nodes.push_back({node, &attribute});
    }
  }
}

std::string string_value(const XPathNode& from, SelectorSteps& steps) {
  const Node& root = *from.node;
  std::string text;
  const auto add = [&](std::string_view piece) {
    if (text.size() + piece.size() > XPath::kTextBytesMax) steps.take_all();
    if (steps.take_bytes(piece.size())) text += piece;
  };
  if (from.attribute != nullptr) {
    add(from.attribute->value());
  } else if (root.is_text() || root.kind() == Kind::comment) {
    add(root.text());
  } else {
    for (const Node* node = &root; node != nullptr && steps.take(); node = next_in(root, *node)) {
      if (node->is_text()) add(node->text());
    }
  }
  return text;
}

}  // namespace gossamer::dom
