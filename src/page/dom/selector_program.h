// A compiled selector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dom/node.h"

namespace gossamer::dom {

// How an element relates to the one that the part before describes.
enum class Combinator : std::uint8_t { descendant, child, next_sibling, later_sibling };

// How the value of an attribute is compared.
enum class Comparison : std::uint8_t {
  exists,     // [a]
  equal,      // [a=b]
  word,       // [a~=b]
  dash,       // [a|=b]: b, or b and a hyphen and more
  prefix,     // [a^=b]
  suffix,     // [a$=b]
  substring,  // [a*=b]
};

enum class Condition : std::uint8_t {
  tag,
  id,
  class_name,
  attribute,
  nth,       // :nth-child() and its kin
  any_of,    // :is(), :where()
  none_of,   // :not()
  has,       // :has()
  lang,      // :lang()
  root,      // :root
  scope,     // :scope
  empty,     // :empty
  link,      // :link, :any-link
  checked,   // :checked
  enabled,   // :enabled
  disabled,  // :disabled
  never,     // :hover and others that depend on a user
};

enum class LetterCase : std::uint8_t { usual, ignored, exact };

// One condition.
struct SimpleSelector {
  static constexpr std::uint32_t kNoList = static_cast<std::uint32_t>(-1);

  Condition test = Condition::never;
  Comparison comparison = Comparison::exists;
  LetterCase letter_case = LetterCase::usual;
  bool from_end = false;  // nth
  bool of_type = false;   // nth
  TagId tag = TagId::other;
  std::string name = {};        // of a tag, class, attribute or language, or an id
  std::string lower_name = {};  // the same in lower case, for HTML
  std::string value = {};       // of an attribute
  std::int32_t step = 0;        // nth: A in An+B
  std::int32_t offset = 0;      // nth: B in An+B
  std::uint32_t list = kNoList;
};

// Conditions for one element. None means any element.
struct CompoundSelector {
  Combinator combinator = Combinator::descendant;
  std::uint32_t begin = 0;  // in SelectorProgram::simples
  std::uint32_t end = 0;
};

// From left to right.
struct ComplexSelector {
  std::vector<CompoundSelector> compounds;
};

using SelectorList = std::vector<ComplexSelector>;

struct SelectorProgram {
  std::vector<SimpleSelector> simples;
  std::vector<SelectorList> lists;
  std::uint32_t main_list = 0;
};

}  // namespace gossamer::dom
