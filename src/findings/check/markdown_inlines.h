// Finds the links within one text of a Markdown document.
// https://spec.commonmark.org/0.31.2/#inlines and
// https://github.github.com/gfm/#autolinks-extension-
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/document.h"
#include "check/markdown_blocks.h"
#include "html/links/link.h"

namespace gossamer::check {

// The findings. Offsets are positions in the document.
struct MarkdownInlines {
  struct Link {
    std::size_t offset = 0;
    html::LinkKind kind = html::LinkKind::page;
    std::string url;
    std::string text;
    bool is_bare = false;  // a URL without markup
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::vector<Link> links;
  std::vector<Range> marks;    // not part of the visible text: brackets, destinations, tags, images
  std::vector<Range> codes;    // code spans
  std::vector<Range> no_html;  // code spans and URLs in angle brackets
};

// Definitions by label, and whether a link uses them.
struct UsedDefinition {
  const LinkDefinition* definition = nullptr;
  bool is_used = false;
};
using Definitions = std::unordered_map<std::string_view, UsedDefinition>;

// Reads one text and appends to `into`.
void read_inlines(std::string_view document, const MarkdownBlocks::Text& text,
                  Definitions& definitions, const MarkdownRules& rules, MarkdownInlines& into);

}  // namespace gossamer::check
