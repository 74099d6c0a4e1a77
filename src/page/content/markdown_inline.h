// What is in a line of Markdown: text, emphasis, code, links, formulas, notes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "content/footnotes.h"
#include "content/markdown.h"
#include "content/markdown_line.h"
#include "content/outline_parts.h"
#include "content/page_links.h"

namespace gossamer::content {

// Writes elements into lines. Blocks are separated by line breaks. BORROWS: all that it is made of.
class MarkdownInline {
 public:
  MarkdownInline(const MainContent& content, const dom::Document& document,
                 const MarkdownOptions& options);

  void write(Part part, MarkdownLine& line);
  void write_children(Part part, MarkdownLine& line);
  void write_text(const dom::Node& text, MarkdownLine& line);
  // Writes the formula that an element is. Returns false if it is none.
  bool write_formula(const dom::Node& element, MarkdownLine& line);
  // Writes what an outline does not list, but Markdown does.
  void write_unlisted(const dom::Node& element, MarkdownLine& line);
  // Writes a note without its label and its links back.
  void write_note(const Footnotes::Note& note, MarkdownLine& line);

  // A link around blocks is written in each of them.
  void begin_link(const dom::Node& link);
  void end_link() { link_.clear(); }
  bool has_link() const noexcept { return !link_.empty(); }
  void open_link_around(MarkdownLine& line) const;
  void close_link_around(MarkdownLine& line);

  // Returns the address of a link or a picture; empty: it is not written as one.
  std::string target_of(const dom::Node& link);
  std::string source_of(const dom::Node& image);
  // Returns the text below an element, unchanged.
  std::string plain_text(Part part) const;

  const Footnotes& notes() const noexcept { return notes_; }
  const MarkdownOptions& options() const noexcept { return options_; }

  // BOUND: what is written, and what waits to be written.
  bool is_full() const noexcept { return written_bytes_ + waiting_bytes_ > options_.bytes_max; }
  void add_waiting(std::size_t bytes) noexcept { waiting_bytes_ += bytes; }
  void set_written(std::size_t bytes) noexcept {
    written_bytes_ = bytes;
    waiting_bytes_ = 0;
  }

 private:
  void write_marked(Part part, MarkdownLine& line);
  void write_link(Part part, MarkdownLine& line);
  void write_code(Part part, MarkdownLine& line);
  void write_code_parts(Part part, MarkdownLine& line);
  void write_code_lines(Part part, MarkdownLine& line);
  void write_item(Part part, MarkdownLine& line);
  void write_image(const dom::Node& image, MarkdownLine& line);
  bool write_reference(Part part, MarkdownLine& line);
  bool has_reference(Part part) const;
  bool has_link_below(Part part) const;
  const url::Url* resolve(std::string_view reference);
  void append_plain(Part part, std::string& text) const;

  const Outline& outline_;
  const MarkdownOptions& options_;
  PageLinks links_;
  Footnotes notes_;
  const Footnotes::Note* note_ = nullptr;  // that is being written
  std::string link_;                       // around the blocks that are being written; empty: none
  bool is_in_link_ = false;
  std::size_t list_level_ = 0;  // of lists in a line
  std::size_t formula_work_;    // BOUND: to look for formulas
  std::size_t written_bytes_ = 0;
  std::size_t waiting_bytes_ = 0;  // in lines that are not written yet
  std::size_t url_bytes_ = 0;
};

// Adds what keeps the text of a note from being read as an address, which some readers would do.
void guard_note(std::string& text);

}  // namespace gossamer::content
