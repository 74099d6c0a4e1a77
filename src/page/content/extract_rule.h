// The rules of `extract`: which field has the value of which element.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "dom/selector.h"
#include "dom/xpath.h"

namespace gossamer::content {

// One field. Text: `name=selector`, `name=selector@attribute`, `name[]=selector`,
// `name=xpath:expression`.
struct ExtractRule {
  std::string name = {};
  std::variant<dom::Selector, dom::XPath> source;
  std::string attribute = {};  // with a selector, in lower case; empty: the text of the element
  bool is_list = false;        // all matches
  bool is_scope = false;       // the selector is ":scope": an item is the element itself
};

// BOUND: rules of one page, and the bytes of a name.
inline constexpr std::size_t kExtractRulesMax = 100;
inline constexpr std::size_t kExtractNameBytesMax = 64;

// Reads rules separated by semicolons: "title=h1; next=a.next@href". A semicolon in quotes,
// brackets or parentheses is part of a selector. Fails with Errc::invalid_argument and a detail
// that names the rule.
Result<std::vector<ExtractRule>> parse_extract_rules(std::string_view text);
// The same, for rules in several texts. After a failure, some may have been added.
Result<void> add_extract_rules(std::string_view text, std::vector<ExtractRule>& rules);

}  // namespace gossamer::content
