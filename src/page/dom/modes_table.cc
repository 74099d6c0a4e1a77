// Tables, captions and column groups.
#include "dom/modes.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

constexpr TagSet kTableContext = {TagId::table, TagId::template_, TagId::html};
constexpr TagSet kCollectsText = {TagId::table, TagId::tbody, TagId::template_,
                                  TagId::tfoot, TagId::thead, TagId::tr};

// https://html.spec.whatwg.org/#parsing-main-intable

// What does not belong in a table goes before it.
template <class Rule>
Next before_table(Builder& tree, Rule rule) {
  tree.foster_parenting = true;
  const Next next = rule();
  tree.foster_parenting = false;
  return next;
}

Next other_start(Builder& tree, const Tag& tag) {
  return before_table(tree, [&] { return in_body_start(tree, tag); });
}

Next other_end(Builder& tree, const Tag& tag) {
  return before_table(tree, [&] { return in_body_end(tree, tag); });
}

Next part_start(Builder& tree, const Tag& tag) {
  tree.open.pop_to(kTableContext);
  if (tag.id == TagId::caption) tree.formatting.push_marker();
  tree.insert_element(tag);
  switch (tag.id) {
    case TagId::caption: tree.mode = Mode::in_caption; break;
    case TagId::colgroup: tree.mode = Mode::in_column_group; break;
    default: tree.mode = Mode::in_table_body; break;
  }
  return Next::done;
}

Next col_start(Builder& tree, const Tag& /*tag*/) {
  tree.open.pop_to(kTableContext);
  tree.insert_element(TagId::colgroup);
  tree.mode = Mode::in_column_group;
  return Next::again;
}

Next row_start(Builder& tree, const Tag& /*tag*/) {
  tree.open.pop_to(kTableContext);
  tree.insert_element(TagId::tbody);
  tree.mode = Mode::in_table_body;
  return Next::again;
}

bool close_table(Builder& tree) {
  if (!tree.open.has_in_scope(TagId::table, Scope::table)) return false;
  tree.open.pop_through(TagId::table);
  tree.reset_mode();
  return true;
}

Next table_start(Builder& tree, const Tag& /*tag*/) {
  return close_table(tree) ? Next::again : Next::done;
}

Next table_end(Builder& tree, const Tag& /*tag*/) {
  close_table(tree);
  return Next::done;
}

Next input_start(Builder& tree, const Tag& tag) {
  if (!html::equals_ignoring_case(tag.value(AttributeId::type), "hidden")) {
    return other_start(tree, tag);
  }
  tree.insert_void(tag);
  return Next::done;
}

Next form_start(Builder& tree, const Tag& tag) {
  if (tree.open.has(TagId::template_) || tree.form != nullptr) return Next::done;
  tree.form = &tree.insert_element(tag);
  tree.open.pop();
  return Next::done;
}

constexpr TagRules kTableStarts =
    TagRules(other_start)
        .set(part_start,
             {TagId::caption, TagId::colgroup, TagId::tbody, TagId::tfoot, TagId::thead})
        .set(col_start, {TagId::col})
        .set(row_start, {TagId::td, TagId::th, TagId::tr})
        .set(table_start, {TagId::table})
        .set(in_head_start, {TagId::style, TagId::script, TagId::template_})
        .set(input_start, {TagId::input})
        .set(form_start, {TagId::form});

constexpr TagRules kTableEnds =
    TagRules(other_end)
        .set(table_end, {TagId::table})
        .set(ignore, {TagId::body, TagId::caption, TagId::col, TagId::colgroup, TagId::html,
                      TagId::tbody, TagId::td, TagId::tfoot, TagId::th, TagId::thead, TagId::tr})
        .set(end_template, {TagId::template_});

// https://html.spec.whatwg.org/#parsing-main-intabletext

void collect_text(Builder& tree, std::string_view& text) {
  for (const char c : text) {
    if (c != '\0') tree.table_text.push_back(c);
  }
  text = {};
}

Next table_text_tag(Builder& tree, const Tag& /*tag*/) {
  flush_table_text(tree);
  return Next::again;
}

Next table_text_end_of_page(Builder& tree) {
  flush_table_text(tree);
  return Next::again;
}

// https://html.spec.whatwg.org/#parsing-main-incaption

constexpr TagSet kTableParts = {TagId::caption, TagId::col,   TagId::colgroup,
                                TagId::tbody,   TagId::td,    TagId::tfoot,
                                TagId::th,      TagId::thead, TagId::tr};

bool close_caption(Builder& tree) {
  if (!tree.open.has_in_scope(TagId::caption, Scope::table)) return false;
  tree.close_implied();
  tree.open.pop_through(TagId::caption);
  tree.formatting.clear_to_marker();
  tree.mode = Mode::in_table;
  return true;
}

Next in_caption_start(Builder& tree, const Tag& tag) {
  if (!kTableParts.has(tag.id)) return in_body_start(tree, tag);
  return close_caption(tree) ? Next::again : Next::done;
}

Next in_caption_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::caption) {
    close_caption(tree);
    return Next::done;
  }
  if (tag.id == TagId::table) return close_caption(tree) ? Next::again : Next::done;
  if (kTableParts.has(tag.id) || tag.id == TagId::body || tag.id == TagId::html) {
    return Next::done;
  }
  return in_body_end(tree, tag);
}

// https://html.spec.whatwg.org/#parsing-main-incolgroup

Next leave_column_group(Builder& tree) {
  tree.open.pop();
  tree.mode = Mode::in_table;
  return Next::again;
}

Next in_column_group_start(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::html) return in_body_start(tree, tag);
  if (tag.id == TagId::template_) return in_head_start(tree, tag);
  if (tag.id == TagId::col) {
    tree.insert_void(tag);
    return Next::done;
  }
  return tree.open.current_is(TagId::colgroup) ? leave_column_group(tree) : Next::done;
}

Next in_column_group_end(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::col) return Next::done;
  if (tag.id == TagId::template_) return end_template(tree, tag);
  if (!tree.open.current_is(TagId::colgroup)) return Next::done;
  leave_column_group(tree);
  return tag.id == TagId::colgroup ? Next::done : Next::again;
}

void in_column_group_text(Builder& tree, std::string_view& text) {
  tree.insert_text(take_space(text));
  if (text.empty()) return;
  if (tree.open.current_is(TagId::colgroup)) {
    leave_column_group(tree);
  } else {
    take_non_space(text);
  }
}

}  // namespace

Next in_table_start(Builder& tree, const Tag& tag) { return kTableStarts[tag.id](tree, tag); }
Next in_table_end(Builder& tree, const Tag& tag) { return kTableEnds[tag.id](tree, tag); }

void in_table_text(Builder& tree, std::string_view& text) {
  if (!tree.open.current_is_in(kCollectsText)) {
    tree.foster_parenting = true;
    in_body_text(tree, text);
    tree.foster_parenting = false;
    return;
  }
  tree.original_mode = tree.mode;
  tree.mode = Mode::in_table_text;
}

void flush_table_text(Builder& tree) {
  tree.mode = tree.original_mode;
  std::string_view text = tree.table_text;
  if (is_space(text)) {
    tree.insert_text(text);
  } else {
    tree.foster_parenting = true;
    while (!text.empty()) in_body_text(tree, text);
    tree.foster_parenting = false;
  }
  tree.table_text.clear();
}

const ModeRules kInTable = {in_table_start, in_table_end, in_table_text, in_body_end_of_page};
const ModeRules kInTableText = {table_text_tag, table_text_tag, collect_text,
                                table_text_end_of_page};
const ModeRules kInCaption = {in_caption_start, in_caption_end, in_body_text, in_body_end_of_page};
const ModeRules kInColumnGroup = {in_column_group_start, in_column_group_end, in_column_group_text,
                                  in_body_end_of_page};

}  // namespace gossamer::dom
