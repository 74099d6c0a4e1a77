// Text with emphasis and links in Markdown: the content of one paragraph, heading or cell.
// https://spec.commonmark.org/0.31.2/#inlines
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::content {

// Collects pieces and writes them when all are known, because white space at the edge of emphasis
// belongs outside, and emphasis that no reader would see as such is left out.
class MarkdownLine {
 public:
  enum class Mark : std::uint8_t { strong, emphasis };

  // White space is collapsed, and characters with a meaning in Markdown are escaped.
  void text(std::string_view text);
  void space() { is_spaced_ = true; }
  void hard_break();
  void code(std::string_view text);
  void image(std::string_view alt, std::string_view url);
  // Marks must be nested. A mark without text inside is left out.
  void open(Mark mark);
  void close(Mark mark);
  void open_link();
  void close_link(std::string_view url);

  bool empty() const noexcept { return !has_ink_; }

  // Return the line and begin a new one. A block may have several lines, after hard breaks; in the
  // others breaks are spaces. A cell also escapes bars.
  std::string take_block();
  std::string take_heading();
  std::string take_cell();

 private:
  enum class Kind : std::uint8_t { text, open, close, open_link, close_link, line_break };
  struct Piece {
    Kind kind = Kind::text;
    Mark mark = Mark::strong;
    std::string text = {};  // as written, or the URL of a link
    bool is_valid = true;   // of a mark
  };

  void add_ink(Piece piece);
  void match_marks();
  std::string take(std::string_view line_break, bool escapes_lines);
  char first_ink_after(std::size_t at) const;

  std::vector<Piece> pieces_;
  std::vector<Piece> waiting_;  // marks that were opened, before their text
  bool is_spaced_ = false;      // white space came after the last piece
  bool has_ink_ = false;
};

// Escapes what has a meaning in Markdown anywhere in a line.
void append_markdown_text(std::string& out, std::string_view text);

}  // namespace gossamer::content
