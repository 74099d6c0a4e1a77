#include "dom/xpath_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "dom/xpath_names.h"
#include "dom/xpath_numbers.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

// BOUND: of one expression.
constexpr std::size_t kXPathBytesMax = std::size_t{64} * 1024;
constexpr int kXPathLevelsMax = 16;

bool is_xpath_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool starts_name(char c) {
  return base::is_letter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool continues_name(char c) { return starts_name(c) || base::is_digit(c) || c == '-' || c == '.'; }

// Reads one expression. Names are operators where an operand has ended, so no tokens are made.
class XPathParser {
 public:
  explicit XPathParser(std::string_view text) : text_(text) {}

  base::Result<XPathExpression> run() {
    XPathExpression all;
    if (text_.size() > kXPathBytesMax) {
      return base::fail(base::Errc::over_limit, "XPath: the expression is too long");
    }
    bool is_good = read_chain(0, all);
    skip_space();
    if (is_good && at_ < text_.size()) is_good = wrong("nothing can follow here");
    if (is_good) return all;
    return base::fail(is_over_limit_ ? base::Errc::over_limit : base::Errc::malformed,
                      fmt::format("XPath, byte {}: {}", at_ + 1, problem_));
  }

 private:
  // Each of these returns false after a problem.
  bool read_chain(int level, XPathExpression& out);
  bool read_signed(XPathExpression& out);
  bool read_join(XPathExpression& out);
  bool read_path(XPathExpression& out);
  bool read_primary(XPathExpression& out);
  bool read_literal(XPathExpression& out);
  bool read_function(std::string_view name, XPathExpression& out);
  bool read_arguments(XPathExpression& out);
  bool read_steps(bool is_below, XPathExpression& out);
  bool read_step(XPathStep& step);
  bool read_test(XPathStep& step);
  bool read_predicates(std::vector<XPathExpression>& out);

  bool starts_primary();
  bool starts_step();
  std::optional<XPathOperator> take_operator(int level);
  std::string_view take_name();
  std::string_view peek_name();

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void skip_space() {
    while (at_ < text_.size() && is_xpath_space(text_[at_])) ++at_;
  }
  bool take(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  bool wrong(std::string_view problem) {
    if (problem_.empty()) problem_ = problem;
    return false;
  }
  bool exceed(std::string_view problem) {
    is_over_limit_ = true;
    return wrong(problem);
  }
  bool count_operation() {
    return ++operations_ <= kXPathOperationsMax || exceed("there are too many operations");
  }
  bool open_level() {
    return ++level_ <= kXPathLevelsMax || exceed("the expression is nested too deeply");
  }
  // What an operand tells about the operation around it.
  static void add_operand(XPathExpression& out, XPathExpression operand) {
    out.uses_position = out.uses_position || operand.uses_position;
    out.operands.push_back(std::move(operand));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t operations_ = 0;
  int level_ = 0;
  bool is_over_limit_ = false;
  std::string_view problem_;
};

std::string_view XPathParser::peek_name() {
  skip_space();
  if (!starts_name(peek())) return {};
  std::size_t length = 1;
  while (continues_name(peek(length))) ++length;
  return text_.substr(at_, length);
}

std::string_view XPathParser::take_name() {
  const std::string_view name = peek_name();
  at_ += name.size();
  return name;
}

std::optional<XPathOperator> XPathParser::take_operator(int level) {
  skip_space();
  const XPathToken* const token = find_xpath_operator(text_.substr(at_));
  if (token == nullptr || token->level != level) return std::nullopt;
  const bool is_word = base::is_letter(token->text.front());
  if (is_word && continues_name(peek(token->text.size()))) return std::nullopt;
  at_ += token->text.size();
  return token->value;
}

bool XPathParser::read_chain(int level, XPathExpression& out) {
  const auto read_operand = [&](XPathExpression& operand) {
    return level == kXPathLastLevel ? read_signed(operand) : read_chain(level + 1, operand);
  };
  if (!read_operand(out)) return false;
  auto found = take_operator(level);
  if (!found) return true;
  XPathExpression chain = {.kind = XPathKind::chain,
                           .type = level < 4 ? XPathType::boolean : XPathType::number};
  add_operand(chain, std::move(out));
  for (; found; found = take_operator(level)) {
    XPathExpression operand;
    if (!count_operation() || !read_operand(operand)) return false;
    add_operand(chain, std::move(operand));
    chain.operators.push_back(*found);
  }
  out = std::move(chain);
  return true;
}

bool XPathParser::read_signed(XPathExpression& out) {
  std::size_t marks = 0;
  while (take("-")) ++marks;
  if (!read_join(out)) return false;
  if (marks == 0) return true;
  XPathExpression sign = {
      .kind = XPathKind::sign, .type = XPathType::number, .number = marks % 2 == 0 ? 1.0 : -1.0};
  add_operand(sign, std::move(out));
  out = std::move(sign);
  return true;
}

bool XPathParser::read_join(XPathExpression& out) {
  if (!read_path(out)) return false;
  if (!take("|")) return true;
  XPathExpression join = {.kind = XPathKind::join};
  add_operand(join, std::move(out));
  do {
    XPathExpression operand;
    if (!read_path(operand)) return false;
    add_operand(join, std::move(operand));
  } while (take("|"));
  for (const XPathExpression& operand : join.operands) {
    if (operand.type != XPathType::nodes) return wrong("'|' joins lists of nodes");
  }
  out = std::move(join);
  return true;
}

bool XPathParser::starts_primary() {
  skip_space();
  const char c = peek();
  if (c == '(' || c == '"' || c == '\'' || c == '$' || base::is_digit(c)) return true;
  if (c == '.') return base::is_digit(peek(1));
  const std::string_view name = peek_name();
  if (name.empty() || find_xpath_test(name)) return false;
  std::size_t next = name.size();
  while (is_xpath_space(peek(next))) ++next;
  return peek(next) == '(';
}

bool XPathParser::starts_step() {
  skip_space();
  const char c = peek();
  return c == '.' || c == '@' || c == '*' || starts_name(c);
}

bool XPathParser::read_path(XPathExpression& out) {
  if (!count_operation()) return false;
  if (!starts_primary()) {
    out = {.kind = XPathKind::path};
    out.is_absolute = take("/");
    const bool is_below = out.is_absolute && take("/");
    if (out.is_absolute && !is_below && !starts_step()) return true;
    return read_steps(is_below, out);
  }
  if (!read_primary(out)) return false;
  skip_space();
  const bool is_list = out.type == XPathType::nodes;
  if (peek() == '[') {
    if (!is_list) return wrong("a predicate follows a list of nodes");
    XPathExpression filter = {.kind = XPathKind::filter};
    add_operand(filter, std::move(out));
    if (!read_predicates(filter.predicates)) return false;
    out = std::move(filter);
  }
  if (!take("/")) return true;
  if (!is_list) return wrong("a path begins with a list of nodes");
  XPathExpression path = {.kind = XPathKind::path};
  add_operand(path, std::move(out));
  out = std::move(path);
  return read_steps(take("/"), out);
}

bool XPathParser::read_primary(XPathExpression& out) {
  skip_space();
  const char c = peek();
  if (c == '$') return wrong("variables are not supported");
  if (c == '"' || c == '\'') return read_literal(out);
  if (c == '(') {
    ++at_;
    if (!open_level() || !read_chain(0, out)) return false;
    --level_;
    return take(")") || wrong("')' is missing");
  }
  if (base::is_digit(c) || c == '.') {
    const std::size_t length = xpath_number_length(text_.substr(at_));
    out = {.kind = XPathKind::number,
           .type = XPathType::number,
           .number = to_xpath_number(text_.substr(at_, length))};
    at_ += length;
    return true;
  }
  return read_function(take_name(), out);
}

bool XPathParser::read_literal(XPathExpression& out) {
  const std::size_t end = text_.find(peek(), at_ + 1);
  if (end == std::string_view::npos) return wrong("the end of a text is missing");
  out = {.kind = XPathKind::literal,
         .type = XPathType::text,
         .text = std::string(text_.substr(at_ + 1, end - at_ - 1))};
  at_ = end + 1;
  return true;
}

bool XPathParser::read_function(std::string_view name, XPathExpression& out) {
  const XPathSignature* const found = find_xpath_function(name);
  if (found == nullptr) return wrong("there is no function of this name in XPath 1.0");
  out = {.kind = XPathKind::function, .type = found->type, .function = found->value};
  if (!take("(") || !open_level() || !read_arguments(out)) return wrong("'(' is missing");
  --level_;
  const std::size_t count = out.operands.size();
  if (count < found->least || count > found->most) {
    return wrong("the function has another number of arguments");
  }
  if (found->takes_nodes && count > 0 && out.operands.front().type != XPathType::nodes) {
    return wrong("the argument is not a list of nodes");
  }
  out.uses_position = out.uses_position || found->value == XPathFunction::position ||
                      found->value == XPathFunction::last;
  return true;
}

bool XPathParser::read_arguments(XPathExpression& out) {
  if (take(")")) return true;
  do {
    XPathExpression argument;
    if (!read_chain(0, argument)) return false;
    add_operand(out, std::move(argument));
  } while (take(","));
  return take(")") || wrong("')' is missing");
}

// `is_below`: "//" comes first.
bool XPathParser::read_steps(bool is_below, XPathExpression& out) {
  for (;;) {
    XPathStep step;
    if (!count_operation() || !read_step(step)) return false;
    const bool is_plain = std::ranges::none_of(step.predicates, depends_on_position);
    if (is_below && step.axis == XPathAxis::child && is_plain) {
      // The same nodes in one walk.
      step.axis = XPathAxis::descendant;
    } else if (is_below) {
      out.steps.push_back({.axis = XPathAxis::descendant_or_self});
    }
    out.steps.push_back(std::move(step));
    if (!take("/")) return true;
    is_below = take("/");
  }
}

bool XPathParser::read_step(XPathStep& step) {
  if (take("..")) {
    step.axis = XPathAxis::parent;
    return true;
  }
  if (take(".")) {
    step.axis = XPathAxis::self;
    return true;
  }
  if (take("@")) {
    step.axis = XPathAxis::attribute;
  } else if (const std::string_view name = peek_name(); !name.empty()) {
    const std::size_t before = std::exchange(at_, at_ + name.size());
    if (take("::")) {
      const auto axis = find_xpath_axis(name);
      if (!axis) return wrong("there is no axis of this name");
      step.axis = *axis;
    } else {
      at_ = before;
    }
  }
  return read_test(step) && read_predicates(step.predicates);
}

bool XPathParser::read_test(XPathStep& step) {
  if (take("*")) {
    step.test = XPathNodeTest::any_name;
    return true;
  }
  const std::string_view first = take_name();
  if (first.empty()) return wrong("expected the name of an element, an attribute or an axis");
  step.test = XPathNodeTest::name;
  step.name = first;
  if (peek() == ':' && (starts_name(peek(1)) || peek(1) == '*')) {
    ++at_;
    step.name += ':';
    if (peek() == '*') {
      ++at_;
      step.test = XPathNodeTest::prefix;
    } else {
      step.name += take_name();
    }
  } else if (const auto type = find_xpath_test(first); type && take("(")) {
    step.test = *type;
    XPathExpression target;
    skip_space();
    const bool has_target = peek() == '"' || peek() == '\'';
    if (has_target && (*type != XPathNodeTest::never || !read_literal(target))) {
      return wrong("the type of a node has no argument");
    }
    return take(")") || wrong("')' is missing");
  }
  step.lower_name = html::lower_case(step.name);
  return true;
}

bool XPathParser::read_predicates(std::vector<XPathExpression>& out) {
  while (take("[")) {
    if (!open_level() || !read_chain(0, out.emplace_back())) return false;
    --level_;
    if (!take("]")) return wrong("']' is missing");
  }
  return true;
}

}  // namespace

base::Result<XPathExpression> compile_xpath(std::string_view text) {
  return XPathParser(text).run();
}

}  // namespace gossamer::dom
