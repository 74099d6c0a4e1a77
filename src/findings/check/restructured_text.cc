// Finds the links of reStructuredText that one file can resolve: roles of Sphinx and references by
// name need the whole project.
// https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "check/document.h"
#include "check/link_text.h"
#include "check/plain_text.h"
#include "check/position_finder.h"

namespace gossamer::check {
namespace {

constexpr auto kLiteralDirectives = std::to_array<std::string_view>(
    {"code", "code-block", "sourcecode", "highlight", "parsed-literal", "literalinclude", "math",
     "raw", "doctest", "prompt"});
constexpr std::string_view kRstBlanks = " \t\r";

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(kRstBlanks), line.size());
}

// ".. name:: argument". Empty if there is none.
struct Directive {
  std::string_view name;
  std::string_view argument;
};
Directive read_directive(std::string_view line) {
  if (!line.starts_with(".. ")) return {};
  const std::size_t colons = line.find("::");
  if (colons == std::string_view::npos) return {};
  std::string_view name = base::trimmed(line.substr(3, colons - 3), kRstBlanks);
  // .. |logo| image:: logo.png
  if (name.starts_with('|')) name.remove_prefix(std::min(name.rfind(' ') + 1, name.size()));
  if (name.find_first_of(" `<") != std::string_view::npos) return {};
  return {name, base::trimmed(line.substr(colons + 2), kRstBlanks)};
}

class RstReader {
 public:
  RstReader(std::string_view text, Document& into) : text_(text), positions_(text), into_(into) {}

  void read() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      read_line(at, text_.substr(at, end - at));
      at = end + 1;
    }
  }

 private:
  void read_line(std::size_t offset, std::string_view line) {
    const std::size_t indent = indent_of(line);
    const std::string_view content = base::trimmed(line, kRstBlanks);
    if (content.empty()) return;
    if (is_literal_ && indent > literal_indent_) return;
    is_literal_ = false;
    const std::size_t begin = offset + indent;
    const Directive directive = read_directive(content);
    if (!directive.name.empty()) return read_as_directive(begin, indent, content, directive);
    if (content.ends_with("::")) {
      is_literal_ = true;
      literal_indent_ = indent;
    }
    if (content.starts_with(".. _")) return read_target(begin, content);
    if (content.starts_with(":target:")) return add_rest(begin, content, 8, html::LinkKind::page);
    read_inlines(begin, content);
  }

  void read_as_directive(std::size_t begin, std::size_t indent, std::string_view content,
                         const Directive& directive) {
    if (std::ranges::find(kLiteralDirectives, directive.name) != kLiteralDirectives.end()) {
      is_literal_ = true;
      literal_indent_ = indent;
      return;
    }
    if (directive.argument.empty()) return;
    const auto argument = static_cast<std::size_t>(directive.argument.data() - content.data());
    if (directive.name == "image" || directive.name == "figure") {
      return add_rest(begin, content, argument, html::LinkKind::image);
    }
    read_inlines(begin + argument, directive.argument);
  }

  // ".. _name: https://a.example/". A quoted name may contain colons.
  void read_target(std::size_t begin, std::string_view content) {
    std::size_t colon = 4;
    if (content.substr(4).starts_with('`')) colon = content.find('`', 5);
    if (colon == std::string_view::npos) return;
    colon = content.find(':', colon);
    if (colon == std::string_view::npos) return;
    const std::string_view target = base::trimmed(content.substr(colon + 1), kRstBlanks);
    if (target.ends_with('_')) return;  // another name
    add_rest(begin, content, colon + 1, html::LinkKind::page);
  }

  // Finds `text <https://a.example/>`_ and bare URLs; skips ``code``.
  void read_inlines(std::size_t begin, std::string_view content) {
    std::size_t plain = 0;  // start of the text not read yet
    for (std::size_t at = 0; (at = content.find('`', at)) != std::string_view::npos;) {
      const bool is_code = content.substr(at).starts_with("``");
      const std::string_view mark = is_code ? "``" : "`";
      const std::size_t end = content.find(mark, at + mark.size());
      if (end == std::string_view::npos) break;
      read_bare(begin + plain, content.substr(plain, at - plain));
      const std::string_view inner = content.substr(at + mark.size(), end - at - mark.size());
      const bool is_role = at > 0 && content[at - 1] == ':';
      if (!is_code && !is_role) read_embedded(begin + at + 1, inner);
      at = plain = end + mark.size();
    }
    read_bare(begin + plain, content.substr(plain));
  }

  void read_embedded(std::size_t begin, std::string_view inner) {
    const std::size_t open = inner.rfind('<');
    if (!inner.ends_with('>') || open == std::string_view::npos) return read_bare(begin, inner);
    const std::string_view target = inner.substr(open + 1, inner.size() - open - 2);
    if (target.ends_with('_')) return;  // a name
    add(begin + open + 1, target, html::LinkKind::page, inner.substr(0, open));
  }

  void read_bare(std::size_t begin, std::string_view piece) {
    for (BareAddress found = find_bare_address(piece, 0); found.exists();
         found = find_bare_address(piece, found.offset + found.size)) {
      add(begin + found.offset, piece.substr(found.offset, found.size), html::LinkKind::page, {});
    }
  }

  // Adds the text after `skipped`, trimmed.
  void add_rest(std::size_t begin, std::string_view content, std::size_t skipped,
                html::LinkKind kind) {
    const std::string_view target = base::trimmed(content.substr(skipped), kRstBlanks);
    if (target.empty()) return;
    add(begin + static_cast<std::size_t>(target.data() - content.data()), target, kind, {});
  }

  void add(std::size_t offset, std::string_view url, html::LinkKind kind, std::string_view text) {
    if (into_.links.size() >= kLinksMax) {
      ++into_.links_left_out;
      return;
    }
    into_.links.push_back({.at = positions_.at(offset),
                           .kind = kind,
                           .url = std::string(url),
                           .text = link_text(text)});
  }

  std::string_view text_;
  PositionFinder positions_;
  Document& into_;
  bool is_literal_ = false;  // deeper indented lines are code
  std::size_t literal_indent_ = 0;
};

}  // namespace

Document read_restructured_text(std::string_view text) {
  Document document;
  RstReader(text, document).read();
  return document;
}

}  // namespace gossamer::check
