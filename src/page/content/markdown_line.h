// Text with emphasis and links in Markdown: the content of one paragraph, heading or cell.
// https://spec.commonmark.org/0.31.2/#inlines
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "content/markdown_escape.h"

namespace gossamer::content {

// Collects pieces and writes them when all are known: white space at the edge of emphasis belongs
// outside, emphasis that no reader would see as such is left out, and a character is escaped only
// if a reader would take it for markup in this line.
class MarkdownLine {
 public:
  // The last two are written as elements of HTML.
  enum class Mark : std::uint8_t { strong, emphasis, strike, superscript, subscript };

  // White space is collapsed.
  void text(std::string_view text);
  void space() { is_spaced_ = true; }
  void hard_break();
  void code(std::string_view text);
  void image(std::string_view alt, std::string_view url);
  // A formula of TeX.
  void math(std::string_view tex, bool is_display);
  // Markdown that is written as it is.
  void raw(std::string_view markdown);
  // Marks must be nested. A mark without text inside is left out, and so is one in its like.
  void open(Mark mark);
  void close(Mark mark);
  void open_link();
  void close_link(std::string_view url);

  bool empty() const noexcept { return !has_ink_; }
  // Begins a new line. The memory is kept.
  void clear() noexcept;

  // Return the line and begin a new one. Breaks are line breaks in a block, spaces in a heading and
  // <br> in a note or a cell. A cell also escapes bars.
  std::string take_block();
  std::string take_heading();
  std::string take_note() { return take("<br>", false); }
  std::string take_cell();

 private:
  enum class Kind : std::uint8_t {
    text,  // not escaped yet
    raw,
    code,
    space,
    line_break,
    open,
    close,
    open_link,
    close_link,
  };
  struct Piece {
    Kind kind = Kind::text;
    Mark mark = Mark::strong;
    bool is_valid = true;       // of a mark or a link
    bool is_address = false;    // of the beginning of a link: its text is its address
    bool has_specials = false;  // characters of a text that may have to be escaped
    std::size_t begin = 0;      // of its part of text_
    std::size_t end = 0;
  };
  // What is on the right of a piece.
  struct Right {
    Edge edge = Edge::blank;
    char byte = '\0';  // the line ends
  };
  // A run of marks in text.
  struct Run {
    std::size_t end = 0;
    Flanks flanks;
  };
  // How the marks of the line are read. By the places of kRunMarks.
  struct Reading {
    std::array<bool, 3> has_pair = {};  // a run that may open, and a later one that may close
    bool has_code = false;
    bool begins_with_bracket = false;
  };

  // Prepares for a piece with ink, whose text is not in text_ yet.
  void begin_ink();
  void add_ink(Kind kind, std::size_t begin);
  std::string_view text_of(const Piece& piece) const noexcept {
    return std::string_view(text_).substr(piece.begin, piece.end - piece.begin);
  }
  void note_kinds(std::uint8_t kinds);
  void find_edges_after();
  void match_marks();
  void close_mark(std::size_t at, Edge last);
  void find_addresses();
  bool is_address_at(std::size_t at) const;
  void find_right();
  Run run_at(std::string_view text, std::size_t at, Edge left, const Right& right) const;
  Reading read() const;
  // `left`: the edge before it, `is_in_link`: brackets would end the link.
  void append_text(std::string& out, std::size_t at, Edge left, const Reading& reading,
                   bool is_in_link) const;
  bool is_escaped(std::string_view text, std::size_t at, const Right& right, const Reading& reading,
                  bool is_in_link) const;
  Edge edge_after(const Piece& piece, Edge last) const;
  std::string take(std::string_view line_break, bool escapes_lines);

  std::string text_;  // of all pieces, as they came; the URL of a link
  std::vector<Piece> pieces_;
  std::vector<Piece> waiting_;              // marks that were opened, before their text
  std::vector<Edge> edges_after_;           // of each piece, without marks
  std::vector<Right> right_;                // of each piece, with marks
  std::vector<std::size_t> open_;           // places of open marks and links
  std::array<std::size_t, 5> levels_ = {};  // of each mark
  bool is_spaced_ = false;                  // white space came after the last piece
  bool is_broken_ = false;                  // a line break came after it
  bool has_ink_ = false;
  bool has_marks_ = false;  // or links
  bool has_math_ = false;
  bool has_runs_ = false;      // characters that may be marks
  bool has_specials_ = false;  // characters that may have to be escaped
};

}  // namespace gossamer::content
