#include "content/markdown_line.h"

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace gossamer::content {
namespace {

bool is_word(char c) {
  return base::is_letter(c) || base::is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}
bool is_ascii_word(char c) { return base::is_letter(c) || base::is_digit(c); }
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

bool is_escaped(std::string_view text, std::size_t at) {
  const char next = at + 1 < text.size() ? text[at + 1] : ' ';
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']': return true;
    // Within a word it has no meaning.
    case '_': return at == 0 || !is_word(text[at - 1]) || !is_word(next);
    case '<': return is_ascii_word(next) || next == '/' || next == '!' || next == '?';
    case '&': return is_ascii_word(next) || next == '#';
    case '~': return next == '~' || (at > 0 && text[at - 1] == '~');
    default: return false;
  }
}

// Escapes what has a meaning only at the beginning of a line: headings, lists, quotes, rules.
std::string with_escaped_start(std::string line) {
  if (line.empty()) return line;
  if (std::string_view("#+-=>~|").contains(line[0])) return "\\" + line;
  std::size_t digits = 0;
  while (digits < line.size() && base::is_digit(line[digits])) ++digits;
  if (digits > 0 && digits < line.size() && (line[digits] == '.' || line[digits] == ')')) {
    line.insert(digits, "\\");
  }
  return line;
}

// A character that is not ASCII may be punctuation or a letter, so emphasis next to it counts only
// if it would count in both cases.
// https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
bool is_flanking(char outside, char inside) {
  if (is_blank(inside)) return false;
  const bool is_free =
      is_blank(outside) || (static_cast<unsigned char>(outside) < 0x80 && !is_ascii_word(outside));
  return is_ascii_word(inside) || is_free;
}

std::string_view mark_text(MarkdownLine::Mark mark) {
  return mark == MarkdownLine::Mark::strong ? "**" : "*";
}

}  // namespace

void append_markdown_text(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7F) continue;
    if (is_escaped(text, at)) out += '\\';
    out += text[at];
  }
}

void MarkdownLine::add_ink(Piece piece) {
  if (is_spaced_ && has_ink_ && !pieces_.empty()) {
    const bool is_after_break = pieces_.back().kind == Kind::line_break;
    if (!is_after_break) pieces_.push_back({.text = " "});
  }
  is_spaced_ = false;
  has_ink_ = true;
  for (Piece& mark : waiting_) pieces_.push_back(std::move(mark));
  waiting_.clear();
  pieces_.push_back(std::move(piece));
}

void MarkdownLine::text(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (is_blank(text[at])) {
      is_spaced_ = true;
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && (!is_blank(text[at]) || (text[at] == ' ' && at + 1 < text.size() &&
                                                        !is_blank(text[at + 1])))) {
      ++at;
    }
    Piece piece;
    append_markdown_text(piece.text, text.substr(begin, at - begin));
    if (!piece.text.empty()) add_ink(std::move(piece));
  }
}

void MarkdownLine::hard_break() {
  if (!has_ink_ || pieces_.back().kind == Kind::line_break) return;
  is_spaced_ = false;
  pieces_.push_back({.kind = Kind::line_break});
}

void MarkdownLine::code(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    const bool is_space = is_blank(c);
    if (is_space && (plain.empty() || plain.back() == ' ')) continue;
    plain += is_space ? ' ' : c;
  }
  if (plain.ends_with(' ')) plain.pop_back();
  if (plain.empty()) return;
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : plain) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string_view room = plain.starts_with('`') || plain.ends_with('`') ? " " : "";
  add_ink({.text = fence + std::string(room) + plain + std::string(room) + fence});
}

void MarkdownLine::image(std::string_view alt, std::string_view url) {
  Piece piece;
  piece.text = "![";
  append_markdown_text(piece.text, alt);
  piece.text.append("](").append(url).append(")");
  add_ink(std::move(piece));
}

void MarkdownLine::open(Mark mark) { waiting_.push_back({.kind = Kind::open, .mark = mark}); }

void MarkdownLine::close(Mark mark) {
  if (!waiting_.empty()) {
    if (waiting_.back().kind == Kind::open) waiting_.pop_back();
    return;
  }
  pieces_.push_back({.kind = Kind::close, .mark = mark});
}

void MarkdownLine::open_link() { waiting_.push_back({.kind = Kind::open_link}); }

void MarkdownLine::close_link(std::string_view url) {
  if (!waiting_.empty()) {
    if (waiting_.back().kind == Kind::open_link) waiting_.pop_back();
    return;
  }
  pieces_.push_back({.kind = Kind::close_link, .text = std::string(url)});
}

char MarkdownLine::first_ink_after(std::size_t at) const {
  for (++at; at < pieces_.size(); ++at) {
    const Piece& piece = pieces_[at];
    if (piece.kind == Kind::line_break) return ' ';
    if (piece.kind == Kind::open_link) return '[';
    if (piece.kind == Kind::close_link) return ']';
    if (piece.kind == Kind::text) return piece.text.front();
  }
  return ' ';
}

// Decides which marks a reader would take for emphasis.
void MarkdownLine::match_marks() {
  std::vector<std::size_t> open;  // places of open marks and links
  char last = ' ';
  bool is_after_close = false;
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    Piece& piece = pieces_[at];
    switch (piece.kind) {
      case Kind::open:
        // Marks directly after others would be read as one run.
        piece.is_valid = !is_after_close && is_flanking(last, first_ink_after(at));
        open.push_back(at);
        continue;
      case Kind::close: {
        if (open.empty() || pieces_[open.back()].kind != Kind::open) {
          piece.is_valid = false;
          continue;
        }
        Piece& first = pieces_[open.back()];
        open.pop_back();
        piece.is_valid = first.is_valid =
            first.is_valid && first.mark == piece.mark && is_flanking(first_ink_after(at), last);
        is_after_close = is_after_close || piece.is_valid;
        continue;
      }
      case Kind::open_link:
        open.push_back(at);
        last = '[';
        break;
      case Kind::close_link: {
        // Marks that are still open inside of it are not nested.
        while (!open.empty() && pieces_[open.back()].kind == Kind::open) {
          pieces_[open.back()].is_valid = false;
          open.pop_back();
        }
        piece.is_valid = !open.empty();
        if (!open.empty()) open.pop_back();
        last = ')';
        break;
      }
      case Kind::line_break: last = ' '; break;
      case Kind::text: last = piece.text.back(); break;
    }
    is_after_close = false;
  }
  for (const std::size_t at : open) pieces_[at].is_valid = false;
}

std::string MarkdownLine::take(std::string_view line_break, bool escapes_lines) {
  while (!pieces_.empty() && pieces_.back().kind == Kind::line_break) pieces_.pop_back();
  match_marks();
  std::string out;
  std::string line;
  const auto end_line = [&] {
    out += escapes_lines ? with_escaped_start(std::move(line)) : std::move(line);
    line.clear();
  };
  for (const Piece& piece : pieces_) {
    switch (piece.kind) {
      case Kind::text: line += piece.text; break;
      case Kind::open:
      case Kind::close:
        if (piece.is_valid) line += mark_text(piece.mark);
        break;
      case Kind::open_link:
        if (piece.is_valid) line += '[';
        break;
      case Kind::close_link:
        if (piece.is_valid) line.append("](").append(piece.text).append(")");
        break;
      case Kind::line_break:
        end_line();
        out += line_break;
        break;
    }
  }
  end_line();
  *this = {};
  return out;
}

std::string MarkdownLine::take_block() { return take("\\\n", true); }

std::string MarkdownLine::take_heading() {
  std::string line = take(" ", false);
  // Number signs at the end would belong to the markup.
  if (line.ends_with('#')) line.insert(line.size() - 1, "\\");
  return line;
}

std::string MarkdownLine::take_cell() {
  const std::string line = take(" ", false);
  std::string cell;
  for (const char c : line) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace gossamer::content
