#include "dom/selector_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dom/selector_text.h"
#include "html/token/ascii.h"
#include "html/token/names.h"

namespace gossamer::dom {
namespace {

std::string lower_case_of(std::string_view text) {
  std::string lower;
  html::append_lower_case(lower, text);
  return lower;
}

SimpleSelector named(Condition test, std::string name) {
  SimpleSelector simple = {.test = test, .lower_name = lower_case_of(name)};
  simple.name = std::move(name);
  return simple;
}

// Pseudo-classes without an argument that are a position among siblings.
struct Position {
  std::string_view name;
  bool first;
  bool last;
  bool of_type;
};
constexpr Position kPositions[] = {
    {"first-child", true, false, false}, {"last-child", false, true, false},
    {"only-child", true, true, false},   {"first-of-type", true, false, true},
    {"last-of-type", false, true, true}, {"only-of-type", true, true, true},
};

struct Plain {
  std::string_view name;
  Condition test;
};
constexpr Plain kPlain[] = {
    {"root", Condition::root},           {"scope", Condition::scope},
    {"empty", Condition::empty},         {"link", Condition::link},
    {"any-link", Condition::link},       {"checked", Condition::checked},
    {"enabled", Condition::enabled},     {"disabled", Condition::disabled},
    {"visited", Condition::never},       {"hover", Condition::never},
    {"active", Condition::never},        {"focus", Condition::never},
    {"target", Condition::never},        {"focus-within", Condition::never},
    {"focus-visible", Condition::never},
};

struct NthName {
  std::string_view name;
  bool from_end;
  bool of_type;
};
constexpr NthName kNthNames[] = {
    {"nth-child", false, false},
    {"nth-last-child", true, false},
    {"nth-of-type", false, true},
    {"nth-last-of-type", true, true},
};

constexpr std::string_view kTooManySimples = "selector: too many conditions";

class SelectorParser {
 public:
  explicit SelectorParser(std::string_view text) : text_(text) {}

  base::Result<SelectorProgram> run() {
    SelectorList list;
    const bool is_good = read_list(list, false, false) && text_.at_end();
    if (!is_good && is_over_limit_)
      return base::fail(base::Errc::over_limit, std::string(problem_));
    if (!is_good) {
      const std::string_view problem = problem_.empty() ? "nothing can follow here" : problem_;
      return base::fail(base::Errc::malformed,
                        fmt::format("selector, byte {}: {}", text_.position() + 1, problem));
    }
    program_.main_list = add(std::move(list));
    return std::move(program_);
  }

 private:
  using Simples = std::vector<SimpleSelector>;

  bool read_list(SelectorList& out, bool is_relative, bool is_forgiving);
  bool read_complex(ComplexSelector& out, bool is_relative);
  bool read_compound(CompoundSelector& out);
  bool read_type(Simples& out, bool* is_there);
  bool read_attribute(Simples& out);
  bool read_attribute_value(SimpleSelector& simple);
  bool read_pseudo_class(Simples& out);
  bool read_plain(std::string_view name, Simples& out);
  bool read_function(std::string_view name, Simples& out);
  bool read_nth(const NthName& kind, Simples& out);
  bool read_nested(Condition test, bool is_forgiving, Simples& out);
  bool read_lang(Simples& out);
  bool end_function() {
    text_.skip_space();
    return text_.take(')') || text_.at_end() || wrong("')' is missing");
  }
  std::optional<Combinator> take_combinator() {
    if (text_.take('>')) return Combinator::child;
    if (text_.take('+')) return Combinator::next_sibling;
    if (text_.take('~')) return Combinator::later_sibling;
    return std::nullopt;
  }
  std::uint32_t add(SelectorList list) {
    program_.lists.push_back(std::move(list));
    return static_cast<std::uint32_t>(program_.lists.size() - 1);
  }
  bool exceed(std::string_view problem) {
    is_over_limit_ = true;
    problem_ = problem;
    return false;
  }
  // The first problem is the one to tell.
  bool wrong(std::string_view problem) {
    if (problem_.empty()) problem_ = problem;
    return false;
  }

  SelectorText text_;
  SelectorProgram program_;
  std::size_t nesting_ = 0;
  bool in_has_ = false;  // :has() cannot contain another
  bool is_over_limit_ = false;
  std::string_view problem_;
};

// In a forgiving list, parts that are wrong are left out.
bool SelectorParser::read_list(SelectorList& out, bool is_relative, bool is_forgiving) {
  do {
    text_.skip_space();
    const SelectorText begin = text_;
    ComplexSelector complex;
    if (read_complex(complex, is_relative)) {
      out.push_back(std::move(complex));
    } else if (is_forgiving && !is_over_limit_) {
      text_ = begin;
      problem_ = {};
      text_.skip_argument();
    } else {
      return false;
    }
    text_.skip_space();
  } while (text_.take(','));
  return true;
}

bool SelectorParser::read_complex(ComplexSelector& out, bool is_relative) {
  Combinator combinator = Combinator::descendant;
  if (is_relative) {
    combinator = take_combinator().value_or(Combinator::descendant);
    text_.skip_space();
  }
  while (true) {
    CompoundSelector compound;
    if (!read_compound(compound)) return false;
    compound.combinator = combinator;
    if (out.compounds.size() == kCompoundsMax)
      return exceed("selector: too many elements in a row");
    out.compounds.push_back(compound);
    const bool has_space = text_.skip_space();
    const std::optional<Combinator> written = take_combinator();
    if (written) {
      text_.skip_space();
    } else if (text_.at_end() || text_.peek() == ',' || text_.peek() == ')') {
      return true;
    } else if (!has_space) {
      return wrong("this cannot follow");
    }
    combinator = written.value_or(Combinator::descendant);
  }
}

bool SelectorParser::read_compound(CompoundSelector& out) {
  Simples simples;
  bool is_there = false;
  if (!read_type(simples, &is_there)) return false;
  while (true) {
    text_.skip_comments();
    if (text_.take('#')) {
      auto id = text_.identifier();
      if (!id) return wrong("an id must follow '#'");
      simples.push_back(named(Condition::id, std::move(*id)));
    } else if (text_.take('.')) {
      auto name = text_.identifier();
      if (!name) return wrong("a class must follow '.'");
      simples.push_back(named(Condition::class_name, std::move(*name)));
    } else if (text_.take('[')) {
      if (!read_attribute(simples)) return false;
    } else if (text_.take(':')) {
      if (!read_pseudo_class(simples)) return false;
    } else {
      break;
    }
    is_there = true;
  }
  if (program_.simples.size() + simples.size() > kSimplesMax) return exceed(kTooManySimples);
  out.begin = static_cast<std::uint32_t>(program_.simples.size());
  std::ranges::move(simples, std::back_inserter(program_.simples));
  out.end = static_cast<std::uint32_t>(program_.simples.size());
  return is_there || wrong("a name or a condition is missing");
}

// A name or '*', with "*|" before it or not. "|" alone means no namespace, and every element has
// one.
bool SelectorParser::read_type(Simples& out, bool* is_there) {
  const bool has_space = text_.peek() == '*' && text_.peek(1) == '|';
  if (has_space) {
    text_.take('*');
    text_.take('|');
  }
  *is_there = true;
  if (text_.take('*')) return true;
  auto name = text_.identifier();
  if (!name) {
    *is_there = false;
    return !has_space || wrong("a name must follow '|'");
  }
  if (text_.peek() == '|') return wrong("no namespace has a name here");
  SimpleSelector simple = named(Condition::tag, std::move(*name));
  simple.tag = html::tag_id(simple.lower_name);
  out.push_back(std::move(simple));
  return true;
}

bool SelectorParser::read_attribute(Simples& out) {
  text_.skip_space();
  if (text_.peek() == '*' && text_.peek(1) == '|') text_.take('*');
  text_.take('|');
  auto name = text_.identifier();
  if (!name) return wrong("the name of an attribute must follow '['");
  SimpleSelector simple = named(Condition::attribute, std::move(*name));
  text_.skip_space();
  if (!text_.take(']') && !text_.at_end() && !read_attribute_value(simple)) return false;
  out.push_back(std::move(simple));
  return true;
}

bool SelectorParser::read_attribute_value(SimpleSelector& simple) {
  static constexpr std::pair<char, Comparison> kOperators[] = {
      {'~', Comparison::word},   {'|', Comparison::dash},      {'^', Comparison::prefix},
      {'$', Comparison::suffix}, {'*', Comparison::substring},
  };
  simple.comparison = Comparison::equal;
  for (const auto& [sign, comparison] : kOperators) {
    if (text_.take(sign)) {
      simple.comparison = comparison;
      break;
    }
  }
  if (!text_.take('=')) return wrong("'=' or ']' is missing");
  text_.skip_space();
  auto value = text_.string();
  if (!value) value = text_.identifier();
  if (!value) return wrong("a value must follow '='");
  simple.value = std::move(*value);
  text_.skip_space();
  if (text_.take_word("i")) simple.letter_case = LetterCase::ignored;
  if (text_.take_word("s")) simple.letter_case = LetterCase::exact;
  text_.skip_space();
  return text_.take(']') || text_.at_end() || wrong("']' is missing");
}

bool SelectorParser::read_pseudo_class(Simples& out) {
  const auto name = text_.identifier();
  if (!name) return wrong("the name of a pseudo-class must follow ':'");
  const std::string lower = lower_case_of(*name);
  return text_.take('(') ? read_function(lower, out) : read_plain(lower, out);
}

bool SelectorParser::read_plain(std::string_view name, Simples& out) {
  for (const Plain& plain : kPlain) {
    if (plain.name != name) continue;
    out.push_back({.test = plain.test});
    return true;
  }
  for (const Position& position : kPositions) {
    if (position.name != name) continue;
    SimpleSelector simple = {.test = Condition::nth, .of_type = position.of_type, .offset = 1};
    if (position.first) out.push_back(simple);
    simple.from_end = true;
    if (position.last) out.push_back(simple);
    return true;
  }
  return wrong("this pseudo-class is not known");
}

bool SelectorParser::read_function(std::string_view name, Simples& out) {
  for (const NthName& kind : kNthNames) {
    if (kind.name == name) return read_nth(kind, out);
  }
  if (name == "is" || name == "where") return read_nested(Condition::any_of, true, out);
  if (name == "not") return read_nested(Condition::none_of, false, out);
  if (name == "lang") return read_lang(out);
  if (name != "has") return wrong("this function is not known");
  if (in_has_) return wrong(":has() cannot contain :has()");
  return read_nested(Condition::has, false, out);
}

bool SelectorParser::read_nth(const NthName& kind, Simples& out) {
  const auto nth = text_.nth();
  if (!nth) return wrong("a position such as 2n+1 is missing");
  SimpleSelector simple = {.test = Condition::nth,
                           .from_end = kind.from_end,
                           .of_type = kind.of_type,
                           .step = nth->step,
                           .offset = nth->offset};
  const bool has_space = text_.skip_space();
  if (has_space && !kind.of_type && text_.take_word("of")) {
    if (!read_nested(Condition::any_of, false, out)) return false;
    simple.list = out.back().list;
    out.back() = std::move(simple);
    return true;
  }
  out.push_back(std::move(simple));
  return end_function();
}

bool SelectorParser::read_nested(Condition test, bool is_forgiving, Simples& out) {
  if (nesting_ == kSelectorNestingMax) return exceed("selector: nested too deeply");
  ++nesting_;
  const bool was_in_has = std::exchange(in_has_, in_has_ || test == Condition::has);
  SelectorList list;
  const bool is_good = read_list(list, test == Condition::has, is_forgiving) && end_function();
  in_has_ = was_in_has;
  --nesting_;
  if (!is_good) return false;
  out.push_back({.test = test, .list = add(std::move(list))});
  return true;
}

bool SelectorParser::read_lang(Simples& out) {
  SimpleSelector any = {.test = Condition::any_of};
  SelectorList list;
  do {
    text_.skip_space();
    auto range = text_.string();
    if (!range) range = text_.identifier();
    if (!range) return wrong("a language is missing");
    if (program_.simples.size() == kSimplesMax) return exceed(kTooManySimples);
    CompoundSelector compound;
    compound.begin = static_cast<std::uint32_t>(program_.simples.size());
    compound.end = compound.begin + 1;
    program_.simples.push_back(named(Condition::lang, std::move(*range)));
    list.push_back({.compounds = {compound}});
    text_.skip_space();
  } while (text_.take(','));
  any.list = add(std::move(list));
  out.push_back(std::move(any));
  return end_function();
}

}  // namespace

base::Result<SelectorProgram> compile_selector(std::string_view text) {
  if (text.size() > kSelectorBytesMax)
    return base::fail(base::Errc::over_limit, "selector: too long");
  return SelectorParser(text).run();
}

}  // namespace gossamer::dom
