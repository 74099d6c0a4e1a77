// Computes the value of a compiled XPath expression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dom/selector_steps.h"
#include "dom/xpath.h"

namespace gossamer::dom {

// What an expression is about.
struct XPathContext {
  XPathNode node;
  std::size_t position = 1;
  std::size_t size = 1;
};

// One evaluation. Values mean nothing after the last step. BORROWS: the document.
class XPathEvaluator {
 public:
  XPathEvaluator(const Document& document, std::uint64_t steps_max)
      : document_(document), steps_(steps_max) {}

  // Nesting is bounded by the parser, so this may be recursive.
  XPathValue evaluate(const XPathExpression& expression, const XPathContext& context);
  const SelectorSteps& work() const noexcept { return steps_; }

 private:
  XPathValue chain(const XPathExpression& expression, const XPathContext& context);
  XPathValue logical(const XPathExpression& expression, const XPathContext& context);
  XPathNodes path(const XPathExpression& expression, const XPathContext& context);
  XPathNodes filtered(const XPathExpression& expression, const XPathContext& context);
  XPathNodes joined(const XPathExpression& expression, const XPathContext& context);
  XPathNodes take_step(const XPathStep& step, const XPathNodes& from);
  bool is_flat(const XPathNodes& nodes);
  void filter(XPathNodes& nodes, const std::vector<XPathExpression>& predicates);

  XPathValue call(const XPathExpression& expression, const XPathContext& context);
  XPathValue call_on_nodes(const XPathExpression& expression, const XPathContext& context);
  XPathValue call_on_texts(const XPathExpression& expression, const XPathContext& context);
  XPathNodes find_ids(const XPathValue& value);
  bool is_in_language(const XPathNode& node, std::string_view range);
  std::string concatenated(const XPathExpression& expression, const XPathContext& context);

  // The argument of a function, or what the function takes without one.
  XPathNodes nodes_argument(const XPathExpression& expression, const XPathContext& context);
  std::string text_argument(const XPathExpression& expression, std::size_t at,
                            const XPathContext& context);
  double number_argument(const XPathExpression& expression, std::size_t at,
                         const XPathContext& context);

  bool compare(XPathOperator operation, const XPathValue& left, const XPathValue& right);
  bool compare_lists(XPathOperator operation, const XPathNodes& left, const XPathNodes& right);
  bool compare_list(XPathOperator operation, const XPathNodes& list, const XPathValue& other);

  std::string to_text(const XPathValue& value);
  double to_number(const XPathValue& value);
  static bool to_boolean(const XPathValue& value);

  const Document& document_;
  SelectorSteps steps_;
};

}  // namespace gossamer::dom
