// What the tree builder must know of an element, from its name.
#pragma once

#include <cstdint>

#include "dom/nodes.h"

namespace gossamer::dom {

// Returns the traits of an HTML element.
std::uint8_t html_traits(TagId tag) noexcept;
// Sets the traits of a new element of SVG or MathML, which has its attributes.
void set_foreign_traits(Node& element) noexcept;

}  // namespace gossamer::dom
