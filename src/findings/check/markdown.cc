#include <algorithm>
#include <tuple>
#include <utility>

#include "check/document.h"
#include "check/heading_ids.h"
#include "check/markdown_blocks.h"
#include "check/markdown_inlines.h"
#include "check/plain_text.h"
#include "check/position_finder.h"

namespace gossamer::check {
namespace {

// Returns the text of a heading without markup.
std::string plain_text(std::string_view document, const MarkdownBlocks::Text& text,
                       std::vector<MarkdownInlines::Range> marks) {
  std::ranges::sort(marks, {}, &MarkdownInlines::Range::begin);
  std::string plain;
  std::size_t at = text.begin;
  const auto take = [&](std::size_t end) {
    if (end > at) plain += document.substr(at, end - at);
    at = std::max(at, end);
  };
  for (const MarkdownInlines::Range& mark : marks) {
    take(std::min(mark.begin, text.end));
    at = std::max(at, mark.end);
  }
  take(text.end);
  const std::size_t first = plain.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return {};
  plain = plain.substr(first, plain.find_last_not_of(" \t\r\n") + 1 - first);
  // Underscores within words are kept; those around words are emphasis.
  std::string without;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto is_edge = [&](std::size_t other) {
      return other >= plain.size() ||
             std::string_view(" \t\n_.,:;!?()*").find(plain[other]) != std::string_view::npos;
    };
    const bool is_emphasis = plain[i] == '_' && (is_edge(i + 1) || i == 0 || is_edge(i - 1));
    if (!is_emphasis) without += plain[i];
  }
  return without;
}

// BOUND: the length of the text between braces.
constexpr std::size_t kAttributeBytesMax = 1000;

// Explicit ids, as Pandoc, Quarto, kramdown, Hugo and Docusaurus read them: "## Title {#id}", "{#id
// .class}", "{: #id}", "{/* #id */}". They are added to the id that GitHub makes, which ignores
// them. BOUND: linear, because braces do not nest.
void add_given_ids(std::string_view text, std::vector<std::string>& ids) {
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string_view::npos;) {
    const std::size_t begin = at + 1;
    const std::size_t end = text.find_first_of("{}\n", begin);
    at = std::min(end, text.size());
    if (end == std::string_view::npos || text[end] != '}' || end - begin > kAttributeBytesMax) {
      continue;
    }
    const std::string_view inner = text.substr(begin, end - begin);
    for (std::size_t mark = inner.find('#'); mark != std::string_view::npos;) {
      const bool begins_word = mark == 0 || inner[mark - 1] == ' ' || inner[mark - 1] == ':';
      const std::size_t word = std::min(inner.find_first_of(" \t*", mark), inner.size());
      if (begins_word && word > mark + 1 && ids.size() < kIdsMax) {
        ids.emplace_back(inner.substr(mark + 1, word - mark - 1));
      }
      mark = inner.find('#', word);
    }
  }
}

void blank(std::string& text, const MarkdownInlines::Range& range) {
  for (std::size_t i = range.begin; i < std::min(range.end, text.size()); ++i) {
    if (text[i] != '\n') text[i] = ' ';
  }
}

// The URLs in code: `html` is the document without its code blocks.
void add_code(std::string_view text, std::string_view html, MarkdownInlines& inlines) {
  std::string code(text);
  for (std::size_t i = 0; i < std::min(html.size(), code.size()); ++i) {
    if (html[i] == code[i] && code[i] != '\n') code[i] = ' ';
  }
  for (const MarkdownInlines::Range& range : inlines.codes) {
    code.replace(range.begin, range.end - range.begin,
                 text.substr(range.begin, range.end - range.begin));
  }
  for (std::size_t at = 0;;) {
    const BareAddress found = find_bare_address(code, at);
    if (!found.exists()) return;
    inlines.links.push_back({.offset = found.offset,
                             .kind = html::LinkKind::page,
                             .url = code.substr(found.offset, found.size),
                             .text = {}});
    at = found.offset + found.size;
  }
}

void add_links(std::string_view text, MarkdownInlines& inlines, const Definitions& definitions,
               Document& document) {
  for (const auto& [label, used] : definitions) {
    if (used.is_used) continue;
    inlines.links.push_back({.offset = used.definition->offset,
                             .kind = html::LinkKind::page,
                             .url = used.definition->destination,
                             .text = {}});
  }
  std::ranges::sort(inlines.links, {}, &MarkdownInlines::Link::offset);
  PositionFinder positions(text);
  for (MarkdownInlines::Link& link : inlines.links) {
    if (document.links.size() >= kLinksMax) {
      ++document.links_left_out;
      continue;
    }
    document.links.push_back({.at = positions.at(link.offset),
                              .kind = link.kind,
                              .url = std::move(link.url),
                              .text = std::move(link.text)});
  }
}

}  // namespace

Document read_markdown(std::string_view text, const MarkdownRules& rules) {
  MarkdownBlocks blocks = read_blocks(text);
  Definitions definitions;
  for (const LinkDefinition& definition : blocks.definitions) {
    definitions.try_emplace(definition.label, UsedDefinition{.definition = &definition});
  }
  MarkdownInlines inlines;
  HeadingIds headings;
  std::vector<std::string> ids;
  for (const MarkdownBlocks::Text& one : blocks.texts) {
    read_inlines(blocks.text, one, definitions, rules, inlines);
    auto marks = std::exchange(inlines.marks, {});
    if (one.is_heading && ids.size() < kIdsMax) {
      ids.push_back(headings.next(plain_text(blocks.text, one, std::move(marks))));
    }
  }
  if (rules.reads_code) add_code(text, blocks.html, inlines);
  for (const MarkdownInlines::Range& range : inlines.no_html) {
    blank(blocks.html, range);
    blank(blocks.text, range);
  }
  Document document = read_html(blocks.html);
  document.base.reset();  // the renderer of the page decides that
  document.ids.insert(document.ids.end(), ids.begin(), ids.end());
  add_given_ids(blocks.text, document.ids);
  add_links(text, inlines, definitions, document);
  std::ranges::sort(document.links, {}, [](const LinkPlace& link) {
    return std::make_tuple(link.at.line, link.at.column, std::string_view(link.url));
  });
  return document;
}

}  // namespace gossamer::check
