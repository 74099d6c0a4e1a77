// The block structure of a Markdown document, as far as links need it: which parts are text, code
// or HTML. https://spec.commonmark.org/0.31.2/#blocks-and-inlines
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::check {

// [label]: destination
struct LinkDefinition {
  std::string label;  // in its normal form: see normal_label()
  std::string destination;
  std::size_t offset = 0;  // of the destination
};

// Offsets are positions in the document.
struct MarkdownBlocks {
  // A paragraph, a heading, a row of a table.
  struct Text {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_heading = false;
  };

  std::string
      text;  // the document with everything that is not text (code, HTML, markers) blanked out
  std::string html;  // the document with everything that cannot be HTML (code) blanked out
  std::vector<Text> texts;
  std::vector<LinkDefinition> definitions;
};

MarkdownBlocks read_blocks(std::string_view document);

// Labels are equal if they differ only in case and white space.
std::string normal_label(std::string_view label);

// Removes backslashes before punctuation and decodes character references.
std::string unescaped(std::string_view text);

// The destination of a link that begins at `at`: <...>, or text without blanks and with balanced
// parentheses. `end` is the position after it; npos if there is none.
struct Destination {
  std::string_view text;  // without the brackets
  std::size_t end = std::string_view::npos;

  bool exists() const noexcept { return end != std::string_view::npos; }
};
Destination read_destination(std::string_view text, std::size_t at);

}  // namespace gossamer::check
