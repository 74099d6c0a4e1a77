#include "content/html_table.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "content/markdown_elements.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kWritten = {table, caption, thead, tbody, tfoot, tr,   th,         td, p,
                                  div,   ul,      ol,    li,    pre,   code, strong,     b,  em,
                                  i,     sub,     sup,   del,   s,     br,   dl,         dt, dd,
                                  h1,    h2,      h3,    h4,    h5,    h6,   blockquote, hr};
constexpr dom::TagSet kOnLines = {tr, thead, tbody, tfoot, caption};

class HtmlWriter {
 public:
  HtmlWriter(const Outline& outline, MarkdownInline& inlines)
      : outline_(outline), inlines_(inlines) {}

  void write(Part part) {
    if (inlines_.is_full()) return;
    const dom::Node& node = *part.node;
    if (node.is(img)) return write_image(node);
    if (node.is(a)) return write_link(part);
    if (node.space() != dom::Space::html || !kWritten.has(node.tag())) return write_children(part);
    if (kOnLines.has(node.tag()) && pre_level_ == 0) begin_line();
    out_.append("<").append(node.name());
    for (const std::string_view name : {"rowspan", "colspan", "start"}) write_number(node, name);
    out_ += '>';
    inlines_.add_waiting(2 * node.name().size() + 5);
    if (node.is(br) || node.is(hr)) return;
    pre_level_ += node.is(pre) ? 1 : 0;
    write_children(part);
    pre_level_ -= node.is(pre) ? 1 : 0;
    if (node.is(table)) begin_line();
    out_.append("</").append(node.name()).append(">");
  }
  std::string take() { return std::move(out_); }

 private:
  void write_children(Part part) {
    for_each_part(
        outline_, part, [this](const dom::Node& text) { write_text(text.text()); },
        [this](Part child) {
          if (child.is_listed()) write(child);
        });
  }
  void write_link(Part part) {
    if (is_permalink(*part.node)) return;
    const std::string url = inlines_.target_of(*part.node);
    if (url.empty()) return write_children(part);
    out_ += "<a href=\"";
    append_escaped(url);
    out_ += "\">";
    write_children(part);
    out_ += "</a>";
  }
  void write_image(const dom::Node& image) {
    const std::string source = inlines_.source_of(image);
    if (source.empty()) return;
    out_ += "<img src=\"";
    append_escaped(source);
    out_ += "\">";
  }
  void write_number(const dom::Node& node, std::string_view name) {
    const dom::Attribute* const found = node.find(name);
    if (found == nullptr || found->value().empty() || found->value().size() > 6) return;
    if (!std::ranges::all_of(found->value(), base::is_digit)) return;
    out_.append(" ").append(name).append("=\"").append(found->value()).append("\"");
  }
  // A line feed that would leave an empty line is written as a reference.
  void write_text(std::string_view text) {
    inlines_.add_waiting(text.size());
    if (pre_level_ == 0) return write_words(text);
    for (const char c : text) {
      const bool ends_line = c == '\n' || c == '\r';
      if (!ends_line) {
        append_escaped({&c, 1});
      } else if (is_line_empty()) {
        out_ += "&#10;";
      } else {
        out_ += '\n';
      }
    }
  }
  void write_words(std::string_view text) {
    for (const char c : text) {
      if (static_cast<unsigned char>(c) > ' ') {
        append_escaped({&c, 1});
      } else if (!out_.ends_with(' ') && !out_.ends_with('\n')) {
        out_ += ' ';
      }
    }
  }
  void append_escaped(std::string_view text) {
    for (const char c : text) {
      switch (c) {
        case '<': out_ += "&lt;"; break;
        case '>': out_ += "&gt;"; break;
        case '&': out_ += "&amp;"; break;
        case '"': out_ += "&quot;"; break;
        default: out_ += c;
      }
    }
  }
  bool is_line_empty() const {
    const std::size_t last = out_.find_last_not_of(" \t");
    return last == std::string::npos || out_[last] == '\n';
  }
  void begin_line() {
    while (out_.ends_with(' ')) out_.pop_back();
    if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
  }

  const Outline& outline_;
  MarkdownInline& inlines_;
  std::string out_;
  int pre_level_ = 0;
};

}  // namespace

std::string html_table(const Outline& outline, std::uint32_t at, MarkdownInline& inlines) {
  HtmlWriter writer(outline, inlines);
  writer.write({.node = outline[at].node, .at = at});
  return writer.take();
}

}  // namespace gossamer::content
