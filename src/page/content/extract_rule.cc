#include "content/extract_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/escape.h"
#include "content/find_outside.h"
#include "dom/query.h"
#include "html/token/ascii.h"

namespace gossamer::content {
namespace {

constexpr std::size_t kShownBytesMax = 80;

std::unexpected<Error> wrong(std::string_view rule, std::string_view problem) {
  return fail(
      Errc::invalid_argument,
      fmt::format("'{}': {}", base::escape_for_terminal(rule.substr(0, kShownBytesMax)), problem));
}

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= kExtractNameBytesMax &&
         std::ranges::all_of(name, [](char c) {
           return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-';
         });
}

bool is_attribute_name(std::string_view name) {
  return !name.empty() && std::ranges::none_of(name, [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || std::string_view("\"'<>/=@").contains(c);
  });
}

// These return a rule without its name.
Result<ExtractRule> parse_xpath(std::string_view text) {
  auto path = dom::XPath::compile(text);
  if (!path) return fail(std::move(path).error());
  return ExtractRule{.source = std::move(*path)};
}
Result<ExtractRule> parse_selector(std::string_view text) {
  const std::size_t at = find_outside(text, '@');
  std::string attribute;
  if (at < text.size()) {
    attribute = html::lower_case(html::trimmed(text.substr(at + 1)));
    if (!is_attribute_name(attribute)) {
      return fail(Errc::malformed,
                  "expected the name of an attribute after @, for example a.next@href");
    }
  }
  const std::string_view css = html::trimmed(text.substr(0, at));
  auto selector = dom::Selector::compile(css);
  if (!selector) return fail(std::move(selector).error());
  return ExtractRule{.source = std::move(*selector),
                     .attribute = std::move(attribute),
                     .is_scope = html::equals_ignoring_case(css, ":scope")};
}

// Returns what is behind the name of a rule.
std::string_view source_of(std::string_view rule) {
  return html::trimmed(rule.substr(std::min(rule.find('='), rule.size() - 1) + 1));
}

Result<ExtractRule> parse_rule(std::string_view rule) {
  const std::size_t equals = rule.find('=');
  if (equals == std::string_view::npos) {
    return wrong(rule, "expected NAME=SELECTOR, for example title=h1");
  }
  std::string_view name = html::trimmed(rule.substr(0, equals));
  const bool is_list = name.ends_with("[]");
  if (is_list) name.remove_suffix(2);
  if (!is_name(name)) {
    return wrong(rule, fmt::format("a name consists of letters, digits, _ and -, {} at most; [] "
                                   "at its end collects all matches",
                                   kExtractNameBytesMax));
  }
  const std::string_view value = source_of(rule);
  auto parsed = value.starts_with(dom::kXPathPrefix)
                    ? parse_xpath(value.substr(dom::kXPathPrefix.size()))
                    : parse_selector(value);
  if (!parsed) return wrong(rule, parsed.error().message());
  parsed->name = name;
  parsed->is_list = is_list;
  return parsed;
}

}  // namespace

Result<void> add_extract_rules(std::string_view text, std::vector<ExtractRule>& rules) {
  while (!text.empty()) {
    const bool is_xpath = source_of(text).starts_with(dom::kXPathPrefix);
    const std::size_t end = find_outside(text, ';', !is_xpath);
    const std::string_view piece = html::trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (piece.empty()) continue;
    auto rule = parse_rule(piece);
    if (!rule) return fail(std::move(rule).error());
    if (std::ranges::count(rules, rule->name, &ExtractRule::name) > 0) {
      return wrong(piece, "there is another field of this name");
    }
    if (rules.size() == kExtractRulesMax) {
      return wrong(piece, fmt::format("there are more than {} fields", kExtractRulesMax));
    }
    rules.push_back(std::move(*rule));
  }
  return {};
}

Result<std::vector<ExtractRule>> parse_extract_rules(std::string_view text) {
  std::vector<ExtractRule> rules;
  if (auto added = add_extract_rules(text, rules); !added) return fail(std::move(added).error());
  return rules;
}

}  // namespace gossamer::content
