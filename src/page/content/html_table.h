// Tables that Markdown cannot say, as HTML.
#pragma once

#include <cstdint>
#include <string>

#include "content/markdown_inline.h"
#include "content/outline.h"

namespace gossamer::content {

// Returns a table with its cells, lists, code and links, without attributes for its looks. There is
// no empty line in it, which would end it for a reader of Markdown.
std::string html_table(const Outline& outline, std::uint32_t at, MarkdownInline& inlines);

}  // namespace gossamer::content
