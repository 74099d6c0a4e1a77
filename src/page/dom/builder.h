// The state of tree construction, and the steps that its rules share.
// https://html.spec.whatwg.org/#tree-construction
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dom/document.h"
#include "dom/formatting_list.h"
#include "dom/open_elements.h"
#include "dom/parse.h"
#include "html/token/token.h"

namespace gossamer::dom {

using html::Tag;
using html::TextMode;

// https://html.spec.whatwg.org/#the-insertion-mode
enum class Mode : std::uint8_t {
  initial,
  before_html,
  before_head,
  in_head,
  in_head_noscript,
  after_head,
  in_body,
  text,
  in_table,
  in_table_text,
  in_caption,
  in_column_group,
  in_table_body,
  in_row,
  in_cell,
  in_template,
  after_body,
  in_frameset,
  after_frameset,
  after_after_body,
  after_after_frameset,
  count,
};

// The rules of the modes are functions that change it (modes.h).
struct Builder {
  explicit Builder(Document& made, const ParseOptions& parse_options)
      : document(made), options(parse_options) {}

  // Makes elements. A name without a number is that of the tag.
  Node& make_element(const Tag& tag);
  Node& insert_element(const Tag& tag);
  // The same for an element that is not in the page. REQUIRES: `id` is a name with a number.
  Node& insert_element(TagId id);
  // An element without content.
  void insert_void(const Tag& tag) {
    if (tag.id == TagId::base) document.may_have_base_ = true;
    insert_element(tag);
    open.pop();
  }
  void insert_foreign(const Tag& tag, Space space);
  void insert_text(std::string_view text);
  void insert_comment(std::string_view text);
  // An element whose content is text.
  void insert_with_text(const Tag& tag, TextMode content);
  // Adds the attributes that the element does not have yet.
  void add_attributes(Node& element, const Tag& tag);

  // https://html.spec.whatwg.org/#appropriate-place-for-inserting-a-node
  Nodes::Place place_in(Node& target) const noexcept {
    if (foster_parenting || target.is(TagId::template_)) [[unlikely]]
      return unusual_place_in(target);
    return {.parent = &target};
  }
  Nodes::Place unusual_place_in(Node& target) const noexcept;
  Nodes::Place place() const noexcept { return place_in(open.current()); }
  // Returns where an element goes that belongs in this open element: not too deep.
  Nodes::Place place_for_element(std::size_t target) const noexcept;

  // https://html.spec.whatwg.org/#reconstruct-the-active-formatting-elements
  void reconstruct_formatting() {
    const std::size_t size = formatting.size();
    if (size == 0) return;
    const Node* const last = formatting[size - 1];
    if (last == nullptr || last->has(Trait::open)) return;
    reopen_formatting();
  }
  void reopen_formatting();

  // https://html.spec.whatwg.org/#generate-implied-end-tags
  void close_implied(TagId except = TagId::other) noexcept;
  void close_implied_thoroughly() noexcept;
  // Closes an element of this name, and everything in it.
  void close(TagId tag) noexcept {
    close_implied(tag);
    open.pop_through(tag);
  }
  void close_p_in_button_scope() noexcept {
    if (open.has(TagId::p) && open.has_in_scope(TagId::p, Scope::button)) close(TagId::p);
  }
  // https://html.spec.whatwg.org/#reset-the-insertion-mode-appropriately
  void reset_mode() noexcept;

  bool is_fragment() const noexcept { return context != nullptr; }
  // https://html.spec.whatwg.org/#adjusted-current-node
  const Node& adjusted_current() const noexcept {
    return is_fragment() && open.size() == 1 ? *context : open.current();
  }

  Nodes& nodes() const noexcept { return document.nodes_; }
  Node& root() const noexcept { return *document.root_; }
  Quirks& quirks() const noexcept { return document.quirks_; }
  void set_doctype(const Doctype& doctype) const noexcept { document.doctype_ = doctype; }
  void set_truncated() const noexcept { document.is_truncated_ = true; }
  void set_steps() const noexcept { document.steps_ = open.steps() + nodes().count(); }

  Document& document;
  const ParseOptions options;
  OpenElements open;
  FormattingList formatting;
  Mode mode = Mode::initial;
  Mode original_mode = Mode::initial;  // before a text
  std::vector<Mode> template_modes;
  Node* head = nullptr;
  Node* form = nullptr;
  Node* context = nullptr;              // the element that a fragment is parsed in
  std::string table_text;               // text in a table that may have to move before it
  TextMode text_mode = TextMode::data;  // how to read on after the current tag
  bool frameset_ok = true;
  bool foster_parenting = false;
  bool skips_line_feed = false;  // a line feed after <pre> is not part of the text
  bool is_finished = false;
};

}  // namespace gossamer::dom
