// CSS selectors for trees.
//
//   const auto selector = dom::Selector::compile("article > p:not(.note) a[href^='https:']");
//   for (const dom::Node* link : selector->find_all(document).elements) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dom/document.h"
#include "dom/selector_program.h"

namespace gossamer::dom {

// Selectors of level 3, and of level 4 :is(), :where(), :not() and :has() with lists, and
// :nth-child(... of S). A document is not in use, so :hover, :focus, :visited and the like match
// nothing. Pseudo-elements, namespaces other than *| and unknown names are errors. Attributes with
// a namespace have their whole name: [xlink\:href]. https://drafts.csswg.org/selectors-4/
class Selector {
 public:
  // Elements in document order, without those in templates.
  struct Found {
    std::vector<const Node*> elements;
    bool is_complete = true;  // false: the search reached its limit
    std::uint64_t steps_left = 0;
  };
  struct First {
    const Node* element = nullptr;  // nullptr if there is none
    bool is_complete = true;
    std::uint64_t steps_left = 0;
  };
  struct Answer {
    bool is_match = false;
    bool is_complete = true;
  };
  // BOUND: the steps of one search: nodes, conditions, and every 64 bytes of a value. :has() and
  // sibling combinators look at a node more than once.
  static constexpr std::uint64_t kStepsMax = 200'000'000;

  // Fails with Errc::malformed, or with Errc::over_limit for a selector that is too long or nested
  // too deeply.
  static base::Result<Selector> compile(std::string_view text);

  // A selector that was moved from matches nothing.
  Answer matches(const Document& document, const Node& element,
                 std::uint64_t steps_max = kStepsMax) const;
  First find_first(const Document& document, std::uint64_t steps_max = kStepsMax) const {
    return find_first(document, document.root(), steps_max);
  }
  First find_first(const Document& document, const Node& root,
                   std::uint64_t steps_max = kStepsMax) const;
  Found find_all(const Document& document) const { return find_all(document, document.root()); }
  // Searches below `root`, which may be any node of the document. It is what :scope means.
  Found find_all(const Document& document, const Node& root,
                 std::uint64_t steps_max = kStepsMax) const;

 private:
  explicit Selector(SelectorProgram program) : program_(std::move(program)) {}

  SelectorProgram program_;
};

}  // namespace gossamer::dom
