// The text of an element, templates, framesets, and what follows the body.
#include "dom/modes.h"

namespace gossamer::dom {
namespace {

Next reprocess_in(Builder& tree, Mode mode) {
  tree.mode = mode;
  return Next::again;
}

// https://html.spec.whatwg.org/#parsing-main-incdata

Next text_start(Builder& /*tree*/, const Tag& /*tag*/) { return Next::done; }  // there are none

Next text_end(Builder& tree, const Tag& /*tag*/) {
  tree.open.pop();
  tree.mode = tree.original_mode;
  return Next::done;
}

void text_text(Builder& tree, std::string_view& text) {
  tree.insert_text(text);
  text = {};
}

Next text_end_of_page(Builder& tree) {
  tree.open.pop();
  return reprocess_in(tree, tree.original_mode);
}

// https://html.spec.whatwg.org/#parsing-main-intemplate

Next switch_template_mode(Builder& tree, Mode mode) {
  tree.template_modes.back() = mode;
  return reprocess_in(tree, mode);
}

Next in_template_start(Builder& tree, const Tag& tag) {
  static constexpr TagSet kHead = {TagId::base,      TagId::basefont, TagId::bgsound, TagId::link,
                                   TagId::meta,      TagId::noframes, TagId::script,  TagId::style,
                                   TagId::template_, TagId::title};
  static constexpr TagSet kTable = {TagId::caption, TagId::colgroup, TagId::tbody, TagId::tfoot,
                                    TagId::thead};
  if (kHead.has(tag.id)) return in_head_start(tree, tag);
  if (kTable.has(tag.id)) return switch_template_mode(tree, Mode::in_table);
  switch (tag.id) {
    case TagId::col: return switch_template_mode(tree, Mode::in_column_group);
    case TagId::tr: return switch_template_mode(tree, Mode::in_table_body);
    case TagId::td:
    case TagId::th: return switch_template_mode(tree, Mode::in_row);
    default: return switch_template_mode(tree, Mode::in_body);
  }
}

Next in_template_end(Builder& tree, const Tag& tag) {
  return tag.id == TagId::template_ ? end_template(tree, tag) : Next::done;
}

// https://html.spec.whatwg.org/#parsing-main-afterbody

Next back_to_body(Builder& tree, const Tag& /*tag*/) { return reprocess_in(tree, Mode::in_body); }

Next after_body_start(Builder& tree, const Tag& tag) {
  return tag.id == TagId::html ? in_body_start(tree, tag) : back_to_body(tree, tag);
}

Next after_body_end(Builder& tree, const Tag& tag) {
  if (tag.id != TagId::html) return back_to_body(tree, tag);
  if (!tree.is_fragment()) tree.mode = Mode::after_after_body;
  return Next::done;
}

void after_body_text(Builder& tree, std::string_view& text) {
  std::string_view space = take_space(text);
  if (!space.empty()) in_body_text(tree, space);
  if (!text.empty()) tree.mode = Mode::in_body;
}

// https://html.spec.whatwg.org/#parsing-main-inframeset

Next in_frameset_start(Builder& tree, const Tag& tag) {
  switch (tag.id) {
    case TagId::html: return in_body_start(tree, tag);
    case TagId::frameset: tree.insert_element(tag); return Next::done;
    case TagId::frame: tree.insert_void(tag); return Next::done;
    case TagId::noframes: return in_head_start(tree, tag);
    default: return Next::done;
  }
}

Next in_frameset_end(Builder& tree, const Tag& tag) {
  if (tag.id != TagId::frameset || tree.open.size() == 1) return Next::done;
  tree.open.pop();
  if (!tree.is_fragment() && !tree.open.current_is(TagId::frameset)) {
    tree.mode = Mode::after_frameset;
  }
  return Next::done;
}

void space_only(Builder& tree, std::string_view& text) {
  tree.insert_text(take_space(text));
  take_non_space(text);
}

// https://html.spec.whatwg.org/#parsing-main-afterframeset

Next after_frameset_start(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::html) return in_body_start(tree, tag);
  return tag.id == TagId::noframes ? in_head_start(tree, tag) : Next::done;
}

Next after_frameset_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::html) tree.mode = Mode::after_after_frameset;
  return Next::done;
}

// https://html.spec.whatwg.org/#the-after-after-frameset-insertion-mode

void after_after_frameset_text(Builder& tree, std::string_view& text) {
  std::string_view space = take_space(text);
  if (!space.empty()) in_body_text(tree, space);
  take_non_space(text);
}

}  // namespace

Next in_template_end_of_page(Builder& tree) {
  if (!tree.open.has(TagId::template_)) return stop(tree);
  tree.open.pop_through(TagId::template_);
  tree.formatting.clear_to_marker();
  tree.template_modes.pop_back();
  tree.reset_mode();
  return Next::again;
}

const ModeRules kText = {text_start, text_end, text_text, text_end_of_page};
const ModeRules kInTemplate = {in_template_start, in_template_end, in_body_text,
                               in_template_end_of_page};
const ModeRules kAfterBody = {after_body_start, after_body_end, after_body_text, stop};
const ModeRules kInFrameset = {in_frameset_start, in_frameset_end, space_only, stop};
const ModeRules kAfterFrameset = {after_frameset_start, after_frameset_end, space_only, stop};
const ModeRules kAfterAfterBody = {after_body_start, back_to_body, after_body_text, stop};
const ModeRules kAfterAfterFrameset = {after_frameset_start, ignore, after_after_frameset_text,
                                       stop};

}  // namespace gossamer::dom
