// Text with emphasis and links in Markdown: the content of one paragraph, heading or cell.
// https://spec.commonmark.org/0.31.2/#inlines
#pragma once

#include <array>
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
  // Marks must be nested. A mark without text inside is left out, and so is one in its like.
  void open(Mark mark);
  void close(Mark mark);
  void open_link();
  void close_link(std::string_view url);

  bool empty() const noexcept { return !has_ink_; }
  // Begins a new line. The memory is kept.
  void clear() noexcept;

  // Return the line and begin a new one. A block may have several lines, after hard breaks; in the
  // others breaks are spaces. A cell also escapes bars.
  std::string take_block();
  std::string take_heading();
  std::string take_cell();

 private:
  enum class Kind : std::uint8_t {
    text,
    space,
    code,
    open,
    close,
    open_link,
    close_link,
    line_break
  };
  // What a reader of marks sees on one side of them.
  enum class Edge : std::uint8_t { blank, punctuation, word, unknown };
  struct Piece {
    Kind kind = Kind::text;
    Mark mark = Mark::strong;
    bool is_valid = true;   // of a mark
    std::size_t begin = 0;  // of its part of text_
    std::size_t end = 0;
  };

  // Adds a piece whose text is the end of text_.
  void add_ink(Kind kind, std::size_t begin);
  std::string_view text_of(const Piece& piece) const noexcept {
    return std::string_view(text_).substr(piece.begin, piece.end - piece.begin);
  }
  static bool is_flanking(Edge outside, Edge inside);
  static Edge first_edge(std::string_view text);
  static Edge last_edge(std::string_view text);
  void find_edges_after();
  void match_marks();
  std::string take(std::string_view line_break, bool escapes_lines);

  std::string text_;  // of all pieces: as written, the plain text of code, or the URL of a link
  std::vector<Piece> pieces_;
  std::vector<Piece> waiting_;              // marks that were opened, before their text
  std::vector<Edge> edges_after_;           // of each piece, without marks
  std::vector<std::size_t> open_;           // places of open marks and links
  std::array<std::size_t, 2> levels_ = {};  // of each mark
  bool is_spaced_ = false;                  // white space came after the last piece
  bool is_broken_ = false;                  // a line break came after it
  bool has_ink_ = false;
  bool has_marks_ = false;  // or links
};

// Escapes what has a meaning in Markdown anywhere in a line.
void append_markdown_text(std::string& out, std::string_view text);

}  // namespace gossamer::content
