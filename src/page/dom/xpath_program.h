// A compiled XPath expression.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gossamer::dom {

enum class XPathAxis : std::uint8_t {
  ancestor,
  ancestor_or_self,
  attribute,
  child,
  descendant,
  descendant_or_self,
  following,
  following_sibling,
  namespaces,  // empty: documents have no nodes for namespaces
  parent,
  preceding,
  preceding_sibling,
  self,
};

enum class XPathNodeTest : std::uint8_t {
  any_name,  // *
  prefix,    // svg:*
  name,
  node,     // node()
  text,     // text()
  comment,  // comment()
  never,    // processing-instruction(), which HTML does not have
};

enum class XPathType : std::uint8_t { nodes, number, text, boolean };

enum class XPathOperator : std::uint8_t {
  logical_or,
  logical_and,
  equal,
  unequal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  plus,
  minus,
  times,
  divided,
  modulo,
};

enum class XPathFunction : std::uint8_t {
  boolean,
  ceiling,
  concat,
  contains,
  count,
  falsehood,
  floor,
  id,
  lang,
  last,
  local_name,
  name,
  namespace_uri,
  normalize_space,
  negation,
  number,
  position,
  round,
  starts_with,
  string,
  string_length,
  substring,
  substring_after,
  substring_before,
  sum,
  translate,
  truth,
};

enum class XPathKind : std::uint8_t {
  number,
  literal,
  function,  // operands: the arguments
  chain,     // operands of one precedence, with an operator between each two, from the left
  sign,      // operand 0, multiplied by `number`
  path,      // steps, from operand 0 if there is one
  filter,    // operand 0 and predicates for all its nodes together
  join,      // operands: lists of nodes
};

struct XPathExpression;

struct XPathStep {
  XPathAxis axis = XPathAxis::child;
  XPathNodeTest test = XPathNodeTest::node;
  std::string name = {};        // of a name test, or its prefix with the colon
  std::string lower_name = {};  // the same in lower case, for HTML
  std::vector<XPathExpression> predicates;
};

// One operation. What does not concern its kind is unused.
struct XPathExpression {
  XPathKind kind = XPathKind::path;
  XPathType type = XPathType::nodes;
  XPathFunction function = XPathFunction::truth;
  bool is_absolute = false;    // a path that begins at the root
  bool uses_position = false;  // has position() or last()
  double number = 0;
  std::string text = {};  // of a literal
  std::vector<XPathExpression> operands = {};
  std::vector<XPathOperator> operators = {};
  std::vector<XPathStep> steps = {};
  std::vector<XPathExpression> predicates = {};
};

// Returns whether the value of a predicate depends on where the node is in its list.
inline bool depends_on_position(const XPathExpression& predicate) noexcept {
  return predicate.type == XPathType::number || predicate.uses_position;
}

}  // namespace gossamer::dom
