#include "dom/selector_matcher.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/hash.h"
#include "dom/selector_states.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

bool equal_text(std::string_view one, std::string_view other, bool ignores_case) noexcept {
  if (one.size() != other.size()) return false;
  return ignores_case ? std::ranges::equal(one, other, {}, html::to_lower, html::to_lower)
                      : one == other;
}

bool is_word_of(std::string_view words, std::string_view word, bool ignores_case) {
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t begin = at;
    while (at < words.size() && !html::is_html_space(words[at])) ++at;
    if (at > begin && equal_text(words.substr(begin, at - begin), word, ignores_case)) return true;
    ++at;
  }
  return false;
}

// Returns whether `wanted` is a part of the value, in linear time, whatever they are. `borders` are
// those of Knuth, Morris and Pratt: "Fast pattern matching in strings" (1977).
bool contains(std::string_view value, std::string_view wanted,
              std::span<const std::uint32_t> borders, bool ignores_case) noexcept {
  std::size_t same = 0;
  for (const char c : value) {
    const auto is_next = [&] {
      return ignores_case ? html::to_lower(c) == html::to_lower(wanted[same]) : c == wanted[same];
    };
    while (same > 0 && !is_next()) same = borders[same - 1];
    if (is_next()) ++same;
    if (same == wanted.size()) return true;
  }
  return false;
}

// Returns, for every length, the longest shorter beginning of the text that also ends there.
std::vector<std::uint32_t> borders_of(std::string_view text, bool ignores_case) {
  std::vector<std::uint32_t> borders(text.size());
  std::uint32_t border = 0;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const auto is_next = [&] {
      return equal_text(text.substr(i, 1), text.substr(border, 1), ignores_case);
    };
    while (border > 0 && !is_next()) border = borders[border - 1];
    if (is_next()) ++border;
    borders[i] = border;
  }
  return borders;
}

bool compare(Comparison comparison, std::string_view value, std::string_view wanted,
             bool ignores_case) {
  const auto is_equal = [&](std::string_view part) {
    return equal_text(part, wanted, ignores_case);
  };
  if (comparison == Comparison::exists) return true;
  if (comparison == Comparison::equal) return is_equal(value);
  if (comparison == Comparison::dash) {
    return is_equal(value.substr(0, wanted.size())) &&
           (value.size() == wanted.size() || value[wanted.size()] == '-');
  }
  if (wanted.empty() || value.size() < wanted.size()) return false;
  switch (comparison) {
    case Comparison::word:
      return !std::ranges::any_of(wanted, html::is_html_space) &&
             is_word_of(value, wanted, ignores_case);
    case Comparison::prefix: return is_equal(value.substr(0, wanted.size()));
    case Comparison::suffix: return is_equal(value.substr(value.size() - wanted.size()));
    default: break;
  }
  constexpr std::size_t kShortMax = 32;
  if (!ignores_case && wanted.size() <= kShortMax) return value.contains(wanted);
  return contains(value, wanted, borders_of(wanted, ignores_case), ignores_case);
}

bool matches_tag(const SimpleSelector& simple, const Node& element) noexcept {
  if (element.space() != Space::html) return element.name() == simple.name;
  if (simple.tag != TagId::other) return element.tag() == simple.tag;
  return element.tag() == TagId::other && element.name() == simple.lower_name;
}

// Returns how many siblings after its element :has() may have to look at: one for each '+', and all
// for a '~'.
std::size_t siblings_reached(const ComplexSelector& complex) noexcept {
  std::size_t reached = 0;
  for (const CompoundSelector& compound : complex.compounds) {
    if (compound.combinator == Combinator::later_sibling) return static_cast<std::size_t>(-1);
    if (compound.combinator == Combinator::next_sibling) ++reached;
  }
  return reached;
}

// Distances from one counted element to the next are short in a search; a stored position only pays
// beyond this.
constexpr std::int64_t kCountsStoredFrom = 16;

}  // namespace

std::size_t SelectorMatcher::CountKeyHash::operator()(const CountKey& key) const noexcept {
  const std::uintptr_t words[] = {reinterpret_cast<std::uintptr_t>(key.simple),
                                  reinterpret_cast<std::uintptr_t>(key.parent),
                                  reinterpret_cast<std::uintptr_t>(key.name)};
  return base::hash64(std::string_view(reinterpret_cast<const char*>(words), sizeof(words)));
}

bool SelectorMatcher::matches_list(std::uint32_t list, const Node& element) {
  for (const ComplexSelector& complex : program_.lists[list]) {
    if (match(complex, complex.compounds.size() - 1, element, nullptr) == Match::yes) return true;
  }
  return false;
}

// Compares from right to left: compound `at` with the element, those before it with others.
SelectorMatcher::Match SelectorMatcher::match(const ComplexSelector& complex, std::size_t at,
                                              const Node& element, Anchor anchor) {
  if (!step()) return Match::no_element;
  if (!matches_compound(complex.compounds[at], element)) return Match::no;
  if (at > 0) return match_before(complex, at, element, anchor);
  if (anchor == nullptr) return Match::yes;
  return is_related(complex.compounds[0].combinator, element, *anchor) ? Match::yes : Match::no;
}

SelectorMatcher::Match SelectorMatcher::match_before(const ComplexSelector& complex, std::size_t at,
                                                     const Node& element, Anchor anchor) {
  // What :has() finds is below its element, or after it.
  const auto parent_of = [anchor](const Node& node) -> const Node* {
    const Node* const parent = node.parent();
    if (parent == nullptr || !parent->is_element()) return nullptr;
    return anchor != nullptr && (parent == anchor || parent == anchor->parent()) ? nullptr : parent;
  };
  const auto element_before = [this, anchor](const Node& node) -> const Node* {
    const Node* const before = previous_element(node);
    return before == anchor ? nullptr : before;
  };
  switch (complex.compounds[at].combinator) {
    case Combinator::child: {
      const Node* const parent = parent_of(element);
      if (parent == nullptr) return Match::no_element;
      // All siblings have this parent.
      const Match result = match(complex, at - 1, *parent, anchor);
      return result == Match::no ? Match::no_sibling : result;
    }
    case Combinator::descendant:
      for (const Node* node = parent_of(element); node != nullptr; node = parent_of(*node)) {
        const Match result = match(complex, at - 1, *node, anchor);
        if (result == Match::yes || result == Match::no_element) return result;
      }
      return Match::no_element;
    case Combinator::next_sibling: {
      const Node* const before = element_before(element);
      return before == nullptr ? Match::no_sibling : match(complex, at - 1, *before, anchor);
    }
    case Combinator::later_sibling:
      for (const Node* node = element_before(element); node != nullptr;
           node = element_before(*node)) {
        const Match result = match(complex, at - 1, *node, anchor);
        if (result != Match::no) return result;
      }
      return Match::no_sibling;
  }
  return Match::no_element;
}

// The element is below the anchor, or after it or below what is after it: a search for :has() goes
// nowhere else.
bool SelectorMatcher::is_related(Combinator combinator, const Node& element, const Node& anchor) {
  switch (combinator) {
    case Combinator::descendant: return true;
    case Combinator::child: return element.parent() == &anchor;
    case Combinator::next_sibling: return previous_element(element) == &anchor;
    case Combinator::later_sibling: return element.parent() == anchor.parent();
  }
  return false;
}

bool SelectorMatcher::matches_compound(const CompoundSelector& compound, const Node& element) {
  for (std::uint32_t i = compound.begin; i != compound.end; ++i) {
    if (!step() || !matches_simple(program_.simples[i], element)) return false;
  }
  return true;
}

bool SelectorMatcher::matches_simple(const SimpleSelector& simple, const Node& element) {
  switch (simple.test) {
    case Condition::tag: return matches_tag(simple, element);
    case Condition::id: return matches_id(simple, element);
    case Condition::class_name: return matches_class(simple, element);
    case Condition::attribute: return matches_attribute(simple, element);
    case Condition::nth: return matches_nth(simple, element);
    case Condition::any_of: return matches_list(simple.list, element);
    case Condition::none_of: return !matches_list(simple.list, element) && !is_exhausted();
    case Condition::has: return matches_has(simple, element);
    case Condition::lang: return has_language(element, simple.name, steps_);
    case Condition::root:
      return element.parent() != nullptr && element.parent()->kind() == Kind::document;
    case Condition::scope:
      return &element == &scope_ ||
             (scope_.kind() == Kind::document && element.parent() == &scope_);
    case Condition::empty: return is_empty(element, steps_);
    case Condition::link: return is_link(element, steps_);
    case Condition::checked: return is_checked(element, steps_);
    case Condition::enabled: return is_control(element) && !is_disabled(element, steps_);
    case Condition::disabled: return is_control(element) && is_disabled(element, steps_);
    case Condition::never: return false;
  }
  return false;
}

bool SelectorMatcher::matches_attribute(const SimpleSelector& simple, const Node& element) {
  const bool is_html = element.space() == Space::html;
  const Attribute* const found = steps_.find(element, is_html ? simple.lower_name : simple.name);
  if (found == nullptr || !steps_.take_bytes(found->value().size() + simple.value.size())) {
    return false;
  }
  const bool ignores_case =
      simple.letter_case == LetterCase::ignored ||
      (simple.letter_case == LetterCase::usual && is_html && ignores_case_of(simple.lower_name));
  return compare(simple.comparison, found->value(), simple.value, ignores_case);
}

bool SelectorMatcher::matches_class(const SimpleSelector& simple, const Node& element) {
  const Attribute* const found = steps_.find(element, "class");
  return found != nullptr && steps_.take_bytes(found->value().size()) &&
         is_word_of(found->value(), simple.name, is_quirky_);
}

bool SelectorMatcher::matches_id(const SimpleSelector& simple, const Node& element) {
  const Attribute* const found = steps_.find(element, "id");
  return found != nullptr && steps_.take_bytes(simple.name.size()) &&
         equal_text(found->value(), simple.name, is_quirky_);
}

const Node* SelectorMatcher::previous_element(const Node& element) noexcept {
  const Node* node = element.previous();
  while (node != nullptr && !node->is_element() && step()) node = node->previous();
  return node != nullptr && step() && node->is_element() ? node : nullptr;
}

bool SelectorMatcher::counts(const SimpleSelector& simple, const Node& sibling,
                             const Node& element) {
  if (!sibling.is_element()) return false;
  if (simple.of_type) {
    return sibling.name() == element.name() && sibling.space() == element.space();
  }
  return simple.list == SimpleSelector::kNoList || matches_list(simple.list, sibling);
}

// Returns the position of an element among the siblings that count, from 1. It means nothing after
// the last step.
std::int64_t SelectorMatcher::position(const SimpleSelector& simple, const Node& element) {
  const CountKey key = {.simple = &simple,
                        .parent = element.parent(),
                        .name = simple.of_type ? element.name().data() : nullptr,
                        .space = simple.of_type ? element.space() : Space::html};
  // A copy, because a nested position may be stored meanwhile.
  const auto found = counted_.find(key);
  const Counted known = found == counted_.end() ? Counted{nullptr, 0} : found->second;
  std::int64_t passed = 0;  // siblings that count, from this one back to the known one
  std::int64_t visited = 0;
  const Node* node = &element;
  for (; node != nullptr && node != known.element && step(); node = node->previous()) {
    passed += counts(simple, *node, element) ? 1 : 0;
    ++visited;
  }
  std::int64_t result = passed;
  if (known.element != nullptr && node == known.element) {
    result = simple.from_end ? known.position - passed : known.position + passed;
  } else if (simple.from_end) {
    result = 1;
    for (node = element.next(); node != nullptr && step(); node = node->next()) {
      result += counts(simple, *node, element) ? 1 : 0;
      ++visited;
    }
  }
  if (is_exhausted()) return 0;  // the count is not complete
  if (visited >= kCountsStoredFrom || known.element != nullptr) counted_[key] = {&element, result};
  return result;
}

bool SelectorMatcher::matches_nth(const SimpleSelector& simple, const Node& element) {
  if (element.parent() == nullptr) return false;
  if (simple.list != SimpleSelector::kNoList && !matches_list(simple.list, element)) return false;
  const std::int64_t distance = position(simple, element) - simple.offset;
  if (is_exhausted()) return false;
  if (simple.step == 0) return distance == 0;
  return distance % simple.step == 0 && distance / simple.step >= 0;
}

bool SelectorMatcher::matches_has(const SimpleSelector& simple, const Node& element) {
  for (const ComplexSelector& complex : program_.lists[simple.list]) {
    const Combinator first = complex.compounds.front().combinator;
    if (first == Combinator::descendant || first == Combinator::child) {
      if (has_below(complex, element, element)) return true;
      continue;
    }
    std::size_t siblings = siblings_reached(complex);
    for (const Node* node = element.next(); node != nullptr && step(); node = node->next()) {
      if (!node->is_element()) continue;
      const Match result = match(complex, complex.compounds.size() - 1, *node, &element);
      if (result == Match::yes || has_below(complex, *node, element)) return true;
      if (--siblings == 0) break;
    }
  }
  return false;
}

bool SelectorMatcher::has_below(const ComplexSelector& complex, const Node& root,
                                const Node& anchor) {
  const std::size_t last = complex.compounds.size() - 1;
  for (const Node* node = next_in(root, root); node != nullptr && step();
       node = next_in(root, *node)) {
    if (node->is_element() && match(complex, last, *node, &anchor) == Match::yes) return true;
  }
  return false;
}

}  // namespace gossamer::dom
