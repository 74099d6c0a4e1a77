// Comparisons of XPath. https://www.w3.org/TR/1999/REC-xpath-19991116/#booleans
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_set>
#include <utility>

#include "dom/xpath_axes.h"
#include "dom/xpath_evaluator.h"
#include "dom/xpath_numbers.h"

namespace gossamer::dom {
namespace {

using enum XPathOperator;

bool is_equality(XPathOperator operation) { return operation == equal || operation == unequal; }

template <class Value>
bool holds(XPathOperator operation, const Value& left, const Value& right) {
  switch (operation) {
    case equal: return left == right;
    case unequal: return left != right;
    case less: return left < right;
    case less_or_equal: return left <= right;
    case greater: return left > right;
    default: return left >= right;
  }
}

// The same comparison with its sides exchanged.
XPathOperator exchanged(XPathOperator operation) {
  switch (operation) {
    case less: return greater;
    case less_or_equal: return greater_or_equal;
    case greater: return less;
    case greater_or_equal: return less_or_equal;
    default: return operation;
  }
}

// The least and the greatest number of a list. Texts that are not numbers match nothing.
struct NumberRange {
  double least = std::numeric_limits<double>::quiet_NaN();
  double greatest = std::numeric_limits<double>::quiet_NaN();

  void add(double number) {
    if (std::isnan(number)) return;
    if (!(least <= number)) least = number;
    if (!(greatest >= number)) greatest = number;
  }
};

}  // namespace

bool XPathEvaluator::compare(XPathOperator operation, const XPathValue& left,
                             const XPathValue& right) {
  const auto* const nodes = std::get_if<XPathNodes>(&left);
  const auto* const others = std::get_if<XPathNodes>(&right);
  if (nodes != nullptr && others != nullptr) return compare_lists(operation, *nodes, *others);
  if (nodes != nullptr) return compare_list(operation, *nodes, right);
  if (others != nullptr) return compare_list(exchanged(operation), *others, left);
  const auto has_type = [&]<class Type>(const Type&) {
    return std::holds_alternative<Type>(left) || std::holds_alternative<Type>(right);
  };
  if (is_equality(operation) && has_type(bool())) {
    return holds(operation, to_boolean(left), to_boolean(right));
  }
  if (is_equality(operation) && !has_type(double())) {
    return holds(operation, to_text(left), to_text(right));
  }
  return holds(operation, to_number(left), to_number(right));
}

// Returns whether the comparison holds for any node.
bool XPathEvaluator::compare_list(XPathOperator operation, const XPathNodes& list,
                                  const XPathValue& other) {
  if (std::holds_alternative<bool>(other)) {
    return holds(operation, list.empty() ? 0.0 : 1.0, to_number(other));
  }
  const bool compares_texts = is_equality(operation) && std::holds_alternative<std::string>(other);
  const double number = compares_texts ? 0 : to_number(other);
  return std::ranges::any_of(list, [&](const XPathNode& node) {
    const std::string text = string_value(node, steps_);
    if (steps_.is_exhausted()) return true;
    return compares_texts ? holds(operation, text, std::get<std::string>(other))
                          : holds(operation, to_xpath_number(text), number);
  });
}

// Returns whether it holds for any pair, in linear time.
bool XPathEvaluator::compare_lists(XPathOperator operation, const XPathNodes& left,
                                   const XPathNodes& right) {
  if (left.empty() || right.empty()) return false;
  if (!is_equality(operation)) {
    NumberRange ranges[2];
    for (const XPathNode& node : left) ranges[0].add(to_xpath_number(string_value(node, steps_)));
    for (const XPathNode& node : right) ranges[1].add(to_xpath_number(string_value(node, steps_)));
    const bool wants_less = operation == less || operation == less_or_equal;
    return wants_less ? holds(operation, ranges[0].least, ranges[1].greatest)
                      : holds(operation, ranges[0].greatest, ranges[1].least);
  }
  std::unordered_set<std::string> texts;
  std::size_t bytes = 0;
  for (const XPathNode& node : left) {
    std::string text = string_value(node, steps_);
    bytes += text.size();
    if (bytes > XPath::kTextBytesMax) steps_.take_all();
    if (steps_.is_exhausted()) return false;
    texts.insert(std::move(text));
  }
  // Different texts on one side differ from anything on the other.
  if (operation == unequal && texts.size() > 1) return true;
  return std::ranges::any_of(right, [&](const XPathNode& node) {
    return texts.contains(string_value(node, steps_)) == (operation == equal);
  });
}

}  // namespace gossamer::dom
