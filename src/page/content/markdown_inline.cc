#include "content/markdown_inline.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "content/element_text.h"
#include "content/formula.h"
#include "content/markdown_elements.h"
#include "dom/tag_set.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using enum html::TagId;
using Mark = MarkdownLine::Mark;

constexpr std::size_t kAltBytesMax = 1024;
constexpr dom::TagSet kPreformatted = {pre, listing, xmp};
constexpr dom::TagSet kInlineHeadings = {h1, h2, h3, h4, h5, h6};

std::optional<Mark> mark_of(const dom::Node& node) {
  if (node.space() != dom::Space::html) return std::nullopt;
  switch (node.tag()) {
    case strong:
    case b: return Mark::strong;
    case em:
    case i: return Mark::emphasis;
    case del:
    case s:
    case strike: return Mark::strike;
    case sup: return Mark::superscript;
    case sub: return Mark::subscript;
    default: return std::nullopt;
  }
}

std::string plain_line(std::string_view text) {
  std::string line(text.substr(0, kAltBytesMax + 1));
  html::cut_utf8(line, kAltBytesMax);
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

}  // namespace

// https://spec.commonmark.org/0.31.2/#link-reference-definition
void guard_note(std::string& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::size_t next = std::min(text.find_first_not_of(' ', end), text.size());
  const bool may_be_title = next < text.size() && std::string_view("\"'(").contains(text[next]);
  if (next == text.size() || may_be_title) text += " &nbsp;";
}

MarkdownInline::MarkdownInline(const MainContent& content, const dom::Document& document,
                               const MarkdownOptions& options)
    : outline_(content.outline),
      options_(options),
      links_(document, options.place),
      notes_(content),
      formula_work_(formula_work(document.node_count())) {}

// The depth of a tree is bounded, so it may be recursive.
void MarkdownInline::write(Part part, MarkdownLine& line) {
  if (is_full()) return;
  const dom::Node& node = *part.node;
  if (!part.is_listed() && is_never_shown(node)) return;
  if (node.is(br)) return line.hard_break();
  if (write_formula(node, line)) return;
  if (node.is(img)) return write_image(node, line);
  if (is_code_element(node)) return write_code(part, line);
  if (node.is(a)) return write_link(part, line);
  if (note_ != nullptr && is_note_label(node)) return;
  if (kPreformatted.has(node.tag()) && is_block(node)) return write_code_lines(part, line);
  if (!is_block(node)) return write_marked(part, line);
  line.hard_break();
  if (node.is(li)) {
    write_item(part, line);
  } else if (kInlineHeadings.has(node.tag())) {
    line.open(Mark::strong);
    write_children(part, line);
    line.close(Mark::strong);
  } else {
    const bool is_list = node.is(ul) || node.is(ol);
    list_level_ += is_list ? 1 : 0;
    write_children(part, line);
    list_level_ -= is_list ? 1 : 0;
  }
  line.hard_break();
}

void MarkdownInline::write_children(Part part, MarkdownLine& line) {
  for_each_part(
      outline_, part, [&](const dom::Node& text) { write_text(text, line); },
      [&](Part child) {
        if (child.is_listed() || !part.is_listed()) return write(child, line);
        write_unlisted(*child.node, line);
      });
}

void MarkdownInline::write_text(const dom::Node& text, MarkdownLine& line) {
  if (is_full()) return;
  std::string_view words = text.text();
  if (note_ != nullptr && line.empty()) {
    // It belongs to the label, which was left out.
    words.remove_prefix(std::min(words.find_first_not_of(" \t\r\n.:)]"), words.size()));
  }
  add_waiting(words.size());
  line.text(words);
}

bool MarkdownInline::write_formula(const dom::Node& element, MarkdownLine& line) {
  const std::optional<Formula> formula = formula_of(element, formula_work_);
  if (!formula) return false;
  add_waiting(formula->tex.size());
  if (!formula->tex.empty()) line.math(formula->tex, formula->is_display);
  return true;
}

void MarkdownInline::write_unlisted(const dom::Node& element, MarkdownLine& line) {
  if (element.is(script) || element.is(img)) {
    write_formula(element, line);
  } else if (element.is(figcaption) && options_.images) {
    write(Part{.node = &element}, line);
  }
}

void MarkdownInline::write_note(const Footnotes::Note& note, MarkdownLine& line) {
  note_ = &note;
  write_children({.node = outline_[note.body].node, .at = note.body}, line);
  note_ = nullptr;
}

void MarkdownInline::write_marked(Part part, MarkdownLine& line) {
  const std::optional<Mark> mark = mark_of(*part.node);
  if (!mark) return write_children(part, line);
  if (mark == Mark::superscript && has_reference(part)) {
    // Brackets around the link belong to the note.
    return for_each_part(
        outline_, part, [](const dom::Node&) {}, [&](Part child) { write(child, line); });
  }
  line.open(*mark);
  write_children(part, line);
  line.close(*mark);
}

void MarkdownInline::write_item(Part part, MarkdownLine& line) {
  std::string mark;
  for (std::size_t level = 1; level < std::min<std::size_t>(list_level_, 8); ++level) {
    mark += "&nbsp;&nbsp;";
  }
  const bool has_text = !part.is_listed() || outline_[part.at].all.text > 0;
  if (has_text) {
    line.raw(mark + "-");
    line.space();
  }
  write_children(part, line);
}

bool MarkdownInline::has_reference(Part part) const {
  bool found = false;
  for_each_part(
      outline_, part, [](const dom::Node&) {},
      [&](Part child) {
        found = found || (child.is_listed() && notes_.reference_at(child.at) != nullptr);
      });
  return found;
}

bool MarkdownInline::write_reference(Part part, MarkdownLine& line) {
  const Footnotes::Note* const note = part.is_listed() ? notes_.reference_at(part.at) : nullptr;
  if (note == nullptr || is_in_link_ || has_link()) return false;
  line.raw("[^" + note->label + "]");
  return true;
}

void MarkdownInline::write_link(Part part, MarkdownLine& line) {
  if (is_permalink(*part.node)) return;
  if (note_ != nullptr) {
    const std::string_view href = part.node->value(html::AttributeId::href);
    if (href.starts_with('#') && note_->backs.contains(href.substr(1))) return;
  }
  if (write_reference(part, line)) return;
  const bool may_be_link = !has_link() && !is_in_link_;
  const std::string url = may_be_link ? target_of(*part.node) : std::string();
  if (url.empty()) return write_children(part, line);
  is_in_link_ = true;
  line.open_link();
  write_children(part, line);
  line.close_link(url);
  is_in_link_ = false;
}

void MarkdownInline::write_code(Part part, MarkdownLine& line) {
  if (has_link_below(part)) return write_code_parts(part, line);
  const std::string text = plain_text(part);
  add_waiting(text.size());
  line.code(text);
}

// A link in code is a link with code in it.
void MarkdownInline::write_code_parts(Part part, MarkdownLine& line) {
  for_each_part(
      outline_, part,
      [&](const dom::Node& text) {
        add_waiting(text.text().size());
        line.code(text.text());
      },
      [&](Part child) {
        if (!child.is_listed() || is_full()) return;
        if (child.node->is(br)) return line.space();
        const bool may_be_link = child.node->is(a) && !is_in_link_;
        const std::string url = may_be_link ? target_of(*child.node) : std::string();
        if (url.empty()) return write_code_parts(child, line);
        is_in_link_ = true;
        line.open_link();
        write_code_parts(child, line);
        line.close_link(url);
        is_in_link_ = false;
      });
}

bool MarkdownInline::has_link_below(Part part) const {
  if (!part.is_listed() || has_link() || is_in_link_) return false;
  for (std::uint32_t at = part.at + 1; at < outline_[part.at].end; ++at) {
    if (outline_[at].node->is(a) && outline_[at].is_kept) return true;
  }
  return false;
}

void MarkdownInline::write_code_lines(Part part, MarkdownLine& line) {
  const std::string text = plain_text(part);
  add_waiting(2 * text.size());
  line.hard_break();
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    line.code(rest.substr(0, end));
    line.hard_break();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void MarkdownInline::begin_link(const dom::Node& link) { link_ = target_of(link); }

void MarkdownInline::open_link_around(MarkdownLine& line) const {
  if (has_link()) line.open_link();
}

void MarkdownInline::close_link_around(MarkdownLine& line) {
  if (!has_link()) return;
  if (!line.empty()) add_waiting(link_.size());
  line.close_link(link_);
}

std::string MarkdownInline::target_of(const dom::Node& link) {
  const dom::Attribute* const href = link.find(html::AttributeId::href);
  const url::Url* const url = href == nullptr ? nullptr : resolve(href->value());
  if (url == nullptr) return {};
  const std::string_view scheme = url->scheme();
  if (scheme != "http" && scheme != "https" && scheme != "mailto") return {};
  std::string target(url->href());
  add_waiting(target.size());
  return target;
}

// BOUND: the bytes of all URLs, because each may be as long as the base of the page.
const url::Url* MarkdownInline::resolve(std::string_view reference) {
  if (url_bytes_ > options_.bytes_max) return nullptr;
  const url::Url* const url = links_.resolve(reference);
  if (url != nullptr) url_bytes_ += url->href().size();
  return url;
}

std::string MarkdownInline::source_of(const dom::Node& image) {
  const dom::Attribute* const source = image.find(html::AttributeId::src);
  if (!options_.images || source == nullptr) return {};
  const url::Url* const url = resolve(source->value());
  if (url == nullptr || (url->scheme() != "http" && url->scheme() != "https")) return {};
  std::string target(url->href());
  add_waiting(target.size());
  return target;
}

void MarkdownInline::write_image(const dom::Node& image, MarkdownLine& line) {
  const std::string source = source_of(image);
  if (source.empty()) return;
  const dom::Attribute* const alt = image.find("alt");
  line.image(alt == nullptr ? "" : plain_line(alt->value()), source);
}

std::string MarkdownInline::plain_text(Part part) const {
  std::string text;
  append_plain(part, text);
  // It would end a line without the prefix of the next one.
  std::ranges::replace(text, '\r', '\n');
  return text;
}

void MarkdownInline::append_plain(Part part, std::string& text) const {
  if (part.node->is(br)) text += '\n';
  for_each_part(
      outline_, part, [&](const dom::Node& node) { text += node.text(); },
      [&](Part child) {
        const bool is_shown =
            child.is_listed() || (!part.is_listed() && !is_never_shown(*child.node));
        if (is_shown) append_plain(child, text);
      });
}

}  // namespace gossamer::content
