#include "content/extractor.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "base/escape.h"
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

// The element or text that a value is taken from.
using ValueSources = std::vector<dom::XPathNode>;

std::string collapsed_text(std::string_view text) {
  std::string collapsed;
  html::append_collapsed(collapsed, text);
  return std::string(html::trimmed(collapsed));
}

// Takes the values of one page, within the bounds.
class Extraction {
 public:
  Extraction(const dom::Document& document, const PagePlace& place, std::size_t rules,
             bool has_items)
      : document_(document),
        links_(document, place),
        rules_(std::max<std::size_t>(rules, 1)),
        searches_(rules_ + (has_items ? 1 : 0)),
        values_share_(has_items ? kExtractItemValuesMax / rules_ : kExtractValuesMax) {}

  std::vector<const dom::Node*> items(const dom::Query& query) {
    auto found = query.find_all(document_, document_.root(), kExtractStepsMax / searches_);
    const std::size_t most = std::min(kExtractItemsMax, values_share_);
    is_truncated_ = is_truncated_ || !found.is_complete || found.elements.size() > most;
    found.elements.resize(std::min(found.elements.size(), most));
    return std::move(found.elements);
  }

  // Each rule has its share, so the first one cannot use up what the others need. It leaves to them
  // what it does not use.
  void begin_rule() {
    bytes_left_ += kExtractBytesMax / rules_;
    text_work_left_ += kExtractTextWorkMax / rules_;
    values_left_ = values_share_;
    steps_left_ = kExtractStepsMax / searches_;
  }
  // Searches below `from`, an item or the root of the page.
  ExtractedField field(const ExtractRule& rule, const dom::Node& from) {
    ExtractedField field = {.name = rule.name, .is_list = rule.is_list, .values = {}};
    if (const auto* const path = std::get_if<dom::XPath>(&rule.source)) {
      add_path(*path, from, field);
    } else {
      const auto& selector = std::get<dom::Selector>(rule.source);
      add_values(selected(rule, selector, from), rule.attribute, field);
    }
    return field;
  }
  bool is_truncated() const noexcept { return is_truncated_; }

 private:
  ValueSources selected(const ExtractRule& rule, const dom::Selector& selector,
                        const dom::Node& from) {
    if (rule.is_scope && from.is_element()) return {{&from}};
    if (!rule.is_list && rule.attribute.empty()) {
      const auto first = selector.find_first(document_, from, steps_left_);
      count_search(first);
      if (first.element == nullptr) return {};
      return {{first.element}};
    }
    const auto found = selector.find_all(document_, from, steps_left_);
    count_search(found);
    ValueSources sources;
    for (const dom::Node* const element : found.elements) sources.push_back({element});
    return sources;
  }
  template <class Search>
  void count_search(const Search& search) {
    is_truncated_ = is_truncated_ || !search.is_complete;
    steps_left_ = search.steps_left;
  }

  void add_path(const dom::XPath& path, const dom::Node& from, ExtractedField& field) {
    const dom::XPath::Found found = path.evaluate(document_, from, steps_left_);
    count_search(found);
    if (const auto* const nodes = std::get_if<dom::XPathNodes>(&found.value)) {
      return add_values(*nodes, {}, field);
    }
    if (!found.is_complete || !has_room(field)) return;
    add(collapsed_text(affordable(dom::to_text(found.value))), field);
  }
  void add_values(const ValueSources& sources, std::string_view attribute, ExtractedField& field) {
    for (const dom::XPathNode& source : sources) {
      if (!has_room(field)) return;
      auto value = value_of(source, attribute);
      if (!value) continue;
      add(std::move(*value), field);
      if (!field.is_list) return;
    }
  }
  bool has_room(const ExtractedField& field) {
    const bool has_room =
        field.values.size() < kExtractValuesMax && values_left_ > 0 && bytes_left_ > 0;
    is_truncated_ = is_truncated_ || !has_room;
    return has_room;
  }
  void add(std::string value, ExtractedField& field) {
    const std::size_t bytes_max = std::min(kExtractValueBytesMax, bytes_left_);
    is_truncated_ = is_truncated_ || value.size() > bytes_max;
    html::cut_utf8(value, bytes_max);
    bytes_left_ -= value.size();
    --values_left_;
    field.values.push_back(std::move(value));
  }

  // Returns nothing if the element does not have the attribute.
  std::optional<std::string> value_of(const dom::XPathNode& source, std::string_view attribute) {
    const dom::Node& node = *source.node;
    if (source.attribute != nullptr) return attribute_value(*source.attribute);
    if (!attribute.empty()) {
      const dom::Attribute* const found = find_attribute(node, attribute);
      return found == nullptr ? std::nullopt : std::optional(attribute_value(*found));
    }
    if (node.is_text() || node.kind() == dom::Kind::comment) {
      return collapsed_text(affordable(node.text()));
    }
    const std::size_t bytes_max = std::min(kExtractValueBytesMax, bytes_left_);
    ElementText text = element_text(node, bytes_max, text_work_left_);
    is_truncated_ = is_truncated_ || text.is_truncated;
    if (text.is_truncated && text.text.empty()) return std::nullopt;
    return std::move(text.text);
  }
  std::string attribute_value(const dom::Attribute& attribute) {
    const std::string name = html::lower_case(attribute.name());
    const std::string_view value = affordable(attribute.value());
    const bool is_whole = value.size() == attribute.value().size();
    const bool is_url = is_whole && std::ranges::count(kUrlAttributes, name) > 0;
    const url::Url* const url = is_url ? links_.resolve(value) : nullptr;
    return url == nullptr ? std::string(value) : std::string(url->href());
  }
  // Returns as much of a text as the work that is left allows, and counts it like element_text().
  std::string_view affordable(std::string_view text) {
    constexpr std::size_t kBytesPerWork = 8;
    const std::size_t size = html::utf8_end(text, text_work_left_ * kBytesPerWork);
    is_truncated_ = is_truncated_ || size < text.size();
    text_work_left_ -= std::min(1 + size / kBytesPerWork, text_work_left_);
    return text.substr(0, size);
  }

  const dom::Document& document_;
  PageLinks links_;
  std::size_t rules_;
  std::size_t searches_;
  std::size_t values_share_;
  std::uint64_t steps_left_ = 0;
  std::size_t text_work_left_ = 0;
  std::size_t bytes_left_ = 0;
  std::size_t values_left_ = 0;
  bool is_truncated_ = false;
};

}  // namespace

Result<Extractor> Extractor::compile(std::span<const std::string> texts, std::string_view items) {
  std::vector<ExtractRule> rules;
  for (const std::string& text : texts) {
    if (auto added = add_extract_rules(text, rules); !added) return fail(std::move(added).error());
  }
  if (items.empty()) return Extractor(std::move(rules), std::nullopt);
  if (rules.empty()) {
    return fail(Errc::invalid_argument, "items require fields, for example title=h1");
  }
  auto query = dom::Query::compile(items);
  if (!query) {
    return fail(Errc::invalid_argument,
                "items '" + base::escape_for_terminal(items) + "': " + query.error().message());
  }
  return Extractor(std::move(rules), std::move(*query));
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
  Extraction extraction(document, place, rules_.size(), has_items());
  std::vector<const dom::Node*> rows = {&document.root()};
  if (items_) rows = extraction.items(*items_);
  extracted.fields.resize(rows.size() * rules_.size());
  for (std::size_t at = 0; at < rules_.size(); ++at) {
    extraction.begin_rule();
    for (std::size_t row = 0; row < rows.size(); ++row) {
      ExtractedField& field = extracted.fields[row * rules_.size() + at];
      field = extraction.field(rules_[at], *rows[row]);
      field.item = items_ ? static_cast<std::uint32_t>(row + 1) : 0;
    }
  }
  extracted.is_truncated = extraction.is_truncated() || document.is_truncated();
  return extracted;
}

}  // namespace gossamer::content
