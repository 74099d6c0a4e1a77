#include "dom/query.h"

namespace gossamer::dom {

base::Result<Query> Query::compile(std::string_view text) {
  if (!text.starts_with(kXPathPrefix)) {
    auto selector = Selector::compile(text);
    if (!selector) return base::fail(std::move(selector).error());
    return Query(std::move(*selector));
  }
  auto path = XPath::compile(text.substr(kXPathPrefix.size()));
  if (!path) return base::fail(std::move(path).error());
  if (!path->finds_elements()) {
    return base::fail(base::Errc::malformed, "XPath: expected an expression for elements");
  }
  return Query(std::move(*path));
}

Query::Found Query::find_all(const Document& document, const Node& root,
                             std::uint64_t steps_max) const {
  if (const auto* const selector = std::get_if<Selector>(&form_)) {
    return selector->find_all(document, root, steps_max);
  }
  const XPath::Found found = std::get<XPath>(form_).evaluate(document, root, steps_max);
  Found all = {.is_complete = found.is_complete, .steps_left = found.steps_left};
  for (const XPathNode& one : std::get<XPathNodes>(found.value)) {
    const bool is_element = one.attribute == nullptr && one.node->is_element();
    if (is_element) all.elements.push_back(one.node);
  }
  return all;
}

}  // namespace gossamer::dom
