// The block structure of a Markdown document, as far as links need it: what is text, what is code,
// what is HTML. https://spec.commonmark.org/0.31.2/#blocks-and-inlines
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::check {

// [label]: destination
struct LinkDefinition {
  std::string label;  // as it is compared: see normal_label()
  std::string destination;
  std::size_t offset = 0;  // of the destination
};

// Offsets are those of the document.
struct MarkdownBlocks {
  // A paragraph, a heading, a row of a table.
  struct Text {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_heading = false;
  };

  std::string text;  // the document with all that is no text (code, HTML, markers) made blank
  std::string html;  // the document with all that cannot be HTML (code) made blank
  std::vector<Text> texts;
  std::vector<LinkDefinition> definitions;
};

MarkdownBlocks read_blocks(std::string_view document);

// Labels are the same if they are so without regard to case and white space.
std::string normal_label(std::string_view label);

// Backslashes before punctuation taken away, character references replaced.
std::string unescaped(std::string_view text);

// The destination of a link that begins at `at`: <...>, or what goes on without blanks and with
// balanced parentheses. `end` is behind it; npos: there is none.
struct Destination {
  std::string_view text;  // without the brackets
  std::size_t end = std::string_view::npos;

  bool exists() const noexcept { return end != std::string_view::npos; }
};
Destination read_destination(std::string_view text, std::size_t at);

}  // namespace gossamer::check
