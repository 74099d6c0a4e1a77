#include "dom/builder.h"

#include <algorithm>

#include "dom/foreign.h"
#include "dom/traits.h"

namespace gossamer::dom {
namespace {

// BOUND: the attributes of <html> and <body>, which further tags of that name add to.
constexpr std::size_t kMergedAttributesMax = 256;

constexpr TagSet kImplied = {TagId::dd, TagId::dt, TagId::li, TagId::optgroup, TagId::option,
                             TagId::p,  TagId::rb, TagId::rp, TagId::rt,       TagId::rtc};
constexpr TagSet kImpliedThoroughly = {
    TagId::caption, TagId::colgroup, TagId::dd, TagId::dt,    TagId::li,    TagId::optgroup,
    TagId::option,  TagId::p,        TagId::rb, TagId::rp,    TagId::rt,    TagId::rtc,
    TagId::tbody,   TagId::td,       TagId::th, TagId::tfoot, TagId::thead, TagId::tr};
constexpr TagSet kMovesText = {TagId::table, TagId::tbody, TagId::tfoot, TagId::thead, TagId::tr};

// Nodes of a template are in its content.
Nodes::Place last_in(Node& parent) noexcept {
  if (!parent.is(TagId::template_)) return {.parent = &parent};
  return {.parent = parent.first_child()};
}

std::span<Attribute> stored_attributes(Nodes& nodes, const Tag& tag) {
  const std::size_t count = tag.attributes.size();
  if (count == 0) return {};
  Attribute* const stored = nodes.attribute_room(count);
  Attribute* at = stored;
  for (const html::Attribute& from : tag.attributes) {
    const std::string_view name =
        from.id == AttributeId::other ? nodes.stored(from.name) : from.name;
    new (at++) Attribute(from.id, AttributeSpace::none, name, nodes.stored(from.value));
  }
  return {stored, count};
}

}  // namespace

Node& Builder::make_element(const Tag& tag) {
  Node& element =
      nodes().make_element(Space::html, tag.id, tag.name, stored_attributes(nodes(), tag));
  Nodes::set_traits(element, html_traits(tag.id));
  if (tag.id == TagId::template_) Nodes::append(element, nodes().make(Kind::content));
  return element;
}

Node& Builder::insert_element(const Tag& tag) {
  Node& element = make_element(tag);
  Nodes::insert(place_for_element(open.size() - 1), element);
  open.push(element);
  return element;
}

Node& Builder::insert_element(TagId id) {
  Tag tag;
  tag.id = id;
  tag.name = html::name(id);
  return insert_element(tag);
}

void Builder::insert_foreign(const Tag& tag, Space space) {
  const std::span<const Attribute> attributes =
      adjusted_attributes(space, stored_attributes(nodes(), tag));
  const std::string_view name = space == Space::svg ? svg_name(tag.name) : tag.name;
  Node& element = nodes().make_element(space, tag.id, name, attributes);
  set_foreign_traits(element);
  Nodes::insert(place_for_element(open.size() - 1), element);
  if (!tag.self_closing) open.push(element);
}

void Builder::insert_text(std::string_view text) {
  if (!text.empty()) nodes().insert_text(place(), text);
}

void Builder::insert_comment(std::string_view text) {
  Nodes::insert(place(), nodes().make_comment(text));
}

void Builder::insert_with_text(const Tag& tag, TextMode content) {
  insert_element(tag);
  text_mode = content;
  original_mode = mode;
  mode = Mode::text;
}

void Builder::add_attributes(Node& element, const Tag& tag) {
  const std::span<const Attribute> old = element.attributes();
  const auto is_new = [&element](const html::Attribute& attribute) {
    return element.find(attribute.name) == nullptr;
  };
  if (old.size() + tag.attributes.size() > kMergedAttributesMax) return;
  const auto added = static_cast<std::size_t>(std::ranges::count_if(tag.attributes, is_new));
  if (added == 0) return;
  Attribute* const merged = nodes().attribute_room(old.size() + added);
  Attribute* at = std::ranges::copy(old, merged).out;
  for (const html::Attribute& attribute : tag.attributes) {
    if (!is_new(attribute)) continue;
    *at++ = Attribute(attribute.id, AttributeSpace::none, nodes().stored(attribute.name),
                      nodes().stored(attribute.value));
  }
  Nodes::set_attributes(element, {merged, at});
}

Nodes::Place Builder::unusual_place_in(Node& target) const noexcept {
  if (!foster_parenting || !OpenElements::is_in(target, kMovesText)) return last_in(target);
  const std::size_t last_table = open.find(TagId::table);
  const std::size_t last_template = open.find(TagId::template_);
  if (last_template != OpenElements::kNone &&
      (last_table == OpenElements::kNone || last_template > last_table)) {
    return last_in(open[last_template]);
  }
  if (last_table == OpenElements::kNone) return last_in(open[0]);
  Node& table = open[last_table];
  if (table.parent() != nullptr) return {.parent = table.parent(), .before = &table};
  return last_in(open[last_table - 1]);
}

Nodes::Place Builder::place_for_element(std::size_t target) const noexcept {
  if (open.level(target) < kDepthMax) [[likely]]
    return place_in(open[target]);
  return last_in(open.deepest_parent());
}

void Builder::reopen_formatting() {
  std::size_t at = formatting.size() - 1;
  while (at != 0 && formatting[at - 1] != nullptr && !formatting[at - 1]->has(Trait::open)) --at;
  for (; at != formatting.size(); ++at) {
    Node& element = nodes().make_alike(*formatting[at]);
    Nodes::insert(place_for_element(open.size() - 1), element);
    open.push(element);
    formatting.replace(at, element);
  }
}

void Builder::close_implied(TagId except) noexcept {
  while (open.current_is_in(kImplied) && open.current().tag() != except) open.pop();
}

void Builder::close_implied_thoroughly() noexcept {
  while (open.current_is_in(kImpliedThoroughly)) open.pop();
}

void Builder::reset_mode() noexcept {
  const std::size_t end = open.search_end();
  for (std::size_t i = open.size(); i != end;) {
    const bool is_last = --i == 0;
    open.looked_at(1);
    const Node& node = is_last && is_fragment() ? *context : open[i];
    if (node.space() != Space::html) continue;
    switch (node.tag()) {
      case TagId::td:
      case TagId::th:
        if (is_last) break;
        mode = Mode::in_cell;
        return;
      case TagId::tr: mode = Mode::in_row; return;
      case TagId::tbody:
      case TagId::thead:
      case TagId::tfoot: mode = Mode::in_table_body; return;
      case TagId::caption: mode = Mode::in_caption; return;
      case TagId::colgroup: mode = Mode::in_column_group; return;
      case TagId::table: mode = Mode::in_table; return;
      case TagId::template_: mode = template_modes.back(); return;
      case TagId::head:
        if (is_last) break;
        mode = Mode::in_head;
        return;
      case TagId::body: mode = Mode::in_body; return;
      case TagId::frameset: mode = Mode::in_frameset; return;
      case TagId::html: mode = head == nullptr ? Mode::before_head : Mode::after_head; return;
      default: break;
    }
  }
  mode = Mode::in_body;
}

}  // namespace gossamer::dom
