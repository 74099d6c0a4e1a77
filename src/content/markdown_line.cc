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

// Bytes that are neither blank nor left out, and never escaped.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> is_plain = {};
  for (std::size_t byte = ' ' + 1; byte < is_plain.size(); ++byte) is_plain[byte] = true;
  for (const char c : std::string_view("\\`*[]_<&~\x7F"))
    is_plain[static_cast<unsigned char>(c)] = false;
  return is_plain;
}();
bool is_plain(char c) { return kIsPlain[static_cast<unsigned char>(c)]; }

// Text of another element may follow the last byte, so it counts as followed by anything.
bool is_escaped(std::string_view text, std::size_t at) {
  const bool is_last = at + 1 == text.size();
  switch (text[at]) {
    case '\\':
    case '`':
    case '*':
    case '[':
    case ']': return true;
    // Within a word it has no meaning.
    case '_': return at == 0 || is_last || !is_word(text[at - 1]) || !is_word(text[at + 1]);
    // Before a space they have no meaning.
    case '<':
    case '&': return is_last || !is_blank(text[at + 1]);
    case '~': return is_last || !is_blank(text[at + 1]) || (at > 0 && text[at - 1] == '~');
    default: return false;
  }
}

// Returns the length of the white space that the text begins with, in any script.
std::size_t blank_before(std::string_view text) {
  if (text.empty()) return 0;
  if (is_blank(text[0])) return 1;
  if (text.starts_with("\xC2\xA0")) return 2;
  const std::string_view three = text.substr(0, 3);
  const bool is_wide = three == "\xE2\x80\xAF" || three == "\xE2\x81\x9F" ||
                       three == "\xE3\x80\x80" ||
                       (three.size() == 3 && three.starts_with("\xE2\x80") && three[2] >= '\x80' &&
                        three[2] <= '\x8A');
  return is_wide ? 3 : 0;
}

// Returns the length of the white space that the text ends with.
std::size_t blank_after(std::string_view text) {
  for (const std::size_t length : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    if (text.size() < length) return 0;
    if (blank_before(text.substr(text.size() - length)) == length) return length;
  }
  return 0;
}

// Writes code between marks that do not occur in it.
void append_code(std::string& out, std::string_view plain) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : plain) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const std::string_view room = plain.starts_with('`') || plain.ends_with('`') ? " " : "";
  out.append(fence).append(room).append(plain).append(room).append(fence);
}

// Escapes what has a meaning only at the beginning of a line: headings, lists, quotes, rules.
// `begin` is the place of the line, which is the last one.
void escape_start(std::string& out, std::size_t begin) {
  if (begin == out.size()) return;
  if (std::string_view("#+-=>~|").contains(out[begin])) {
    out.insert(begin, "\\");
    return;
  }
  std::size_t digits = begin;
  while (digits < out.size() && base::is_digit(out[digits])) ++digits;
  if (digits > begin && digits < out.size() && (out[digits] == '.' || out[digits] == ')')) {
    out.insert(digits, "\\");
  }
}

std::string_view mark_text(MarkdownLine::Mark mark) {
  return mark == MarkdownLine::Mark::strong ? "**" : "*";
}

}  // namespace

// Runs of bytes are copied together: most need no escape.
void append_markdown_text(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    while (at < text.size() &&
           (is_plain(text[at]) || (text[at] == ' ' && at > begin && !is_blank(text[at - 1])))) {
      ++at;
    }
    out.append(text, begin, at - begin);
    if (at == text.size()) return;
    if (is_blank(text[at])) {
      if (!out.ends_with(' ')) out += ' ';
    } else if (text[at] != '\x7F') {
      if (is_escaped(text, at)) out += '\\';
      out += text[at];
    }
    ++at;
  }
}

void MarkdownLine::add_ink(Kind kind, std::size_t begin) {
  if (is_broken_) {
    pieces_.push_back({.kind = Kind::line_break});
  } else if (is_spaced_ && has_ink_) {
    pieces_.push_back({.kind = Kind::space});
  }
  is_spaced_ = is_broken_ = false;
  has_ink_ = true;
  pieces_.insert(pieces_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
  pieces_.push_back({.kind = kind, .begin = begin, .end = text_.size()});
}

// White space at the edges may come to lie at the edge of emphasis, where no reader accepts it.
void MarkdownLine::text(std::string_view text) {
  while (const std::size_t blank = blank_before(text)) {
    is_spaced_ = true;
    text.remove_prefix(blank);
  }
  bool ends_blank = false;
  while (const std::size_t blank = blank_after(text)) {
    ends_blank = true;
    text.remove_suffix(blank);
  }
  const std::size_t begin = text_.size();
  append_markdown_text(text_, text);
  if (text_.size() > begin) add_ink(Kind::text, begin);
  is_spaced_ = is_spaced_ || ends_blank;
}

void MarkdownLine::hard_break() { is_broken_ = has_ink_; }

void MarkdownLine::code(std::string_view text) {
  const std::size_t begin = text_.size();
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t word = at;
    while (at < text.size() && !is_blank(text[at])) ++at;
    text_.append(text, word, at - word);
    if (at < text.size() && text_.size() > begin && text_.back() != ' ') text_ += ' ';
  }
  if (text_.size() > begin && text_.back() == ' ') text_.pop_back();
  if (text_.size() > begin) add_ink(Kind::code, begin);
}

void MarkdownLine::image(std::string_view alt, std::string_view url) {
  const std::size_t begin = text_.size();
  text_ += "![";
  append_markdown_text(text_, alt);
  text_.append("](").append(url).append(")");
  add_ink(Kind::text, begin);
}

void MarkdownLine::open(Mark mark) {
  if (levels_[static_cast<std::size_t>(mark)]++ > 0) return;
  waiting_.push_back({.kind = Kind::open, .mark = mark});
  has_marks_ = true;
}

void MarkdownLine::close(Mark mark) {
  if (--levels_[static_cast<std::size_t>(mark)] > 0) return;
  if (!waiting_.empty()) {
    if (waiting_.back().kind == Kind::open) waiting_.pop_back();
    return;
  }
  pieces_.push_back({.kind = Kind::close, .mark = mark});
}

void MarkdownLine::open_link() {
  waiting_.push_back({.kind = Kind::open_link});
  has_marks_ = true;
}

void MarkdownLine::close_link(std::string_view url) {
  if (!waiting_.empty()) {
    if (waiting_.back().kind == Kind::open_link) waiting_.pop_back();
    return;
  }
  const std::size_t begin = text_.size();
  text_ += url;
  pieces_.push_back({.kind = Kind::close_link, .begin = begin, .end = text_.size()});
  has_marks_ = true;
}

MarkdownLine::Edge MarkdownLine::first_edge(std::string_view text) {
  if (blank_before(text) > 0) return Edge::blank;
  if (static_cast<unsigned char>(text.front()) >= 0x80) return Edge::unknown;
  return is_ascii_word(text.front()) ? Edge::word : Edge::punctuation;
}

MarkdownLine::Edge MarkdownLine::last_edge(std::string_view text) {
  if (blank_after(text) > 0) return Edge::blank;
  if (static_cast<unsigned char>(text.back()) >= 0x80) return Edge::unknown;
  return is_ascii_word(text.back()) ? Edge::word : Edge::punctuation;
}

// A character that is not ASCII may be punctuation or a letter, so emphasis next to it counts only
// if it would count in both cases.
// https://spec.commonmark.org/0.31.2/#left-flanking-delimiter-run
bool MarkdownLine::is_flanking(Edge outside, Edge inside) {
  if (inside == Edge::blank) return false;
  return inside == Edge::word || outside == Edge::blank || outside == Edge::punctuation;
}

// Finds what comes after each piece, without marks.
void MarkdownLine::find_edges_after() {
  edges_after_.resize(pieces_.size());
  Edge next = Edge::blank;
  for (std::size_t at = pieces_.size(); at-- > 0;) {
    edges_after_[at] = next;
    const Piece& piece = pieces_[at];
    switch (piece.kind) {
      case Kind::open:
      case Kind::close: break;
      case Kind::space:
      case Kind::line_break: next = Edge::blank; break;
      case Kind::code:
      case Kind::open_link:
      case Kind::close_link: next = Edge::punctuation; break;
      case Kind::text: next = first_edge(text_of(piece)); break;
    }
  }
}

// Decides which marks a reader would take for emphasis.
void MarkdownLine::match_marks() {
  find_edges_after();
  open_.clear();
  Edge last = Edge::blank;
  bool is_after_close = false;
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    Piece& piece = pieces_[at];
    switch (piece.kind) {
      case Kind::open:
        // Marks directly after others would be read as one run.
        piece.is_valid = !is_after_close && is_flanking(last, edges_after_[at]);
        open_.push_back(at);
        continue;
      case Kind::close: {
        if (open_.empty() || pieces_[open_.back()].kind != Kind::open) {
          piece.is_valid = false;
          continue;
        }
        Piece& first = pieces_[open_.back()];
        open_.pop_back();
        piece.is_valid = first.is_valid =
            first.is_valid && first.mark == piece.mark && is_flanking(edges_after_[at], last);
        is_after_close = is_after_close || piece.is_valid;
        continue;
      }
      case Kind::open_link:
        open_.push_back(at);
        last = Edge::punctuation;
        break;
      case Kind::close_link: {
        // Marks that are still open inside of it are not nested.
        while (!open_.empty() && pieces_[open_.back()].kind == Kind::open) {
          pieces_[open_.back()].is_valid = false;
          open_.pop_back();
        }
        piece.is_valid = !open_.empty();
        if (!open_.empty()) open_.pop_back();
        last = Edge::punctuation;
        break;
      }
      case Kind::space:
      case Kind::line_break: last = Edge::blank; break;
      case Kind::code: last = Edge::punctuation; break;
      case Kind::text: last = last_edge(text_of(piece)); break;
    }
    is_after_close = false;
  }
  for (const std::size_t at : open_) pieces_[at].is_valid = false;
}

std::string MarkdownLine::take(std::string_view line_break, bool escapes_lines) {
  if (has_marks_) match_marks();
  std::string out;
  out.reserve(text_.size() + 4 * pieces_.size());
  std::size_t line = 0;  // where the last line begins
  std::string code;      // that further code may continue
  const auto end_line = [&] {
    if (escapes_lines) escape_start(out, line);
  };
  for (const Piece& piece : pieces_) {
    if (!piece.is_valid) continue;
    if (piece.kind != Kind::code && !code.empty()) append_code(out, std::exchange(code, {}));
    switch (piece.kind) {
      case Kind::text: out += text_of(piece); break;
      case Kind::space: out += ' '; break;
      case Kind::code: code += text_of(piece); break;
      case Kind::open:
      case Kind::close: out += mark_text(piece.mark); break;
      case Kind::open_link:
        // It would be a picture.
        if (out.size() > line && out.back() == '!') out.insert(out.size() - 1, "\\");
        out += '[';
        break;
      case Kind::close_link: out.append("](").append(text_of(piece)).append(")"); break;
      case Kind::line_break:
        end_line();
        out += line_break;
        line = out.size();
        break;
    }
  }
  if (!code.empty()) append_code(out, code);
  end_line();
  clear();
  return out;
}

void MarkdownLine::clear() noexcept {
  text_.clear();
  pieces_.clear();
  waiting_.clear();
  levels_ = {};
  is_spaced_ = is_broken_ = has_ink_ = has_marks_ = false;
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
