// Text and start tags in the body.
// https://html.spec.whatwg.org/#parsing-main-inbody
#include "dom/modes.h"
#include "html/token/ascii.h"
#include "html/token/scan.h"

namespace gossamer::dom {
namespace {

// The rules, in the order of the standard.

Next start_html(Builder& tree, const Tag& tag) {
  if (!tree.open.has(TagId::template_)) tree.add_attributes(tree.open[0], tag);
  return Next::done;
}

bool has_body(const Builder& tree) noexcept {
  return tree.open.size() > 1 && tree.open[1].is(TagId::body);
}

Next start_body(Builder& tree, const Tag& tag) {
  if (!has_body(tree) || tree.open.has(TagId::template_)) return Next::done;
  tree.frameset_ok = false;
  tree.add_attributes(tree.open[1], tag);
  return Next::done;
}

Next start_frameset(Builder& tree, const Tag& tag) {
  if (!has_body(tree) || !tree.frameset_ok) return Next::done;
  Nodes::remove(tree.open[1]);
  while (tree.open.size() > 1) tree.open.pop();
  tree.insert_element(tag);
  tree.mode = Mode::in_frameset;
  return Next::done;
}

Next start_block(Builder& tree, const Tag& tag) {
  tree.close_p_in_button_scope();
  tree.insert_element(tag);
  return Next::done;
}

Next start_heading(Builder& tree, const Tag& tag) {
  tree.close_p_in_button_scope();
  if (tree.open.current_is_in(kHeadings)) tree.open.pop();
  tree.insert_element(tag);
  return Next::done;
}

Next start_pre(Builder& tree, const Tag& tag) {
  tree.close_p_in_button_scope();
  tree.insert_element(tag);
  tree.skips_line_feed = true;
  tree.frameset_ok = false;
  return Next::done;
}

Next start_form(Builder& tree, const Tag& tag) {
  const bool in_template = tree.open.has(TagId::template_);
  if (tree.form != nullptr && !in_template) return Next::done;
  tree.close_p_in_button_scope();
  Node& form = tree.insert_element(tag);
  if (!in_template) tree.form = &form;
  return Next::done;
}

// Closes the item before this one, if it is open.
void close_item(Builder& tree, const TagSet& items) {
  static constexpr TagSet kPassed = {TagId::address, TagId::div, TagId::p};
  const std::size_t end = tree.open.search_end();
  for (std::size_t i = tree.open.size(); i != end;) {
    const Node& node = tree.open[--i];
    tree.open.looked_at(1);
    if (OpenElements::is_in(node, items)) {
      tree.close(node.tag());
      return;
    }
    if (node.has(Trait::special) && !OpenElements::is_in(node, kPassed)) return;
  }
}

Next start_li(Builder& tree, const Tag& tag) {
  static constexpr TagSet kItems = {TagId::li};
  tree.frameset_ok = false;
  if (tree.open.has(TagId::li)) close_item(tree, kItems);
  return start_block(tree, tag);
}

Next start_dd(Builder& tree, const Tag& tag) {
  static constexpr TagSet kItems = {TagId::dd, TagId::dt};
  tree.frameset_ok = false;
  if (tree.open.has(TagId::dd) || tree.open.has(TagId::dt)) close_item(tree, kItems);
  return start_block(tree, tag);
}

Next start_plaintext(Builder& tree, const Tag& tag) {
  start_block(tree, tag);
  tree.text_mode = TextMode::plaintext;
  return Next::done;
}

Next start_button(Builder& tree, const Tag& tag) {
  if (tree.open.has_in_scope(TagId::button)) {
    tree.close_implied();
    tree.open.pop_through(TagId::button);
  }
  tree.reconstruct_formatting();
  tree.insert_element(tag);
  tree.frameset_ok = false;
  return Next::done;
}

Next start_formatting(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  tree.formatting.push(tree.insert_element(tag));
  return Next::done;
}

Next start_a(Builder& tree, const Tag& tag) {
  const std::size_t before = tree.formatting.find_after_marker(TagId::a);
  if (before != FormattingList::kNone) {
    const Node& element = *tree.formatting[before];
    in_body_end(tree, tag);  // as if it were an end tag
    tree.formatting.remove(element);
    tree.open.remove(element);
  }
  return start_formatting(tree, tag);
}

Next start_nobr(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  if (tree.open.has_in_scope(TagId::nobr)) {
    in_body_end(tree, tag);
    tree.reconstruct_formatting();
  }
  tree.formatting.push(tree.insert_element(tag));
  return Next::done;
}

Next start_object(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  tree.insert_element(tag);
  tree.formatting.push_marker();
  tree.frameset_ok = false;
  return Next::done;
}

Next start_table(Builder& tree, const Tag& tag) {
  if (tree.quirks() != Quirks::full) tree.close_p_in_button_scope();
  tree.insert_element(tag);
  tree.frameset_ok = false;
  tree.mode = Mode::in_table;
  return Next::done;
}

Next start_void(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  tree.insert_void(tag);
  tree.frameset_ok = false;
  return Next::done;
}

bool is_fragment_of_select(const Builder& tree) noexcept {
  return tree.is_fragment() && tree.context->is(TagId::select);
}

Next start_input(Builder& tree, const Tag& tag) {
  if (is_fragment_of_select(tree)) return Next::done;
  if (tree.open.has_in_scope(TagId::select)) tree.open.pop_through(TagId::select);
  tree.reconstruct_formatting();
  tree.insert_void(tag);
  if (!html::equals_ignoring_case(tag.value(AttributeId::type), "hidden")) {
    tree.frameset_ok = false;
  }
  return Next::done;
}

Next start_param(Builder& tree, const Tag& tag) {
  tree.insert_void(tag);
  return Next::done;
}

Next start_hr(Builder& tree, const Tag& tag) {
  tree.close_p_in_button_scope();
  if (tree.open.has_in_scope(TagId::select)) tree.close_implied();
  tree.insert_void(tag);
  tree.frameset_ok = false;
  return Next::done;
}

Next start_image(Builder& tree, const Tag& tag) {
  Tag renamed = tag;
  renamed.id = TagId::img;
  renamed.name = html::name(TagId::img);
  return start_void(tree, renamed);
}

Next start_textarea(Builder& tree, const Tag& tag) {
  tree.insert_with_text(tag, TextMode::rcdata);
  tree.skips_line_feed = true;
  tree.frameset_ok = false;
  return Next::done;
}

Next start_xmp(Builder& tree, const Tag& tag) {
  tree.close_p_in_button_scope();
  tree.reconstruct_formatting();
  tree.frameset_ok = false;
  tree.insert_with_text(tag, TextMode::rawtext);
  return Next::done;
}

Next start_iframe(Builder& tree, const Tag& tag) {
  tree.frameset_ok = false;
  tree.insert_with_text(tag, TextMode::rawtext);
  return Next::done;
}

Next start_noembed(Builder& tree, const Tag& tag) {
  tree.insert_with_text(tag, TextMode::rawtext);
  return Next::done;
}

Next start_other(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  tree.insert_element(tag);
  return Next::done;
}

Next start_noscript(Builder& tree, const Tag& tag) {
  return tree.options.scripting ? start_noembed(tree, tag) : start_other(tree, tag);
}

Next start_select(Builder& tree, const Tag& tag) {
  if (is_fragment_of_select(tree)) return Next::done;
  if (tree.open.has_in_scope(TagId::select)) {
    tree.open.pop_through(TagId::select);
    return Next::done;
  }
  tree.frameset_ok = false;
  return start_other(tree, tag);
}

Next start_option(Builder& tree, const Tag& tag) {
  if (tree.open.has_in_scope(TagId::select)) {
    tree.close_implied(tag.id == TagId::option ? TagId::optgroup : TagId::other);
  } else if (tree.open.current_is(TagId::option)) {
    tree.open.pop();
  }
  return start_other(tree, tag);
}

Next start_rb(Builder& tree, const Tag& tag) {
  if (tree.open.has_in_scope(TagId::ruby)) tree.close_implied();
  tree.insert_element(tag);
  return Next::done;
}

Next start_rt(Builder& tree, const Tag& tag) {
  if (tree.open.has_in_scope(TagId::ruby)) tree.close_implied(TagId::rtc);
  tree.insert_element(tag);
  return Next::done;
}

Next start_foreign(Builder& tree, const Tag& tag) {
  tree.reconstruct_formatting();
  tree.insert_foreign(tag, tag.id == TagId::svg ? Space::svg : Space::math);
  return Next::done;
}

// clang-format off
constexpr TagRules kStarts = TagRules(start_other)
    .set(start_html, {TagId::html})
    .set(in_head_start, {TagId::base, TagId::basefont, TagId::bgsound, TagId::link, TagId::meta,
                         TagId::noframes, TagId::script, TagId::style, TagId::template_,
                         TagId::title})
    .set(start_body, {TagId::body})
    .set(start_frameset, {TagId::frameset})
    .set(start_block, {TagId::address, TagId::article, TagId::aside, TagId::blockquote,
                       TagId::center, TagId::details, TagId::dialog, TagId::dir, TagId::div,
                       TagId::dl, TagId::fieldset, TagId::figcaption, TagId::figure,
                       TagId::footer, TagId::header, TagId::hgroup, TagId::main, TagId::menu,
                       TagId::nav, TagId::ol, TagId::p, TagId::search, TagId::section,
                       TagId::summary, TagId::ul})
    .set(start_heading, {TagId::h1, TagId::h2, TagId::h3, TagId::h4, TagId::h5, TagId::h6})
    .set(start_pre, {TagId::pre, TagId::listing})
    .set(start_form, {TagId::form})
    .set(start_li, {TagId::li})
    .set(start_dd, {TagId::dd, TagId::dt})
    .set(start_plaintext, {TagId::plaintext})
    .set(start_button, {TagId::button})
    .set(start_a, {TagId::a})
    .set(start_formatting, {TagId::b, TagId::big, TagId::code, TagId::em, TagId::font, TagId::i,
                            TagId::s, TagId::small, TagId::strike, TagId::strong, TagId::tt,
                            TagId::u})
    .set(start_nobr, {TagId::nobr})
    .set(start_object, {TagId::applet, TagId::marquee, TagId::object})
    .set(start_table, {TagId::table})
    .set(start_void, {TagId::area, TagId::br, TagId::embed, TagId::img, TagId::keygen,
                      TagId::wbr})
    .set(start_input, {TagId::input})
    .set(start_param, {TagId::param, TagId::source, TagId::track})
    .set(start_hr, {TagId::hr})
    .set(start_image, {TagId::image})
    .set(start_textarea, {TagId::textarea})
    .set(start_xmp, {TagId::xmp})
    .set(start_iframe, {TagId::iframe})
    .set(start_noembed, {TagId::noembed})
    .set(start_noscript, {TagId::noscript})
    .set(start_select, {TagId::select})
    .set(start_option, {TagId::option, TagId::optgroup})
    .set(start_rb, {TagId::rb, TagId::rtc})
    .set(start_rt, {TagId::rp, TagId::rt})
    .set(start_foreign, {TagId::math, TagId::svg})
    .set(ignore, {TagId::caption, TagId::col, TagId::colgroup, TagId::frame, TagId::head,
                  TagId::tbody, TagId::td, TagId::tfoot, TagId::th, TagId::thead, TagId::tr});
// clang-format on

}  // namespace

Next in_body_start(Builder& tree, const Tag& tag) { return kStarts[tag.id](tree, tag); }

void in_body_text(Builder& tree, std::string_view& text) {
  const char* const begin = text.data();
  const char* const end = html::find_any(begin, begin + text.size(), '\0');
  const std::string_view part(begin, end);
  text.remove_prefix(part.size());
  while (text.starts_with('\0')) text.remove_prefix(1);
  if (part.empty()) return;
  tree.reconstruct_formatting();
  tree.insert_text(part);
  if (tree.frameset_ok && !is_space(part)) tree.frameset_ok = false;
}

Next in_body_end_of_page(Builder& tree) {
  return tree.template_modes.empty() ? stop(tree) : in_template_end_of_page(tree);
}

const ModeRules kInBody = {in_body_start, in_body_end, in_body_text, in_body_end_of_page};

}  // namespace gossamer::dom
