#include "dom/xpath.h"

#include <algorithm>
#include <utility>

#include "dom/xpath_evaluator.h"
#include "dom/xpath_numbers.h"
#include "dom/xpath_parser.h"

namespace gossamer::dom {
namespace {

bool selects_elements(const XPathStep& step) noexcept {
  const bool has_elements = step.axis != XPathAxis::attribute && step.axis != XPathAxis::namespaces;
  return has_elements && step.test <= XPathNodeTest::node;
}

// The operands of a join may be as many as an expression has, but levels are bounded.
bool may_find_elements(const XPathExpression& expression) noexcept {
  switch (expression.kind) {
    case XPathKind::join: return std::ranges::any_of(expression.operands, may_find_elements);
    case XPathKind::filter: return may_find_elements(expression.operands.front());
    case XPathKind::path:
      return !expression.steps.empty() && selects_elements(expression.steps.back());
    default: return expression.type == XPathType::nodes;
  }
}

}  // namespace

std::string to_text(const XPathValue& value) {
  if (const auto* const text = std::get_if<std::string>(&value)) return *text;
  if (const auto* const number = std::get_if<double>(&value)) return to_xpath_text(*number);
  if (const auto* const boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  return {};
}

base::Result<XPath> XPath::compile(std::string_view text) {
  auto program = compile_xpath(text);
  if (!program) return base::fail(std::move(program).error());
  return XPath(std::move(*program));
}

bool XPath::finds_elements() const noexcept { return may_find_elements(program_); }

XPath::Found XPath::evaluate(const Document& document, const Node& from,
                             std::uint64_t steps_max) const {
  XPathEvaluator evaluator(document, steps_max);
  Found found = {.value = evaluator.evaluate(program_, {.node = {.node = &from}})};
  found.steps_left = evaluator.work().left();
  found.is_complete = !evaluator.work().is_exhausted();
  if (!found.is_complete) found.value = XPathNodes();
  return found;
}

}  // namespace gossamer::dom
