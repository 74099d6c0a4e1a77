// Walks of XPath through a tree.
#pragma once

#include <string>

#include "dom/selector_steps.h"
#include "dom/xpath.h"

namespace gossamer::dom {

// Returns whether positions on an axis are counted against document order.
bool is_reverse(XPathAxis axis) noexcept;

// Returns the nodes on the axis of a step that its test accepts, in the order of the axis.
// Predicates are not applied. The list means nothing after the last step.
XPathNodes nodes_on_axis(const XPathStep& step, const XPathNode& from, SelectorSteps& steps);

// Returns whether a node is the other one or contains it.
bool contains_node(const Node& outer, const Node& inner, SelectorSteps& steps) noexcept;
// Brings nodes into document order, each once.
void sort_nodes(XPathNodes& nodes, SelectorSteps& steps);

// Returns the text of a node: of an element, all texts in it. Takes a step for every 64 bytes, and
// all that are left for a text that is too long.
std::string string_value(const XPathNode& node, SelectorSteps& steps);

}  // namespace gossamer::dom
