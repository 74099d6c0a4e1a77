// End tags in the body.
// https://html.spec.whatwg.org/#parsing-main-inbody
#include "dom/adoption.h"
#include "dom/modes.h"

namespace gossamer::dom {
namespace {

Next end_body(Builder& tree, const Tag& /*tag*/) {
  if (tree.open.has_in_scope(TagId::body)) tree.mode = Mode::after_body;
  return Next::done;
}

Next end_html(Builder& tree, const Tag& /*tag*/) {
  if (!tree.open.has_in_scope(TagId::body)) return Next::done;
  tree.mode = Mode::after_body;
  return Next::again;
}

Next end_block(Builder& tree, const Tag& tag) {
  if (!tree.open.has_in_scope(tag.id)) return Next::done;
  tree.close_implied();
  tree.open.pop_through(tag.id);
  return Next::done;
}

Next end_form(Builder& tree, const Tag& tag) {
  if (tree.open.has(TagId::template_)) return end_block(tree, tag);
  const Node* const form = tree.form;
  tree.form = nullptr;
  if (form == nullptr || !tree.open.has_in_scope(*form)) return Next::done;
  tree.close_implied();
  tree.open.remove(*form);
  return Next::done;
}

Next end_p(Builder& tree, const Tag& /*tag*/) {
  if (!tree.open.has_in_scope(TagId::p, Scope::button)) tree.insert_element(TagId::p);
  tree.close(TagId::p);
  return Next::done;
}

Next end_li(Builder& tree, const Tag& /*tag*/) {
  if (tree.open.has_in_scope(TagId::li, Scope::list_item)) tree.close(TagId::li);
  return Next::done;
}

Next end_dd(Builder& tree, const Tag& tag) {
  if (tree.open.has_in_scope(tag.id)) tree.close(tag.id);
  return Next::done;
}

Next end_heading(Builder& tree, const Tag& /*tag*/) {
  if (!tree.open.has_in_scope(kHeadings)) return Next::done;
  tree.close_implied();
  tree.open.pop_through(kHeadings);
  return Next::done;
}

Next end_object(Builder& tree, const Tag& tag) {
  if (!tree.open.has_in_scope(tag.id)) return Next::done;
  tree.close_implied();
  tree.open.pop_through(tag.id);
  tree.formatting.clear_to_marker();
  return Next::done;
}

Next end_br(Builder& tree, const Tag& /*tag*/) {
  Tag tag;
  tag.id = TagId::br;
  tag.name = html::name(TagId::br);
  return in_body_start(tree, tag);
}

Next end_other(Builder& tree, const Tag& tag) {
  const std::size_t end = tree.open.search_end();
  for (std::size_t i = tree.open.size(); i != end;) {
    const Node& node = tree.open[--i];
    tree.open.looked_at(1);
    const bool is_same = node.tag() == tag.id && node.space() == Space::html &&
                         (tag.id != TagId::other || node.name() == tag.name);
    if (is_same) {
      tree.close_implied(tag.id);
      tree.open.pop_through(node);
      return Next::done;
    }
    if (node.has(Trait::special)) return Next::done;
  }
  return Next::done;
}

Next end_formatting(Builder& tree, const Tag& tag) {
  return adopt(tree, tag.id) ? Next::done : end_other(tree, tag);
}

// clang-format off
constexpr TagRules kEnds = TagRules(end_other)
    .set(end_template, {TagId::template_})
    .set(end_body, {TagId::body})
    .set(end_html, {TagId::html})
    .set(end_block, {TagId::address, TagId::article, TagId::aside, TagId::blockquote,
                     TagId::button, TagId::center, TagId::details, TagId::dialog, TagId::dir,
                     TagId::div, TagId::dl, TagId::fieldset, TagId::figcaption, TagId::figure,
                     TagId::footer, TagId::header, TagId::hgroup, TagId::listing, TagId::main,
                     TagId::menu, TagId::nav, TagId::ol, TagId::pre, TagId::search,
                     TagId::section, TagId::select, TagId::summary, TagId::ul})
    .set(end_form, {TagId::form})
    .set(end_p, {TagId::p})
    .set(end_li, {TagId::li})
    .set(end_dd, {TagId::dd, TagId::dt})
    .set(end_heading, {TagId::h1, TagId::h2, TagId::h3, TagId::h4, TagId::h5, TagId::h6})
    .set(end_formatting, {TagId::a, TagId::b, TagId::big, TagId::code, TagId::em, TagId::font,
                          TagId::i, TagId::nobr, TagId::s, TagId::small, TagId::strike,
                          TagId::strong, TagId::tt, TagId::u})
    .set(end_object, {TagId::applet, TagId::marquee, TagId::object})
    .set(end_br, {TagId::br});
// clang-format on

}  // namespace

Next in_body_end(Builder& tree, const Tag& tag) { return kEnds[tag.id](tree, tag); }

}  // namespace gossamer::dom
