// The bodies, rows and cells of tables.
#include "dom/modes.h"

namespace gossamer::dom {
namespace {

constexpr TagSet kBodyContext = {TagId::tbody, TagId::tfoot, TagId::thead, TagId::template_,
                                 TagId::html};
constexpr TagSet kRowContext = {TagId::tr, TagId::template_, TagId::html};
constexpr TagSet kBodies = {TagId::tbody, TagId::tfoot, TagId::thead};
constexpr TagSet kCells = {TagId::td, TagId::th};
// The start tags that end a row or a body.
constexpr TagSet kOuterParts = {TagId::caption, TagId::col,   TagId::colgroup,
                                TagId::tbody,   TagId::tfoot, TagId::thead};

// https://html.spec.whatwg.org/#parsing-main-intbody

Next leave_body(Builder& tree) {
  if (!tree.open.has_in_scope(kBodies, Scope::table)) return Next::done;
  tree.open.pop_to(kBodyContext);
  tree.open.pop();
  tree.mode = Mode::in_table;
  return Next::again;
}

Next in_table_body_start(Builder& tree, const Tag& tag) {
  if (tag.id == TagId::tr) {
    tree.open.pop_to(kBodyContext);
    tree.insert_element(tag);
    tree.mode = Mode::in_row;
    return Next::done;
  }
  if (kCells.has(tag.id)) {
    tree.open.pop_to(kBodyContext);
    tree.insert_element(TagId::tr);
    tree.mode = Mode::in_row;
    return Next::again;
  }
  if (kOuterParts.has(tag.id)) return leave_body(tree);
  return in_table_start(tree, tag);
}

Next in_table_body_end(Builder& tree, const Tag& tag) {
  static constexpr TagSet kIgnored = {TagId::body, TagId::caption, TagId::col, TagId::colgroup,
                                      TagId::html, TagId::td,      TagId::th,  TagId::tr};
  if (kBodies.has(tag.id)) {
    if (!tree.open.has_in_scope(tag.id, Scope::table)) return Next::done;
    leave_body(tree);
    return Next::done;
  }
  if (tag.id == TagId::table) return leave_body(tree);
  return kIgnored.has(tag.id) ? Next::done : in_table_end(tree, tag);
}

// https://html.spec.whatwg.org/#parsing-main-intr

Next leave_row(Builder& tree) {
  if (!tree.open.has_in_scope(TagId::tr, Scope::table)) return Next::done;
  tree.open.pop_to(kRowContext);
  tree.open.pop();
  tree.mode = Mode::in_table_body;
  return Next::again;
}

Next in_row_start(Builder& tree, const Tag& tag) {
  if (kCells.has(tag.id)) {
    tree.open.pop_to(kRowContext);
    tree.insert_element(tag);
    tree.mode = Mode::in_cell;
    tree.formatting.push_marker();
    return Next::done;
  }
  if (kOuterParts.has(tag.id) || tag.id == TagId::tr) return leave_row(tree);
  return in_table_start(tree, tag);
}

Next in_row_end(Builder& tree, const Tag& tag) {
  static constexpr TagSet kIgnored = {TagId::body, TagId::caption, TagId::col, TagId::colgroup,
                                      TagId::html, TagId::td,      TagId::th};
  if (tag.id == TagId::tr) {
    leave_row(tree);
    return Next::done;
  }
  if (tag.id == TagId::table) return leave_row(tree);
  if (kBodies.has(tag.id)) {
    return tree.open.has_in_scope(tag.id, Scope::table) ? leave_row(tree) : Next::done;
  }
  return kIgnored.has(tag.id) ? Next::done : in_table_end(tree, tag);
}

// https://html.spec.whatwg.org/#parsing-main-intd

void leave_cell(Builder& tree) {
  tree.close_implied();
  tree.open.pop_through(kCells);
  tree.formatting.clear_to_marker();
  tree.mode = Mode::in_row;
}

Next in_cell_start(Builder& tree, const Tag& tag) {
  if (!kOuterParts.has(tag.id) && !kCells.has(tag.id) && tag.id != TagId::tr) {
    return in_body_start(tree, tag);
  }
  if (!tree.open.has_in_scope(kCells, Scope::table)) return Next::done;
  leave_cell(tree);
  return Next::again;
}

Next in_cell_end(Builder& tree, const Tag& tag) {
  static constexpr TagSet kIgnored = {TagId::body, TagId::caption, TagId::col, TagId::colgroup,
                                      TagId::html};
  if (kCells.has(tag.id)) {
    if (!tree.open.has_in_scope(tag.id, Scope::table)) return Next::done;
    tree.close_implied();
    tree.open.pop_through(tag.id);
    tree.formatting.clear_to_marker();
    tree.mode = Mode::in_row;
    return Next::done;
  }
  if (kBodies.has(tag.id) || tag.id == TagId::table || tag.id == TagId::tr) {
    if (!tree.open.has_in_scope(tag.id, Scope::table)) return Next::done;
    if (!tree.open.has_in_scope(kCells, Scope::table)) return Next::done;
    leave_cell(tree);
    return Next::again;
  }
  return kIgnored.has(tag.id) ? Next::done : in_body_end(tree, tag);
}

}  // namespace

const ModeRules kInTableBody = {in_table_body_start, in_table_body_end, in_table_text,
                                in_body_end_of_page};
const ModeRules kInRow = {in_row_start, in_row_end, in_table_text, in_body_end_of_page};
const ModeRules kInCell = {in_cell_start, in_cell_end, in_body_text, in_body_end_of_page};

}  // namespace gossamer::dom
