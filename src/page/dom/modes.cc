#include "dom/modes.h"

#include "dom/quirks.h"
#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

bool is_foreign(const Builder& tree) noexcept {
  return !tree.open.empty() && tree.adjusted_current().space() != Space::html;
}

// https://html.spec.whatwg.org/#tree-construction-dispatcher
bool start_tag_is_html(const Builder& tree, const Tag& tag) noexcept {
  if (!is_foreign(tree)) [[likely]]
    return true;
  const Node& node = tree.adjusted_current();
  if (node.has(Trait::takes_html)) return true;
  if (node.has(Trait::takes_text)) {
    return tag.id != TagId::mglyph && tag.id != TagId::malignmark;
  }
  return tag.id == TagId::svg && node.space() == Space::math && node.tag() == TagId::annotation_xml;
}

bool text_is_html(const Builder& tree) noexcept {
  if (!is_foreign(tree)) [[likely]]
    return true;
  const Node& node = tree.adjusted_current();
  return node.has(Trait::takes_html) || node.has(Trait::takes_text);
}

Node& comment_parent(const Builder& tree) noexcept {
  return tree.mode == Mode::after_body ? tree.open[0] : tree.root();
}

}  // namespace

// In the order of Mode.
const ModeRules& rules_of(Mode mode) noexcept {
  static constexpr const ModeRules* kRules[] = {
      &kInitial,       &kBeforeHtml,     &kBeforeHead,
      &kInHead,        &kInHeadNoscript, &kAfterHead,
      &kInBody,        &kText,           &kInTable,
      &kInTableText,   &kInCaption,      &kInColumnGroup,
      &kInTableBody,   &kInRow,          &kInCell,
      &kInTemplate,    &kAfterBody,      &kInFrameset,
      &kAfterFrameset, &kAfterAfterBody, &kAfterAfterFrameset,
  };
  static_assert(std::size(kRules) == static_cast<std::size_t>(Mode::count));
  return *kRules[static_cast<std::size_t>(mode)];
}

void process_tag(Builder& tree, const Tag& tag) {
  tree.skips_line_feed = false;
  Next next = Next::again;
  if (tag.is_end) {
    while (next == Next::again) {
      next = is_foreign(tree) ? in_foreign_end(tree, tag) : rules_of(tree.mode).end_tag(tree, tag);
    }
    return;
  }
  while (next == Next::again) {
    next = start_tag_is_html(tree, tag) ? rules_of(tree.mode).start_tag(tree, tag)
                                        : in_foreign_start(tree, tag);
  }
}

void process_text(Builder& tree, std::string_view text) {
  if (tree.skips_line_feed && !text.empty()) {
    tree.skips_line_feed = false;
    if (text.front() == '\n') text.remove_prefix(1);
  }
  while (!text.empty()) {
    if (text_is_html(tree)) {
      rules_of(tree.mode).text(tree, text);
    } else {
      in_foreign_text(tree, text);
      return;
    }
  }
}

void process_comment(Builder& tree, std::string_view text) {
  tree.skips_line_feed = false;
  if (tree.mode == Mode::in_table_text) flush_table_text(tree);
  switch (tree.mode) {
    case Mode::initial:
    case Mode::before_html:
    case Mode::after_body:
    case Mode::after_after_body:
    case Mode::after_after_frameset:
      if (is_foreign(tree)) break;
      Nodes::append(comment_parent(tree), tree.nodes().make_comment(text));
      return;
    default: break;
  }
  tree.insert_comment(text);
}

void process_doctype(Builder& tree, const html::Doctype& doctype) {
  tree.skips_line_feed = false;
  if (tree.mode == Mode::in_table_text) flush_table_text(tree);
  if (tree.mode != Mode::initial) return;
  Nodes& nodes = tree.nodes();
  Nodes::append(tree.root(), nodes.make(Kind::doctype));
  tree.set_doctype({.name = nodes.stored(doctype.name),
                    .public_id = nodes.stored(doctype.public_id),
                    .system_id = nodes.stored(doctype.system_id)});
  tree.quirks() = quirks_of(doctype);
  tree.mode = Mode::before_html;
}

void process_end(Builder& tree) {
  while (!tree.is_finished && rules_of(tree.mode).end_of_page(tree) == Next::again) {
  }
}

std::string_view take_space(std::string_view& text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && html::is_html_space(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

std::string_view take_non_space(std::string_view& text) noexcept {
  std::size_t size = 0;
  while (size < text.size() && !html::is_html_space(text[size])) ++size;
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

bool is_space(std::string_view text) noexcept {
  take_space(text);
  return text.empty();
}

}  // namespace gossamer::dom
