// Tags and text within SVG and MathML.
// https://html.spec.whatwg.org/#parsing-main-inforeign
#include "dom/modes.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

// clang-format off
constexpr TagSet kHtmlOnly = {
    TagId::b, TagId::big, TagId::blockquote, TagId::body, TagId::br, TagId::center, TagId::code,
    TagId::dd, TagId::div, TagId::dl, TagId::dt, TagId::em, TagId::embed, TagId::h1, TagId::h2,
    TagId::h3, TagId::h4, TagId::h5, TagId::h6, TagId::head, TagId::hr, TagId::i, TagId::img,
    TagId::li, TagId::listing, TagId::menu, TagId::meta, TagId::nobr, TagId::ol, TagId::p,
    TagId::pre, TagId::ruby, TagId::s, TagId::small, TagId::span, TagId::strong, TagId::strike,
    TagId::sub, TagId::sup, TagId::table, TagId::tt, TagId::u, TagId::ul, TagId::var};
// clang-format on

bool is_html(const Node& node) noexcept {
  return node.space() == Space::html || node.has(Trait::takes_html) || node.has(Trait::takes_text);
}

// Whether a tag ends the foreign content, because only HTML has such an element.
bool ends_foreign(const Tag& tag) noexcept {
  if (tag.is_end) return tag.id == TagId::br || tag.id == TagId::p;
  if (kHtmlOnly.has(tag.id)) return true;
  return tag.id == TagId::font &&
         (tag.find(AttributeId::color) != nullptr || tag.find(AttributeId::face) != nullptr ||
          tag.find(AttributeId::size) != nullptr);
}

void leave_foreign(Builder& tree) noexcept {
  while (!is_html(tree.open.current())) tree.open.pop();
}

}  // namespace

Next in_foreign_start(Builder& tree, const Tag& tag) {
  if (ends_foreign(tag)) {
    leave_foreign(tree);
    return rules_of(tree.mode).start_tag(tree, tag);
  }
  tree.insert_foreign(tag, tree.adjusted_current().space());
  return Next::done;
}

Next in_foreign_end(Builder& tree, const Tag& tag) {
  if (ends_foreign(tag)) {
    leave_foreign(tree);
    return rules_of(tree.mode).end_tag(tree, tag);
  }
  const std::size_t end = tree.open.search_end();
  for (std::size_t i = tree.open.size(); i != end;) {
    const Node& node = tree.open[--i];
    tree.open.looked_at(1);
    if (i == 0) return Next::done;
    if (node.space() == Space::html) return rules_of(tree.mode).end_tag(tree, tag);
    const bool is_same =
        node.tag() == tag.id &&
        (tag.id != TagId::other || html::equals_ignoring_case(node.name(), tag.name));
    if (is_same) {
      tree.open.pop_through(node);
      return Next::done;
    }
  }
  return Next::done;
}

void in_foreign_text(Builder& tree, std::string_view text) {
  static constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('\0'));
    text.remove_prefix(part.size());
    tree.insert_text(part);
    if (!is_space(part)) tree.frameset_ok = false;
    if (text.empty()) return;
    tree.insert_text(kReplacement);
    text.remove_prefix(1);
  }
}

}  // namespace gossamer::dom
