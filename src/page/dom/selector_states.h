// What pseudo-classes and attribute selectors must know of HTML.
#pragma once

#include <string_view>

#include "dom/node.h"
#include "dom/selector_steps.h"

namespace gossamer::dom {

// Returns whether values of this attribute are compared without regard to case.
// https://html.spec.whatwg.org/#case-sensitivity-of-selectors
bool ignores_case_of(std::string_view attribute) noexcept;

// These count their work. They mean nothing after the last step.
//
// Returns whether the language of an element is in this range: "de" contains "de-AT".
bool has_language(const Node& element, std::string_view range, SelectorSteps& steps) noexcept;
// Returns whether there are no elements and no text in an element.
bool is_empty(const Node& element, SelectorSteps& steps) noexcept;
bool is_link(const Node& element, SelectorSteps& steps) noexcept;
bool is_checked(const Node& element, SelectorSteps& steps) noexcept;
// https://html.spec.whatwg.org/#concept-element-disabled
bool is_disabled(const Node& element, SelectorSteps& steps) noexcept;

// Returns whether an element can be enabled or disabled.
bool is_control(const Node& element) noexcept;

}  // namespace gossamer::dom
