// The words of XPath.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "dom/xpath_program.h"

namespace gossamer::dom {

// BOUND: the operations of one expression.
inline constexpr std::size_t kXPathOperationsMax = 4096;

struct XPathToken {
  std::string_view text;
  XPathOperator value;
  int level;  // of precedence; the lowest is 0
};
inline constexpr int kXPathLastLevel = 5;

struct XPathSignature {
  std::string_view name;
  XPathFunction value;
  XPathType type;
  std::size_t least;  // arguments
  std::size_t most;
  bool takes_nodes = false;
};

// Returns the operator at the beginning of a text; nullptr: there is none. One that is a word may
// be the beginning of a longer name.
const XPathToken* find_xpath_operator(std::string_view text) noexcept;
const XPathSignature* find_xpath_function(std::string_view name) noexcept;
std::optional<XPathAxis> find_xpath_axis(std::string_view name) noexcept;
// Finds the name of a type of nodes, such as text().
std::optional<XPathNodeTest> find_xpath_test(std::string_view name) noexcept;

}  // namespace gossamer::dom
