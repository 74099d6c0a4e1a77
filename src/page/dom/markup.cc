#include "dom/markup.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "dom/tag_set.h"

namespace gossamer::dom {
namespace {

using enum html::TagId;

constexpr TagSet kVoid = {area, base,  basefont, bgsound, br,   col,   embed,  frame, hr,
                          img,  input, keygen,   link,    meta, param, source, track, wbr};
constexpr TagSet kRawText = {style, script, xmp, iframe, noembed, noframes, plaintext};

bool is_html_in(const Node& node, const TagSet& tags) {
  return node.is_element() && node.space() == Space::html && tags.has(node.tag());
}

class MarkupWriter {
 public:
  explicit MarkupWriter(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  std::string write(const Node& root) {
    const Node* node = &root;
    std::size_t level = 0;  // of `node` below the root
    while (out_.size() <= bytes_max_) {
      open(*node);
      if (node->first_child() != nullptr) {
        node = node->first_child();
        ++level;
        continue;
      }
      close(*node);
      while (level > 0 && node->next() == nullptr) {
        node = node->parent();
        --level;
        close(*node);
      }
      if (level == 0) break;
      node = node->next();
    }
    return std::move(out_);
  }

 private:
  void open(const Node& node) {
    switch (node.kind()) {
      case Kind::doctype: out_ += "<!DOCTYPE html>"; return;
      case Kind::comment: out_.append("<!--").append(node.text()).append("-->"); return;
      case Kind::text: write_text(node); return;
      case Kind::element: break;
      default: return;
    }
    out_.append("<").append(node.name());
    for (const Attribute& attribute : node.attributes()) {
      out_.append(" ").append(attribute.name()).append("=\"");
      escape(attribute.value(), true);
      out_ += '"';
    }
    out_ += '>';
  }
  void close(const Node& node) {
    if (!node.is_element() || is_html_in(node, kVoid)) return;
    out_.append("</").append(node.name()).append(">");
  }
  void write_text(const Node& node) {
    const Node* const parent = node.parent();
    if (parent != nullptr && is_html_in(*parent, kRawText)) {
      out_ += node.text();
    } else {
      escape(node.text(), false);
    }
  }
  void escape(std::string_view text, bool is_value) {
    constexpr std::string_view kNoBreakSpace = "\xC2\xA0";
    while (!text.empty()) {
      const std::size_t plain = std::min(text.find_first_of("&<>\"\xC2"), text.size());
      out_ += text.substr(0, plain);
      text.remove_prefix(plain);
      if (text.empty()) return;
      std::size_t length = 1;
      switch (text.front()) {
        case '&': out_ += "&amp;"; break;
        case '<': out_ += "&lt;"; break;
        case '>': out_ += "&gt;"; break;
        case '"': out_ += is_value ? "&quot;" : "\""; break;
        default:
          length = text.starts_with(kNoBreakSpace) ? kNoBreakSpace.size() : 1;
          out_ += length > 1 ? "&nbsp;" : text.substr(0, 1);
      }
      text.remove_prefix(length);
    }
  }

  const std::size_t bytes_max_;
  std::string out_;
};

}  // namespace

std::string to_html(const Node& node, std::size_t bytes_max) {
  return MarkupWriter(bytes_max).write(node);
}

}  // namespace gossamer::dom
