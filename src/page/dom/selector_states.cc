#include "dom/selector_states.h"

#include <algorithm>
#include <array>

#include "dom/open_elements.h"
#include "dom/tag_set.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

// clang-format off
// In alphabetical order.
constexpr auto kCaselessAttributes = std::to_array<std::string_view>({
    "accept", "accept-charset", "align", "alink", "axis", "bgcolor", "charset", "checked", "clear",
    "codetype", "color", "compact", "declare", "defer", "dir", "direction", "disabled", "enctype",
    "face", "frame", "hreflang", "http-equiv", "lang", "language", "link", "media", "method",
    "multiple", "nohref", "noresize", "noshade", "nowrap", "readonly", "rel", "rev", "rules",
    "scope", "scrolling", "selected", "shape", "target", "text", "type", "valign", "valuetype",
    "vlink"});
// clang-format on
static_assert(std::ranges::is_sorted(kCaselessAttributes));

constexpr TagSet kControls = {TagId::button, TagId::fieldset, TagId::input,   TagId::optgroup,
                              TagId::option, TagId::select,   TagId::textarea};
// A disabled <fieldset> disables these.
constexpr TagSet kFieldsetControls = {TagId::button, TagId::fieldset, TagId::input, TagId::select,
                                      TagId::textarea};

bool has_disabled(const Node& element, SelectorSteps& steps) noexcept {
  return steps.find(element, "disabled") != nullptr;
}

// The controls in the first <legend> of a fieldset are not disabled by it.
bool is_first_legend(const Node& node, const Node& fieldset, SelectorSteps& steps) noexcept {
  if (!node.is(TagId::legend)) return false;
  const Node* child = fieldset.first_child();
  while (child != nullptr && !child->is(TagId::legend) && steps.take()) child = child->next();
  return child == &node;
}

bool is_in_disabled_fieldset(const Node& element, SelectorSteps& steps) noexcept {
  const Node* below = &element;
  for (const Node* node = element.parent(); node != nullptr && steps.take();
       node = node->parent()) {
    if (node->is(TagId::fieldset) && has_disabled(*node, steps) &&
        !is_first_legend(*below, *node, steps)) {
      return true;
    }
    below = node;
  }
  return false;
}

}  // namespace

bool ignores_case_of(std::string_view attribute) noexcept {
  return std::ranges::binary_search(kCaselessAttributes, attribute);
}

bool has_language(const Node& element, std::string_view range, SelectorSteps& steps) noexcept {
  for (const Node* node = &element; node != nullptr && node->is_element() && steps.take();
       node = node->parent()) {
    const Attribute* language = steps.find(*node, AttributeId::xml_lang);
    const bool is_of_xml = language != nullptr && language->space() == AttributeSpace::xml;
    if (!is_of_xml) language = steps.find(*node, AttributeId::lang);
    if (language == nullptr) continue;
    const std::string_view value = language->value();
    steps.take_bytes(std::min(value.size(), range.size()));
    if (value.empty() || range.empty()) return false;
    if (range == "*") return true;
    const bool is_same = std::ranges::equal(value.substr(0, range.size()), range, {},
                                            html::to_lower, html::to_lower);
    return is_same && (value.size() == range.size() || value[range.size()] == '-');
  }
  return false;
}

bool is_empty(const Node& element, SelectorSteps& steps) noexcept {
  for (const Node* node = element.first_child(); node != nullptr && steps.take();
       node = node->next()) {
    if (node->is_element() || (node->is_text() && !node->text().empty())) return false;
  }
  return true;
}

bool is_link(const Node& element, SelectorSteps& steps) noexcept {
  return (element.is(TagId::a) || element.is(TagId::area)) &&
         steps.find(element, AttributeId::href) != nullptr;
}

bool is_checked(const Node& element, SelectorSteps& steps) noexcept {
  if (element.is(TagId::option)) return steps.find(element, "selected") != nullptr;
  if (!element.is(TagId::input) || steps.find(element, "checked") == nullptr) return false;
  const Attribute* const type = steps.find(element, AttributeId::type);
  return type != nullptr && (html::equals_ignoring_case(type->value(), "checkbox") ||
                             html::equals_ignoring_case(type->value(), "radio"));
}

bool is_control(const Node& element) noexcept { return OpenElements::is_in(element, kControls); }

bool is_disabled(const Node& element, SelectorSteps& steps) noexcept {
  if (has_disabled(element, steps)) return true;
  if (OpenElements::is_in(element, kFieldsetControls)) {
    return is_in_disabled_fieldset(element, steps);
  }
  const Node* const parent = element.parent();
  return element.is(TagId::option) && parent != nullptr && parent->is(TagId::optgroup) &&
         has_disabled(*parent, steps);
}

}  // namespace gossamer::dom
