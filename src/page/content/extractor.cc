#include "content/extractor.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "content/element_text.h"
#include "dom/parse.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

constexpr auto kUrlAttributes =
    std::to_array<std::string_view>({"href", "src", "action", "formaction", "cite", "data",
                                     "poster", "background", "longdesc", "xlink:href"});

// Attributes of SVG and MathML may have capitals: viewBox.
const dom::Attribute* find_attribute(const dom::Node& element, std::string_view lower) {
  if (element.space() == dom::Space::html) return element.find(lower);
  for (const dom::Attribute& attribute : element.attributes()) {
    if (html::equals_ignoring_case(attribute.name(), lower)) return &attribute;
  }
  return nullptr;
}

// Takes the values of one page, within the bounds.
class Extraction {
 public:
  Extraction(const dom::Document& document, const PagePlace& place, std::size_t rules)
      : document_(document), links_(document, place), rules_(rules) {
    if (rules > 0) steps_max_ = kExtractStepsMax / rules;
  }

  // Each rule has its share, so the first one cannot use up what the others need. It leaves to them
  // what it does not use.
  ExtractedField field(const ExtractRule& rule) {
    bytes_left_ += kExtractBytesMax / rules_;
    text_work_left_ += kExtractTextWorkMax / rules_;
    ExtractedField field = {.name = rule.name, .is_list = rule.is_list, .values = {}};
    for (const dom::Node* const element : elements(rule)) {
      if (field.values.size() == kExtractValuesMax || bytes_left_ == 0) {
        is_truncated_ = true;
        break;
      }
      auto value = value_of(rule, *element);
      if (!value) continue;
      bytes_left_ -= value->size();
      field.values.push_back(std::move(*value));
      if (!rule.is_list) break;
    }
    return field;
  }
  bool is_truncated() const noexcept { return is_truncated_; }

 private:
  std::vector<const dom::Node*> elements(const ExtractRule& rule) {
    if (!rule.is_list && rule.attribute.empty()) {
      const auto first = rule.selector.find_first(document_, steps_max_);
      is_truncated_ = is_truncated_ || !first.is_complete;
      if (first.element == nullptr) return {};
      return {first.element};
    }
    auto found = rule.selector.find_all(document_, document_.root(), steps_max_);
    is_truncated_ = is_truncated_ || !found.is_complete;
    return std::move(found.elements);
  }

  // Returns nothing if the element does not have the attribute.
  std::optional<std::string> value_of(const ExtractRule& rule, const dom::Node& element) {
    const std::size_t bytes_max = std::min(kExtractValueBytesMax, bytes_left_);
    if (rule.attribute.empty()) {
      ElementText text = element_text(element, bytes_max, text_work_left_);
      is_truncated_ = is_truncated_ || text.is_truncated;
      if (text.is_truncated && text.text.empty()) return std::nullopt;
      return std::move(text.text);
    }
    const dom::Attribute* const attribute = find_attribute(element, rule.attribute);
    if (attribute == nullptr) return std::nullopt;
    const bool is_url = std::ranges::count(kUrlAttributes, rule.attribute) > 0;
    const url::Url* const url = is_url ? links_.resolve(attribute->value()) : nullptr;
    std::string value = url == nullptr ? std::string(attribute->value()) : url->href();
    is_truncated_ = is_truncated_ || value.size() > bytes_max;
    html::cut_utf8(value, bytes_max);
    return value;
  }

  const dom::Document& document_;
  PageLinks links_;
  std::size_t rules_;
  std::uint64_t steps_max_ = kExtractStepsMax;
  std::size_t text_work_left_ = 0;
  std::size_t bytes_left_ = 0;
  bool is_truncated_ = false;
};

}  // namespace

Result<Extractor> Extractor::compile(std::span<const std::string> texts) {
  std::vector<ExtractRule> rules;
  for (const std::string& text : texts) {
    if (auto added = add_extract_rules(text, rules); !added) return fail(std::move(added).error());
  }
  return Extractor(std::move(rules));
}

Result<std::vector<std::string>> extracted_names(std::span<const std::string> texts) {
  const auto extractor = Extractor::compile(texts);
  if (!extractor) return fail(extractor.error().copy());
  std::vector<std::string> names;
  for (const ExtractRule& rule : extractor->rules()) names.push_back(rule.name);
  return names;
}

Extracted Extractor::extract(std::string_view page, const PagePlace& place) const {
  const bool is_cut = page.size() > kExtractPageBytesMax;
  const dom::Document document =
      dom::parse(page, {.nodes_max = kExtractNodesMax, .page_bytes_max = kExtractPageBytesMax});
  Extracted extracted = extract(document, place);
  extracted.is_truncated = extracted.is_truncated || is_cut;
  return extracted;
}

Extracted Extractor::extract(const dom::Document& document, const PagePlace& place) const {
  Extracted extracted;
  Extraction extraction(document, place, rules_.size());
  for (const ExtractRule& rule : rules_) extracted.fields.push_back(extraction.field(rule));
  extracted.is_truncated = extraction.is_truncated() || document.is_truncated();
  return extracted;
}

}  // namespace gossamer::content
