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

bool Selector::matches(const Document& document, const Node& element) const {
  SelectorMatcher matcher(program_, document.quirks(), document.root(), kStepsMax);
  return element.is_element() && matcher.matches(element);
}

const Node* Selector::find_first(const Document& document) const {
  const Node& root = document.root();
  SelectorMatcher matcher(program_, document.quirks(), root, kStepsMax);
  for (const Node* node = next_in(root, root); node != nullptr; node = next_in(root, *node)) {
    if (node->is_element() && matcher.matches(*node)) return node;
  }
  return nullptr;
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
  return found;
}

}  // namespace gossamer::dom
