// Selects elements by CSS or by XPath.
//
//   const auto cards = dom::Query::compile("xpath://div[h2 = 'Offers']//li");
//   for (const dom::Node* card : cards->find_all(document, document.root()).elements) ...
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "dom/document.h"
#include "dom/selector.h"
#include "dom/xpath.h"

namespace gossamer::dom {

// An expression of XPath has this before it.
inline constexpr std::string_view kXPathPrefix = "xpath:";

class Query {
 public:
  // Elements in document order.
  using Found = Selector::Found;

  // Fails like Selector and XPath, and for an expression that cannot find elements.
  static base::Result<Query> compile(std::string_view text);

  // Searches below `root` by CSS, and from `root` by XPath. Texts and attributes are left out.
  // BOUND: the steps of the search.
  Found find_all(const Document& document, const Node& root,
                 std::uint64_t steps_max = Selector::kStepsMax) const;

 private:
  using Form = std::variant<Selector, XPath>;
  explicit Query(Form form) : form_(std::move(form)) {}

  Form form_;
};

}  // namespace gossamer::dom
