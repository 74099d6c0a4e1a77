#include "dom/xpath_names.h"

#include <algorithm>
#include <array>

namespace gossamer::dom {
namespace {

using enum XPathOperator;

// Longer ones first.
constexpr auto kXPathOperators = std::to_array<XPathToken>({
    {"and", logical_and, 1},
    {"div", divided, 5},
    {"mod", modulo, 5},
    {"or", logical_or, 0},
    {"!=", unequal, 2},
    {"<=", less_or_equal, 3},
    {">=", greater_or_equal, 3},
    {"=", equal, 2},
    {"<", less, 3},
    {">", greater, 3},
    {"+", plus, 4},
    {"-", minus, 4},
    {"*", times, 5},
});
constexpr std::size_t kAnyNumber = kXPathOperationsMax;
// https://www.w3.org/TR/1999/REC-xpath-19991116/#corelib
constexpr auto kXPathFunctions = std::to_array<XPathSignature>({
    {"boolean", XPathFunction::boolean, XPathType::boolean, 1, 1},
    {"ceiling", XPathFunction::ceiling, XPathType::number, 1, 1},
    {"concat", XPathFunction::concat, XPathType::text, 2, kAnyNumber},
    {"contains", XPathFunction::contains, XPathType::boolean, 2, 2},
    {"count", XPathFunction::count, XPathType::number, 1, 1, true},
    {"false", XPathFunction::falsehood, XPathType::boolean, 0, 0},
    {"floor", XPathFunction::floor, XPathType::number, 1, 1},
    {"id", XPathFunction::id, XPathType::nodes, 1, 1},
    {"lang", XPathFunction::lang, XPathType::boolean, 1, 1},
    {"last", XPathFunction::last, XPathType::number, 0, 0},
    {"local-name", XPathFunction::local_name, XPathType::text, 0, 1, true},
    {"name", XPathFunction::name, XPathType::text, 0, 1, true},
    {"namespace-uri", XPathFunction::namespace_uri, XPathType::text, 0, 1, true},
    {"normalize-space", XPathFunction::normalize_space, XPathType::text, 0, 1},
    {"not", XPathFunction::negation, XPathType::boolean, 1, 1},
    {"number", XPathFunction::number, XPathType::number, 0, 1},
    {"position", XPathFunction::position, XPathType::number, 0, 0},
    {"round", XPathFunction::round, XPathType::number, 1, 1},
    {"starts-with", XPathFunction::starts_with, XPathType::boolean, 2, 2},
    {"string", XPathFunction::string, XPathType::text, 0, 1},
    {"string-length", XPathFunction::string_length, XPathType::number, 0, 1},
    {"substring", XPathFunction::substring, XPathType::text, 2, 3},
    {"substring-after", XPathFunction::substring_after, XPathType::text, 2, 2},
    {"substring-before", XPathFunction::substring_before, XPathType::text, 2, 2},
    {"sum", XPathFunction::sum, XPathType::number, 1, 1, true},
    {"translate", XPathFunction::translate, XPathType::text, 3, 3},
    {"true", XPathFunction::truth, XPathType::boolean, 0, 0},
});

struct XPathAxisName {
  std::string_view name;
  XPathAxis value;
};
constexpr auto kXPathAxes = std::to_array<XPathAxisName>({
    {"ancestor", XPathAxis::ancestor},
    {"ancestor-or-self", XPathAxis::ancestor_or_self},
    {"attribute", XPathAxis::attribute},
    {"child", XPathAxis::child},
    {"descendant", XPathAxis::descendant},
    {"descendant-or-self", XPathAxis::descendant_or_self},
    {"following", XPathAxis::following},
    {"following-sibling", XPathAxis::following_sibling},
    {"namespace", XPathAxis::namespaces},
    {"parent", XPathAxis::parent},
    {"preceding", XPathAxis::preceding},
    {"preceding-sibling", XPathAxis::preceding_sibling},
    {"self", XPathAxis::self},
});

struct XPathTestName {
  std::string_view name;
  XPathNodeTest value;
};
constexpr auto kXPathTests = std::to_array<XPathTestName>({
    {"comment", XPathNodeTest::comment},
    {"node", XPathNodeTest::node},
    {"processing-instruction", XPathNodeTest::never},
    {"text", XPathNodeTest::text},
});

template <class Table>
auto find_xpath_name(const Table& table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Table::value_type::name);
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

const XPathToken* find_xpath_operator(std::string_view text) noexcept {
  const auto found = std::ranges::find_if(
      kXPathOperators, [text](const XPathToken& token) { return text.starts_with(token.text); });
  return found == kXPathOperators.end() ? nullptr : &*found;
}

const XPathSignature* find_xpath_function(std::string_view name) noexcept {
  return find_xpath_name(kXPathFunctions, name);
}

std::optional<XPathAxis> find_xpath_axis(std::string_view name) noexcept {
  const XPathAxisName* const found = find_xpath_name(kXPathAxes, name);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

std::optional<XPathNodeTest> find_xpath_test(std::string_view name) noexcept {
  const XPathTestName* const found = find_xpath_name(kXPathTests, name);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

}  // namespace gossamer::dom
