// The functions of XPath. https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/find_text.h"
#include "dom/selector_states.h"
#include "dom/xpath_axes.h"
#include "dom/xpath_evaluator.h"
#include "dom/xpath_numbers.h"

namespace gossamer::dom {
namespace {

std::string_view name_of(const XPathNode& node) {
  if (node.attribute != nullptr) return node.attribute->name();
  return node.node->is_element() ? node.node->name() : std::string_view();
}

std::string_view namespace_of(const XPathNode& node) {
  if (node.attribute != nullptr || !node.node->is_element()) return {};
  switch (node.node->space()) {
    case Space::html: return "http://www.w3.org/1999/xhtml";
    case Space::svg: return "http://www.w3.org/2000/svg";
    case Space::math: return "http://www.w3.org/1998/Math/MathML";
  }
  return {};
}

}  // namespace

XPathNodes XPathEvaluator::nodes_argument(const XPathExpression& expression,
                                          const XPathContext& context) {
  if (expression.operands.empty()) return {context.node};
  return std::get<XPathNodes>(evaluate(expression.operands.front(), context));
}

std::string XPathEvaluator::text_argument(const XPathExpression& expression, std::size_t at,
                                          const XPathContext& context) {
  if (expression.operands.size() <= at) return string_value(context.node, steps_);
  return to_text(evaluate(expression.operands[at], context));
}

double XPathEvaluator::number_argument(const XPathExpression& expression, std::size_t at,
                                       const XPathContext& context) {
  if (expression.operands.size() <= at)
    return to_xpath_number(text_argument(expression, at, context));
  return to_number(evaluate(expression.operands[at], context));
}

XPathValue XPathEvaluator::call(const XPathExpression& expression, const XPathContext& context) {
  switch (expression.function) {
    case XPathFunction::boolean: return to_boolean(evaluate(expression.operands.front(), context));
    case XPathFunction::negation:
      return !to_boolean(evaluate(expression.operands.front(), context));
    case XPathFunction::truth: return true;
    case XPathFunction::falsehood: return false;
    case XPathFunction::position: return static_cast<double>(context.position);
    case XPathFunction::last: return static_cast<double>(context.size);
    case XPathFunction::number: return number_argument(expression, 0, context);
    case XPathFunction::ceiling: return std::ceil(number_argument(expression, 0, context));
    case XPathFunction::floor: return std::floor(number_argument(expression, 0, context));
    case XPathFunction::round: return round_xpath(number_argument(expression, 0, context));
    case XPathFunction::lang:
      return is_in_language(context.node, text_argument(expression, 0, context));
    case XPathFunction::id: return find_ids(evaluate(expression.operands.front(), context));
    case XPathFunction::count:
    case XPathFunction::sum:
    case XPathFunction::name:
    case XPathFunction::local_name:
    case XPathFunction::namespace_uri: return call_on_nodes(expression, context);
    default: return call_on_texts(expression, context);
  }
}

XPathValue XPathEvaluator::call_on_nodes(const XPathExpression& expression,
                                         const XPathContext& context) {
  const XPathNodes nodes = nodes_argument(expression, context);
  if (expression.function == XPathFunction::count) return static_cast<double>(nodes.size());
  if (expression.function == XPathFunction::sum) {
    double sum = 0;
    for (const XPathNode& node : nodes) {
      if (steps_.is_exhausted()) break;
      sum += to_xpath_number(string_value(node, steps_));
    }
    return sum;
  }
  if (nodes.empty()) return std::string();
  if (expression.function == XPathFunction::namespace_uri) {
    return std::string(namespace_of(nodes.front()));
  }
  std::string_view name = name_of(nodes.front());
  const std::size_t colon = name.find(':');
  const bool is_local = expression.function == XPathFunction::local_name;
  if (is_local && colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return std::string(name);
}

XPathValue XPathEvaluator::call_on_texts(const XPathExpression& expression,
                                         const XPathContext& context) {
  if (expression.function == XPathFunction::concat) return concatenated(expression, context);
  std::string text = text_argument(expression, 0, context);
  if (!steps_.take_bytes(text.size())) return std::string();
  switch (expression.function) {
    case XPathFunction::string: return text;
    case XPathFunction::string_length: return static_cast<double>(xpath_length(text));
    case XPathFunction::normalize_space: return xpath_normalized(text);
    case XPathFunction::substring: {
      const double begin = number_argument(expression, 1, context);
      const double length = expression.operands.size() > 2
                                ? number_argument(expression, 2, context)
                                : std::numeric_limits<double>::infinity();
      return xpath_substring(text, begin, length);
    }
    default: break;
  }
  const std::string other = text_argument(expression, 1, context);
  if (!steps_.take_bytes(other.size())) return std::string();
  switch (expression.function) {
    case XPathFunction::contains: return base::find_text(text, other) != std::string::npos;
    case XPathFunction::starts_with: return text.starts_with(other);
    case XPathFunction::substring_before: {
      const std::size_t at = base::find_text(text, other);
      return at == std::string::npos ? std::string() : text.substr(0, at);
    }
    case XPathFunction::substring_after: {
      const std::size_t at = base::find_text(text, other);
      return at == std::string::npos ? std::string() : text.substr(at + other.size());
    }
    default: return xpath_translate(text, other, text_argument(expression, 2, context));
  }
}

std::string XPathEvaluator::concatenated(const XPathExpression& expression,
                                         const XPathContext& context) {
  std::string all;
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    const std::string text = text_argument(expression, i, context);
    if (all.size() + text.size() > XPath::kTextBytesMax) steps_.take_all();
    if (!steps_.take_bytes(text.size())) return {};
    all += text;
  }
  return all;
}

bool XPathEvaluator::is_in_language(const XPathNode& node, std::string_view range) {
  const Node* element = node.node;
  if (!element->is_element()) element = element->parent();
  return element != nullptr && range != "*" && has_language(*element, range, steps_);
}

// Returns the first element with each of the ids, which white space separates.
XPathNodes XPathEvaluator::find_ids(const XPathValue& value) {
  std::string texts;
  if (const auto* const nodes = std::get_if<XPathNodes>(&value)) {
    for (const XPathNode& node : *nodes) {
      texts.append(string_value(node, steps_)).append(" ");
      if (texts.size() > XPath::kTextBytesMax) steps_.take_all();
      if (steps_.is_exhausted()) return {};
    }
  } else {
    texts = to_text(value);
  }
  const std::string words = xpath_normalized(texts);
  std::unordered_set<std::string_view> ids;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    ids.insert(std::string_view(words).substr(at, end - at));
    at = end + 1;
  }
  XPathNodes found;
  const Node& root = document_.root();
  for (const Node* node = &root; node != nullptr && !ids.empty() && steps_.take();
       node = next_in(root, *node)) {
    const Attribute* const id = node->is_element() ? steps_.find(*node, "id") : nullptr;
    if (id != nullptr && ids.erase(id->value()) > 0) found.push_back({node});
  }
  return found;
}

}  // namespace gossamer::dom
