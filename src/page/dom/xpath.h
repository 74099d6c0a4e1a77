// XPath 1.0 for trees.
//
//   const auto path = dom::XPath::compile("//tr[td = 'Total']/td[last()]");
//   const dom::XPath::Found found = path->evaluate(document, document.root());
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "dom/document.h"
#include "dom/xpath_program.h"

namespace gossamer::dom {

// A node of the tree, or an attribute of it.
struct XPathNode {
  const Node* node = nullptr;
  const Attribute* attribute = nullptr;  // nullptr: the node itself

  friend bool operator==(const XPathNode&, const XPathNode&) = default;
};
// In document order, each once.
using XPathNodes = std::vector<XPathNode>;
using XPathValue = std::variant<XPathNodes, double, std::string, bool>;

// Returns a number, a text or a truth value as text, and of nodes nothing.
std::string to_text(const XPathValue& value);

// All of XPath 1.0 but variables. Names are as in a page: those of HTML in any case, "xlink:href"
// with its prefix. Namespaces are not distinguished. The doctype and the contents of templates are
// not part of the tree. https://www.w3.org/TR/1999/REC-xpath-19991116/
class XPath {
 public:
  struct Found {
    XPathValue value;
    bool is_complete = true;  // false: the search reached its limit, and there is no value
    std::uint64_t steps_left = 0;
  };
  // BOUND: the steps of one evaluation: nodes, operations, and every 64 bytes of a text.
  static constexpr std::uint64_t kStepsMax = 200'000'000;
  // BOUND: nodes that one part of a path finds, and those of all lists that '|' joins.
  static constexpr std::size_t kNodesMax = std::size_t{1024} * 1024;
  // BOUND: bytes of a text that is computed, and of the texts that a comparison of two lists holds.
  static constexpr std::size_t kTextBytesMax = std::size_t{4} * 1024 * 1024;

  // Fails with Errc::malformed, or with Errc::over_limit for an expression that is too long or
  // nested too deeply.
  static base::Result<XPath> compile(std::string_view text);

  // Returns whether the value is a list of nodes.
  bool finds_nodes() const noexcept { return program_.type == XPathType::nodes; }
  // Returns whether elements can be in that list, unlike in that of "//a/@href".
  bool finds_elements() const noexcept;
  // `from` is any node of the document that next_in() visits: the context node.
  Found evaluate(const Document& document, const Node& from,
                 std::uint64_t steps_max = kStepsMax) const;

 private:
  explicit XPath(XPathExpression program) : program_(std::move(program)) {}

  XPathExpression program_;
};

}  // namespace gossamer::dom
