#include "dom/selector.h"

#include <utility>

#include "dom/selector_matcher.h"
#include "dom/selector_parser.h"

namespace gossamer::dom {

base::Result<Selector> Selector::compile(std::string_view text) {
  auto program = compile_selector(text);
  if (!program) return base::fail(std::move(program).error());
  return Selector(std::move(*program));
}

Selector::Answer Selector::matches(const Document& document, const Node& element,
                                   std::uint64_t steps_max) const {
  SelectorMatcher matcher(program_, document.quirks(), document.root(), steps_max);
  const bool is_match = element.is_element() && matcher.matches(element);
  return {.is_match = is_match, .is_complete = !matcher.is_exhausted()};
}

Selector::First Selector::find_first(const Document& document, const Node& root,
                                     std::uint64_t steps_max) const {
  SelectorMatcher matcher(program_, document.quirks(), root, steps_max);
  for (const Node* node = next_in(root, root); node != nullptr; node = next_in(root, *node)) {
    if (node->is_element() && matcher.matches(*node)) {
      return {.element = node, .steps_left = matcher.steps_left()};
    }
    if (matcher.is_exhausted()) return {.is_complete = false};
  }
  return {.steps_left = matcher.steps_left()};
}

Selector::Found Selector::find_all(const Document& document, const Node& root,
                                   std::uint64_t steps_max) const {
  SelectorMatcher matcher(program_, document.quirks(), root, steps_max);
  Found found;
  for (const Node* node = next_in(root, root); node != nullptr; node = next_in(root, *node)) {
    if (node->is_element() && matcher.matches(*node)) found.elements.push_back(node);
    if (matcher.is_exhausted()) {
      found.is_complete = false;
      break;
    }
  }
  found.steps_left = matcher.steps_left();
  return found;
}

}  // namespace gossamer::dom
