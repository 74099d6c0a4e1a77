#include "content/structured_data.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "content/element_text.h"
#include "html/token/ascii.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using base::JsonMember;
using base::JsonValue;
using html::AttributeId;

constexpr std::size_t kPropertyBytesMax = 4096;
// Quotes, braces and commas of a property.
constexpr std::size_t kMarkBytes = 10;
// BOUND: how much of a value is searched for facts.
constexpr std::size_t kFactItemsMax = 1000;
constexpr std::size_t kFactBytesMax = 200;
constexpr std::size_t kAuthorsMax = 10;

JsonValue text_value(std::string text) {
  JsonValue value;
  value.kind = JsonValue::Kind::text;
  value.text = std::move(text);
  return value;
}

// Adds a member. A second one of the same name makes a list.
void add_property(JsonValue& object, std::string_view name, JsonValue value) {
  const auto found = std::ranges::find(object.members, name, &JsonMember::name);
  if (found == object.members.end()) {
    object.members.push_back({std::string(name), std::move(value)});
    return;
  }
  JsonValue& kept = found->value;
  if (kept.kind != JsonValue::Kind::array) {
    JsonValue list;
    list.kind = JsonValue::Kind::array;
    list.items.push_back(std::move(kept));
    kept = std::move(list);
  }
  kept.items.push_back(std::move(value));
}

std::string_view attribute_of(const dom::Node& element, std::string_view name) {
  const dom::Attribute* const found = element.find(name);
  return found == nullptr ? std::string_view() : html::trimmed(found->value());
}

// The attribute with the value of a property; `other` if it is the text.
// https://html.spec.whatwg.org/#values
AttributeId address_attribute(const dom::Node& element) {
  switch (element.tag()) {
    case html::TagId::audio:
    case html::TagId::embed:
    case html::TagId::iframe:
    case html::TagId::img:
    case html::TagId::source:
    case html::TagId::track:
    case html::TagId::video: return AttributeId::src;
    case html::TagId::a:
    case html::TagId::area:
    case html::TagId::link: return AttributeId::href;
    case html::TagId::object: return AttributeId::data;
    default: return AttributeId::other;
  }
}

// "https://schema.org/NewsArticle" -> "NewsArticle".
std::string_view short_type(std::string_view type) {
  const std::size_t at = type.find_last_of("/#:");
  return at == std::string_view::npos ? type : type.substr(at + 1);
}

bool is_article_type(std::string_view name) {
  constexpr auto kArticleEnds = std::to_array<std::string_view>(
      {"Article", "Posting", "Report", "Review", "Recipe", "Question"});
  return std::ranges::any_of(kArticleEnds,
                             [&](std::string_view end) { return name.ends_with(end); });
}

bool is_page_type(std::string_view name) {
  return name.ends_with("Page") || name == "CreativeWork";
}

bool is_offer_type(std::string_view name) {
  constexpr auto kOffers = std::to_array<std::string_view>(
      {"Product", "ProductGroup", "CollectionPage", "ItemList", "Service", "ProfessionalService",
       "LocalBusiness", "SoftwareApplication", "VideoGame"});
  return std::ranges::count(kOffers, name) > 0;
}

// Returns whether one of the types of an object has a property.
bool has_type(const JsonValue& object, bool (*is_wanted)(std::string_view)) {
  const JsonValue* const type = object.find("@type");
  if (type == nullptr) return false;
  if (type->kind == JsonValue::Kind::text) return is_wanted(short_type(type->text));
  return std::ranges::any_of(
      type->items, [&](const JsonValue& item) { return is_wanted(short_type(item.text)); });
}

// BOUND: types of all objects of a page.
constexpr std::size_t kTypesMax = 256;

void add_types(const JsonValue& object, std::vector<std::string>& types) {
  const JsonValue* const type = object.find("@type");
  const auto add = [&types](const JsonValue& one) {
    const bool has_room = types.size() < kTypesMax && one.text.size() <= kFactBytesMax;
    if (has_room && !one.text.empty()) types.emplace_back(short_type(one.text));
  };
  if (type == nullptr) return;
  add(*type);
  for (const JsonValue& item : type->items) add(item);
}

std::string fact_text(std::string_view text) {
  std::string fact;
  html::append_collapsed(fact, html::trimmed(text.substr(0, 4 * kFactBytesMax)));
  html::cut_utf8(fact, kFactBytesMax);
  return fact;
}

// Objects by their @id: others only refer to them.
using Names = std::unordered_map<std::string_view, std::string_view>;

// "A, B": of a text, an object with a name, or a list of these.
std::string names_in(const JsonValue& value, const Names& names_by_id) {
  if (value.kind == JsonValue::Kind::text) return fact_text(value.text);
  if (value.kind == JsonValue::Kind::object) {
    if (const JsonValue* const name = value.find("name")) return names_in(*name, names_by_id);
    const std::string_view id = value.text_of("@id");
    if (id.empty()) return {};
    const auto known = names_by_id.find(id);
    return known == names_by_id.end() ? std::string() : fact_text(known->second);
  }
  std::string names;
  for (const JsonValue& item : value.items) {
    if (&item - value.items.data() == kAuthorsMax) break;
    if (item.kind == JsonValue::Kind::array) continue;
    const std::string one = names_in(item, names_by_id);
    if (!one.empty()) names += (names.empty() ? "" : ", ") + one;
  }
  return names;
}

// Returns the objects that may describe the page, in their order.
std::vector<const JsonValue*> described_in(const JsonValue& data) {
  std::vector<const JsonValue*> open = {&data};
  for (std::size_t at = 0; at < open.size() && at < kFactItemsMax; ++at) {
    const JsonValue& value = *open[at];
    for (const JsonValue& item : value.items) {
      if (open.size() < kFactItemsMax) open.push_back(&item);
    }
    for (const std::string_view name : {"@graph", "mainEntity", "mainEntityOfPage"}) {
      if (const JsonValue* const inner = value.find(name)) open.push_back(inner);
    }
  }
  return open;
}

}  // namespace

Result<JsonValue> parse_json_ld(std::string_view text) {
  text = html::trimmed(text);
  for (const auto& [begin, end] : {std::pair<std::string_view, std::string_view>{"<!--", "-->"},
                                   {"//<![CDATA[", "//]]>"},
                                   {"<![CDATA[", "]]>"}}) {
    if (!text.starts_with(begin)) continue;
    text.remove_prefix(begin.size());
    if (text.ends_with(end)) text.remove_suffix(end.size());
    text = html::trimmed(text);
  }
  // Many programs write it after their last value.
  if (text.ends_with(';')) text.remove_suffix(1);
  return base::parse_json(text, kJsonLdDepthMax);
}

bool MicrodataReader::begins_item(const dom::Node& element) {
  return element.is_element() && !element.attributes().empty() &&
         element.find("itemscope") != nullptr && element.find(AttributeId::itemprop) == nullptr;
}

std::string MicrodataReader::take(std::string_view text) {
  is_truncated_ = is_truncated_ || text.size() > bytes_left_;
  std::string taken(text.substr(0, bytes_left_));
  html::cut_utf8(taken, bytes_left_);
  bytes_left_ -= taken.size();
  return taken;
}

JsonValue MicrodataReader::read_item(const dom::Node& item, std::size_t depth) {
  JsonValue object;
  object.kind = JsonValue::Kind::object;
  bytes_left_ -= std::min(bytes_left_, 2 * kMarkBytes);
  if (const auto type = attribute_of(item, "itemtype"); !type.empty()) {
    add_property(object, "@type", text_value(take(type)));
  }
  if (const auto id = attribute_of(item, "itemid"); !id.empty()) {
    add_property(object, "@id", text_value(take(id)));
  }
  const dom::Node* node = dom::next_in(item, item);
  while (node != nullptr) {
    if (bytes_left_ == 0 || work_left_ == 0) {
      is_truncated_ = true;
      break;
    }
    --work_left_;
    const dom::Attribute* const names =
        node->is_element() ? node->find(AttributeId::itemprop) : nullptr;
    const bool is_item =
        node->is_element() && !node->attributes().empty() && node->find("itemscope") != nullptr;
    if (names != nullptr) {
      // BOUND: an element is a property of few names, and an item of one.
      std::size_t names_left = is_item ? 1 : 4;
      html::for_each_word(names->value(), [&](std::string_view name) {
        if (names_left == 0 || bytes_left_ == 0 || object.members.size() > 200) return;
        --names_left;
        bytes_left_ -= std::min(bytes_left_, kMarkBytes);
        const std::string key = take(name);
        add_property(object, key, read_property(*node, depth));
      });
    }
    node = is_item ? dom::next_after(item, *node) : dom::next_in(item, *node);
  }
  return object;
}

JsonValue MicrodataReader::read_property(const dom::Node& element, std::size_t depth) {
  if (element.find("itemscope") != nullptr) {
    if (depth < kMicrodataDepthMax) return read_item(element, depth + 1);
    is_truncated_ = true;
    return {};
  }
  if (element.is(html::TagId::meta)) {
    return text_value(take(html::trimmed(element.value(AttributeId::content))));
  }
  if (const AttributeId id = address_attribute(element); id != AttributeId::other) {
    const std::string_view address = element.value(id);
    const url::Url* const url = links_.resolve(address);
    return text_value(take(url == nullptr ? address : url->href()));
  }
  for (const std::string_view name : {"datetime", "value"}) {
    const bool has_it = name == "datetime" ? element.name() == "time"
                                           : element.name() == "data" || element.name() == "meter";
    const dom::Attribute* const found = has_it ? element.find(name) : nullptr;
    if (found != nullptr) return text_value(take(html::trimmed(found->value())));
  }
  return text_value(take(element_text(element, kPropertyBytesMax, work_left_).text));
}

void StructuredFacts::add(const JsonValue& data) {
  const std::vector<const JsonValue*> values = described_in(data);
  Names names_by_id;
  for (const JsonValue* const value : values) {
    const std::string_view name = value->text_of("name");
    if (!name.empty()) names_by_id.emplace(value->text_of("@id"), name);
  }
  for (const JsonValue* const value : values) {
    is_offer = is_offer || has_type(*value, is_offer_type);
    add_types(*value, types);
    const bool is_article = has_type(*value, is_article_type);
    if (!is_article && !has_type(*value, is_page_type)) continue;
    if (const JsonValue* const by = value->find("author"); by != nullptr && author.empty()) {
      author = names_in(*by, names_by_id);
    }
    std::string& day = is_article ? published : page_published;
    for (const std::string_view name : {"datePublished", "dateCreated"}) {
      if (day.empty()) day = fact_text(value->text_of(name));
    }
    if (modified.empty()) modified = fact_text(value->text_of("dateModified"));
  }
}

}  // namespace gossamer::content
