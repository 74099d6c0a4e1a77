// The content of a page as Markdown: CommonMark with the tables of GitHub.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "content/main_content.h"
#include "content/page_links.h"

namespace gossamer::content {

// How a table is written whose cells have code of several lines, or further tables.
enum class TableForm : std::uint8_t {
  html,      // as HTML
  markdown,  // as other tables: lines are separated by <br>
};

struct MarkdownOptions {
  PagePlace place = {};  // links become absolute by it
  bool images = false;   // writes pictures as links to them, with their captions
  TableForm tables = TableForm::html;
  // BOUND: ends after the block that exceeds it.
  std::size_t bytes_max = 16 * 1024 * 1024;
};

// Headings, paragraphs, lists, tasks, definitions, quotes, code with its language, tables,
// formulas, footnotes, emphasis and links. Links that are not http, https or mailto are written as
// text. Returns lines, the last one with its line feed; nothing if there is no text.
std::string to_markdown(const MainContent& content, const dom::Document& document,
                        const MarkdownOptions& options);
// The same for one element with all that is visible in it.
std::string to_markdown(const dom::Node& element, const dom::Document& document,
                        const MarkdownOptions& options);

}  // namespace gossamer::content
