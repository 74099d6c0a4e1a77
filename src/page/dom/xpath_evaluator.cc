#include "dom/xpath_evaluator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dom/xpath_axes.h"
#include "dom/xpath_numbers.h"

namespace gossamer::dom {
namespace {

using enum XPathOperator;

double calculate(XPathOperator operation, double left, double right) {
  switch (operation) {
    case plus: return left + right;
    case minus: return left - right;
    case times: return left * right;
    case divided: return left / right;
    default: return std::fmod(left, right);
  }
}

bool is_calculation(XPathOperator operation) { return operation >= plus; }

}  // namespace

XPathValue XPathEvaluator::evaluate(const XPathExpression& expression,
                                    const XPathContext& context) {
  if (!steps_.take()) return XPathNodes();
  switch (expression.kind) {
    case XPathKind::number: return expression.number;
    case XPathKind::literal:
      return steps_.take_bytes(expression.text.size()) ? expression.text : std::string();
    case XPathKind::function: return call(expression, context);
    case XPathKind::chain: return chain(expression, context);
    case XPathKind::sign:
      return expression.number * to_number(evaluate(expression.operands.front(), context));
    case XPathKind::path: return path(expression, context);
    case XPathKind::filter: return filtered(expression, context);
    case XPathKind::join: return joined(expression, context);
  }
  return XPathNodes();
}

XPathValue XPathEvaluator::chain(const XPathExpression& expression, const XPathContext& context) {
  const XPathOperator first = expression.operators.front();
  if (first == logical_or || first == logical_and) return logical(expression, context);
  XPathValue result = evaluate(expression.operands.front(), context);
  for (std::size_t i = 0; i < expression.operators.size() && !steps_.is_exhausted(); ++i) {
    const XPathOperator operation = expression.operators[i];
    const XPathValue right = evaluate(expression.operands[i + 1], context);
    if (is_calculation(operation)) {
      result = calculate(operation, to_number(result), to_number(right));
    } else {
      result = compare(operation, result, right);
    }
  }
  return result;
}

// The rest is not evaluated when the result is known.
XPathValue XPathEvaluator::logical(const XPathExpression& expression, const XPathContext& context) {
  const bool is_or = expression.operators.front() == logical_or;
  for (const XPathExpression& operand : expression.operands) {
    if (to_boolean(evaluate(operand, context)) == is_or) return is_or;
  }
  return !is_or;
}

XPathNodes XPathEvaluator::path(const XPathExpression& expression, const XPathContext& context) {
  XPathNodes nodes;
  if (!expression.operands.empty()) {
    nodes = std::get<XPathNodes>(evaluate(expression.operands.front(), context));
  } else if (expression.is_absolute) {
    nodes.push_back({&document_.root()});
  } else {
    nodes.push_back(context.node);
  }
  for (const XPathStep& step : expression.steps) {
    if (nodes.empty() || steps_.is_exhausted()) return {};
    nodes = take_step(step, nodes);
  }
  return nodes;
}

XPathNodes XPathEvaluator::take_step(const XPathStep& step, const XPathNodes& from) {
  const bool goes_down =
      step.axis == XPathAxis::descendant || step.axis == XPathAxis::descendant_or_self;
  const bool is_walked_once =
      goes_down && std::ranges::none_of(step.predicates, depends_on_position) &&
      std::ranges::none_of(from, [](const XPathNode& one) { return one.attribute != nullptr; });
  const bool keeps_order = from.size() == 1 || is_walked_once || step.axis == XPathAxis::self ||
                           step.axis == XPathAxis::attribute ||
                           ((step.axis == XPathAxis::child || goes_down) && is_flat(from));
  XPathNodes nodes;
  const Node* walked = nullptr;  // all below it was visited
  for (const XPathNode& one : from) {
    if (steps_.is_exhausted()) break;
    if (is_walked_once && walked != nullptr && contains_node(*walked, *one.node, steps_)) continue;
    XPathNodes found = nodes_on_axis(step, one, steps_);
    filter(found, step.predicates);
    if (is_reverse(step.axis)) std::ranges::reverse(found);
    nodes.insert(nodes.end(), found.begin(), found.end());
    walked = one.node;
    // The same nodes may be found from many.
    if (nodes.size() > XPath::kNodesMax) steps_.take_all();
  }
  if (!keeps_order) sort_nodes(nodes, steps_);
  return nodes;
}

// Returns whether no node is in another one. They are in document order.
bool XPathEvaluator::is_flat(const XPathNodes& nodes) {
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    if (contains_node(*nodes[i - 1].node, *nodes[i].node, steps_)) return false;
  }
  return true;
}

void XPathEvaluator::filter(XPathNodes& nodes, const std::vector<XPathExpression>& predicates) {
  for (const XPathExpression& predicate : predicates) {
    std::size_t position = 0;
    const std::size_t size = nodes.size();
    std::erase_if(nodes, [&](const XPathNode& node) {
      ++position;
      if (steps_.is_exhausted()) return true;
      const XPathValue value =
          evaluate(predicate, {.node = node, .position = position, .size = size});
      const double* const number = std::get_if<double>(&value);
      return number == nullptr ? !to_boolean(value) : *number != static_cast<double>(position);
    });
  }
}

XPathNodes XPathEvaluator::filtered(const XPathExpression& expression,
                                    const XPathContext& context) {
  auto nodes = std::get<XPathNodes>(evaluate(expression.operands.front(), context));
  filter(nodes, expression.predicates);
  return nodes;
}

XPathNodes XPathEvaluator::joined(const XPathExpression& expression, const XPathContext& context) {
  XPathNodes all;
  for (const XPathExpression& operand : expression.operands) {
    const auto nodes = std::get<XPathNodes>(evaluate(operand, context));
    all.insert(all.end(), nodes.begin(), nodes.end());
    if (all.size() > XPath::kNodesMax) steps_.take_all();
    if (steps_.is_exhausted()) return {};
  }
  sort_nodes(all, steps_);
  return all;
}

std::string XPathEvaluator::to_text(const XPathValue& value) {
  const auto* const nodes = std::get_if<XPathNodes>(&value);
  if (nodes == nullptr) return dom::to_text(value);
  return nodes->empty() ? std::string() : string_value(nodes->front(), steps_);
}

double XPathEvaluator::to_number(const XPathValue& value) {
  if (const auto* const number = std::get_if<double>(&value)) return *number;
  if (const auto* const boolean = std::get_if<bool>(&value)) return *boolean ? 1 : 0;
  return to_xpath_number(to_text(value));
}

bool XPathEvaluator::to_boolean(const XPathValue& value) {
  if (const auto* const boolean = std::get_if<bool>(&value)) return *boolean;
  if (const auto* const text = std::get_if<std::string>(&value)) return !text->empty();
  if (const auto* const number = std::get_if<double>(&value)) {
    return *number != 0 && !std::isnan(*number);
  }
  return !std::get<XPathNodes>(value).empty();
}

}  // namespace gossamer::dom
