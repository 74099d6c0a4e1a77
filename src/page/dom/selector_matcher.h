// Compares elements with a compiled selector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "dom/document.h"
#include "dom/selector_program.h"
#include "dom/selector_steps.h"

namespace gossamer::dom {

// One search. BORROWS: the program, and the document of `scope`.
class SelectorMatcher {
 public:
  SelectorMatcher(const SelectorProgram& program, Quirks quirks, const Node& scope,
                  std::uint64_t steps_max) noexcept
      : program_(program), scope_(scope), steps_(steps_max), is_quirky_(quirks == Quirks::full) {}

  bool matches(const Node& element) {
    if (program_.lists.empty()) return false;
    return matches_list(program_.main_list, element) && !is_exhausted();
  }
  // Returns whether the search reached its limit. Nothing matches from then on.
  bool is_exhausted() const noexcept { return steps_.is_exhausted(); }
  std::uint64_t steps_left() const noexcept { return steps_.left(); }

 private:
  // Why a part of a selector does not match, and so what need not be tried: another sibling, or
  // another ancestor either. Without this, a selector of N parts could take depth to the power of
  // N.
  enum class Match : std::uint8_t { yes, no, no_sibling, no_element };

  // The element that :has() is about; a match must be related to it.
  using Anchor = const Node*;

  bool step() noexcept { return steps_.take(); }
  bool matches_list(std::uint32_t list, const Node& element);
  Match match(const ComplexSelector& complex, std::size_t at, const Node& element, Anchor anchor);
  Match match_before(const ComplexSelector& complex, std::size_t at, const Node& element,
                     Anchor anchor);
  bool is_related(Combinator combinator, const Node& element, const Node& anchor);
  bool matches_compound(const CompoundSelector& compound, const Node& element);
  bool matches_simple(const SimpleSelector& simple, const Node& element);
  bool matches_attribute(const SimpleSelector& simple, const Node& element);
  bool matches_class(const SimpleSelector& simple, const Node& element);
  bool matches_id(const SimpleSelector& simple, const Node& element);
  bool matches_nth(const SimpleSelector& simple, const Node& element);
  bool matches_has(const SimpleSelector& simple, const Node& element);
  bool has_below(const ComplexSelector& complex, const Node& root, const Node& anchor);

  bool counts(const SimpleSelector& simple, const Node& sibling, const Node& element);
  std::int64_t position(const SimpleSelector& simple, const Node& element);
  const Node* previous_element(const Node& element) noexcept;

  // Where the last position among the children of one parent was counted to, for one condition. A
  // search in document order counts every child once with it.
  struct Counted {
    const Node* element;
    std::int64_t position;
  };
  struct CountKey {
    const SimpleSelector* simple;
    const Node* parent;
    const char* name;  // of the type that is counted
    Space space;
    bool operator==(const CountKey&) const = default;
  };
  struct CountKeyHash {
    std::size_t operator()(const CountKey& key) const noexcept;
  };

  const SelectorProgram& program_;
  const Node& scope_;
  SelectorSteps steps_;
  bool is_quirky_;
  std::unordered_map<CountKey, Counted, CountKeyHash> counted_;
};

}  // namespace gossamer::dom
