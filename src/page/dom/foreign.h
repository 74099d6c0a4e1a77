// Elements of SVG and MathML within a page.
// https://html.spec.whatwg.org/#parsing-main-inforeign
#pragma once

#include <span>
#include <string_view>

#include "dom/node.h"

namespace gossamer::dom {

// Returns the name of an SVG element in its own case. `name` is in lower case.
std::string_view svg_name(std::string_view name) noexcept;

// Gives the attributes of an element their own case and namespaces. They are changed in place.
std::span<const Attribute> adjusted_attributes(Space space, std::span<Attribute> attributes);

}  // namespace gossamer::dom
