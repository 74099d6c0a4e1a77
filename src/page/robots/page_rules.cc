#include "robots/page_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "robots/date.h"
#include "robots/robots.h"

namespace gossamer::robots {
namespace {

constexpr std::string_view kRuleBlanks = " \t\r\n\f";

using base::equals_ignoring_case;

std::string_view trim_rule(std::string_view text) { return base::trimmed(text, kRuleBlanks); }

constexpr std::array<std::string_view, 4> kValuedRules = {"max-snippet", "max-image-preview",
                                                          "max-video-preview", "unavailable_after"};

bool is_valued_rule(std::string_view name) {
  return std::ranges::any_of(
      kValuedRules, [&](std::string_view rule) { return equals_ignoring_case(name, rule); });
}

// Returns whether it is "unavailable_after: DATE", perhaps after the name of a crawler.
bool is_whole_date(std::string_view rule) {
  constexpr std::string_view kName = "unavailable_after";
  for (std::size_t colon = rule.find(':'); colon != std::string_view::npos;
       colon = rule.find(':', colon + 1)) {
    std::string_view name = trim_rule(rule.substr(0, colon));
    name.remove_prefix(name.size() - std::min(name.size(), kName.size()));
    if (equals_ignoring_case(name, kName)) {
      return parse_date(trim_rule(rule.substr(colon + 1))).has_value();
    }
  }
  return false;
}

// Takes the text up to the next comma. A date may contain a comma.
std::string_view take_rule(std::string_view& text) {
  std::size_t end = text.find(',');
  if (end != std::string_view::npos && !is_whole_date(text.substr(0, end))) {
    const std::size_t later = text.find(',', end + 1);
    if (is_whole_date(text.substr(0, later))) end = later;
  }
  const std::string_view rule = trim_rule(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return rule;
}

// Lowers the bound to `value`, or sets it if there is none.
template <class Bound>
void lower_to(std::optional<Bound>& bound, Bound value) {
  bound = bound ? std::min(*bound, value) : value;
}

}  // namespace

void PageRules::add_header(std::string_view value, std::string_view agent) {
  agent = product_token(agent);
  bool is_for_us = true;
  while (!value.empty()) {
    std::string_view rule = take_rule(value);
    // "name: rule" and the rules after it are for the crawler of that name.
    const std::size_t colon = rule.find(':');
    const std::string_view name = trim_rule(rule.substr(0, colon));
    if (colon != std::string_view::npos && !is_valued_rule(name)) {
      is_for_us = equals_ignoring_case(product_token(name), agent) || name == "*";
      rule = trim_rule(rule.substr(colon + 1));
    }
    if (is_for_us) add(rule);
  }
}

void PageRules::add_meta(std::string_view name, std::string_view content, std::string_view agent) {
  name = trim_rule(name);
  const bool is_ours = !name.empty() && equals_ignoring_case(name, product_token(agent));
  if (!is_ours && !equals_ignoring_case(name, "robots")) return;
  while (!content.empty()) add(take_rule(content));
}

void PageRules::add(std::string_view rule) {
  const std::size_t colon = rule.find(':');
  if (colon != std::string_view::npos) {
    add_valued(trim_rule(rule.substr(0, colon)), trim_rule(rule.substr(colon + 1)));
    return;
  }
  const auto is = [&](std::string_view name) { return equals_ignoring_case(rule, name); };
  if (is("noindex") || is("none")) no_index = true;
  if (is("nofollow") || is("none")) no_follow = true;
  if (is("noarchive") || is("nocache")) no_archive = true;
  if (is("nosnippet")) no_snippet = true;
  if (is("noimageindex")) no_image_index = true;
  if (is("notranslate")) no_translate = true;
}

void PageRules::add_valued(std::string_view name, std::string_view value) {
  const auto is = [&](std::string_view rule) { return equals_ignoring_case(name, rule); };
  if (is("unavailable_after")) {
    if (const auto date = parse_date(value)) lower_to(unavailable_after, *date);
    return;
  }
  if (is("max-image-preview")) {
    if (equals_ignoring_case(value, "none")) lower_to(image_preview_max, ImagePreview::none);
    if (equals_ignoring_case(value, "standard"))
      lower_to(image_preview_max, ImagePreview::standard);
    if (equals_ignoring_case(value, "large")) lower_to(image_preview_max, ImagePreview::large);
    return;
  }
  // -1 means no limit, so it is not a rule.
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size()) return;
  if (is("max-snippet")) lower_to(snippet_characters_max, number);
  if (is("max-video-preview")) lower_to(video_preview_seconds_max, number);
}

std::string to_text(const PageRules& rules) {
  std::string text;
  for (const auto& [is_set, name] : {std::pair{rules.no_index, "noindex"},
                                     {rules.no_follow, "nofollow"},
                                     {rules.no_archive, "noarchive"},
                                     {rules.no_snippet, "nosnippet"},
                                     {rules.no_image_index, "noimageindex"},
                                     {rules.no_translate, "notranslate"}}) {
    if (is_set) text.append(text.empty() ? "" : ", ").append(name);
  }
  return text;
}

}  // namespace gossamer::robots
