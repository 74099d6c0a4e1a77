// The modes before the body.
#include "dom/modes.h"

namespace gossamer::dom {
namespace {

constexpr TagSet kMakesBody = {TagId::body, TagId::html, TagId::br};
constexpr TagSet kMakesHead = {TagId::head, TagId::body, TagId::html, TagId::br};

Next go_on_in(Builder& tree, Mode mode) {
  tree.mode = mode;
  return Next::again;
}

// https://html.spec.whatwg.org/#the-initial-insertion-mode

Next end_initial(Builder& tree) {
  tree.quirks() = Quirks::full;
  return go_on_in(tree, Mode::before_html);
}

Next initial_tag(Builder& tree, const Tag& /*tag*/) { return end_initial(tree); }

void initial_text(Builder& tree, std::string_view& text) {
  take_space(text);
  if (!text.empty()) end_initial(tree);
}

// https://html.spec.whatwg.org/#the-before-html-insertion-mode

Next make_html(Builder& tree) {
  Tag tag;
  tag.id = TagId::html;
  tag.name = html::name(TagId::html);
  Node& element = tree.make_element(tag);
  Nodes::append(tree.root(), element);
  tree.open.push(element);
  return go_on_in(tree, Mode::before_head);
}

Next before_html_start(Builder& tree, const Tag& tag) {
  if (tag.id != TagId::html) return make_html(tree);
  Node& element = tree.make_element(tag);
  Nodes::append(tree.root(), element);
  tree.open.push(element);
  tree.mode = Mode::before_head;
  return Next::done;
}

Next before_html_end(Builder& tree, const Tag& tag) {
  return kMakesHead.has(tag.id) ? make_html(tree) : Next::done;
}

void before_html_text(Builder& tree, std::string_view& text) {
  take_space(text);
  if (!text.empty()) make_html(tree);
}

// https://html.spec.whatwg.org/#the-before-head-insertion-mode

Next make_head(Builder& tree) {
  tree.head = &tree.insert_element(TagId::head);
  return go_on_in(tree, Mode::in_head);
}

Next before_head_start(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::html) return in_body_start(tree, tag);
  if (tag.id != TagId::head) return make_head(tree);
  tree.head = &tree.insert_element(tag);
  tree.mode = Mode::in_head;
  return Next::done;
}

Next before_head_end(Builder& tree, const Tag& tag) {
  return kMakesHead.has(tag.id) ? make_head(tree) : Next::done;
}

void before_head_text(Builder& tree, std::string_view& text) {
  take_space(text);
  if (!text.empty()) make_head(tree);
}

// https://html.spec.whatwg.org/#parsing-main-inhead

Next leave_head(Builder& tree) {
  tree.open.pop();
  return go_on_in(tree, Mode::after_head);
}

Next leave_head_by_tag(Builder& tree, const Tag& /*tag*/) { return leave_head(tree); }

Next void_start(Builder& tree, const Tag& tag) {
  tree.insert_void(tag);
  return Next::done;
}

Next title_start(Builder& tree, const Tag& tag) {
  tree.insert_with_text(tag, TextMode::rcdata);
  return Next::done;
}

Next raw_text_start(Builder& tree, const Tag& tag) {
  tree.insert_with_text(tag, TextMode::rawtext);
  return Next::done;
}

Next script_start(Builder& tree, const Tag& tag) {
  tree.insert_with_text(tag, TextMode::script);
  return Next::done;
}

Next noscript_start(Builder& tree, const Tag& tag) {
  if (tree.options.scripting) return raw_text_start(tree, tag);
  tree.insert_element(tag);
  tree.mode = Mode::in_head_noscript;
  return Next::done;
}

Next template_start(Builder& tree, const Tag& tag) {
  tree.insert_element(tag);
  tree.formatting.push_marker();
  tree.frameset_ok = false;
  tree.mode = Mode::in_template;
  tree.template_modes.push_back(Mode::in_template);
  return Next::done;
}

constexpr TagRules kHeadStarts =
    TagRules(leave_head_by_tag)
        .set(in_body_start, {TagId::html})
        .set(void_start, {TagId::base, TagId::basefont, TagId::bgsound, TagId::link, TagId::meta})
        .set(title_start, {TagId::title})
        .set(raw_text_start, {TagId::noframes, TagId::style})
        .set(noscript_start, {TagId::noscript})
        .set(script_start, {TagId::script})
        .set(template_start, {TagId::template_})
        .set(ignore, {TagId::head});

Next in_head_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::template_) return end_template(tree, tag);
  if (kMakesBody.has(tag.id)) return leave_head(tree);
  if (tag.id != TagId::head) return Next::done;
  tree.open.pop();
  tree.mode = Mode::after_head;
  return Next::done;
}

void in_head_text(Builder& tree, std::string_view& text) {
  tree.insert_text(take_space(text));
  if (!text.empty()) leave_head(tree);
}

// https://html.spec.whatwg.org/#parsing-main-inheadnoscript

Next leave_noscript(Builder& tree) {
  tree.open.pop();
  return go_on_in(tree, Mode::in_head);
}

Next in_head_noscript_start(Builder& tree, const Tag& tag) {
  static constexpr TagSet kHere = {TagId::basefont, TagId::bgsound,  TagId::link,
                                   TagId::meta,     TagId::noframes, TagId::style};
  if (tag.id == TagId::html) return in_body_start(tree, tag);
  if (kHere.has(tag.id)) return in_head_start(tree, tag);
  if (tag.id == TagId::head || tag.id == TagId::noscript) return Next::done;
  return leave_noscript(tree);
}

Next in_head_noscript_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::br) return leave_noscript(tree);
  if (tag.id != TagId::noscript) return Next::done;
  tree.open.pop();
  tree.mode = Mode::in_head;
  return Next::done;
}

void in_head_noscript_text(Builder& tree, std::string_view& text) {
  tree.insert_text(take_space(text));
  if (!text.empty()) leave_noscript(tree);
}

// https://html.spec.whatwg.org/#the-after-head-insertion-mode

Next make_body(Builder& tree) {
  tree.insert_element(TagId::body);
  return go_on_in(tree, Mode::in_body);
}

Next after_head_start(Builder& tree, const Tag& tag) {
  static constexpr TagSet kInHeadStill = {
      TagId::base,     TagId::basefont, TagId::bgsound, TagId::link,      TagId::meta,
      TagId::noframes, TagId::script,   TagId::style,   TagId::template_, TagId::title};
  if (kInHeadStill.has(tag.id)) {
    tree.open.push(*tree.head);
    in_head_start(tree, tag);
    tree.open.remove(*tree.head);
    return Next::done;
  }
  switch (tag.id) {
    case TagId::html: return in_body_start(tree, tag);
    case TagId::body:
      tree.insert_element(tag);
      tree.frameset_ok = false;
      tree.mode = Mode::in_body;
      return Next::done;
    case TagId::frameset:
      tree.insert_element(tag);
      tree.mode = Mode::in_frameset;
      return Next::done;
    case TagId::head: return Next::done;
    default: return make_body(tree);
  }
}

Next after_head_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::template_) return end_template(tree, tag);
  return kMakesBody.has(tag.id) ? make_body(tree) : Next::done;
}

void after_head_text(Builder& tree, std::string_view& text) {
  tree.insert_text(take_space(text));
  if (!text.empty()) make_body(tree);
}

}  // namespace

Next in_head_start(Builder& tree, const Tag& tag) { return kHeadStarts[tag.id](tree, tag); }

Next end_template(Builder& tree, const Tag& /*tag*/) {
  if (!tree.open.has(TagId::template_)) return Next::done;
  tree.close_implied_thoroughly();
  tree.open.pop_through(TagId::template_);
  tree.formatting.clear_to_marker();
  tree.template_modes.pop_back();
  tree.reset_mode();
  return Next::done;
}

const ModeRules kInitial = {initial_tag, initial_tag, initial_text, end_initial};
const ModeRules kBeforeHtml = {before_html_start, before_html_end, before_html_text, make_html};
const ModeRules kBeforeHead = {before_head_start, before_head_end, before_head_text, make_head};
const ModeRules kInHead = {in_head_start, in_head_end, in_head_text, leave_head};
const ModeRules kInHeadNoscript = {in_head_noscript_start, in_head_noscript_end,
                                   in_head_noscript_text, leave_noscript};
const ModeRules kAfterHead = {after_head_start, after_head_end, after_head_text, make_body};

}  // namespace gossamer::dom
