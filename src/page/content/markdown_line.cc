#include "content/markdown_line.h"

#include <algorithm>
#include <utility>

#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

// What a byte is when text is copied.
enum WordByte : std::uint8_t {
  kInk = 0,
  kMayBeMark = 1,  // ink that is a mark in pairs
  kSpecial = 2,    // ink that may have to be escaped
  kNoInk = 4,      // white space, or left out
};
constexpr char kLeftOut = '\x7F';
constexpr auto kWordBytes = [] {
  std::array<std::uint8_t, 256> kinds = {};
  for (std::size_t byte = 0; byte <= ' '; ++byte) kinds[byte] = kNoInk;
  kinds[kLeftOut] = kNoInk;
  for (const char c : kEscapable) kinds[static_cast<unsigned char>(c)] = kSpecial;
  for (const char c : std::string_view("*_~`")) kinds[static_cast<unsigned char>(c)] |= kMayBeMark;
  return kinds;
}();
bool is_ink(char c) { return (kWordBytes[static_cast<unsigned char>(c)] & kNoInk) == 0; }

std::uint8_t kinds_of_bytes(std::string_view text) {
  std::uint8_t kinds = 0;
  for (const char c : text) kinds |= kWordBytes[static_cast<unsigned char>(c)];
  return kinds;
}

// Appends a text with its white space collapsed. Returns what its bytes are. Words with single
// spaces between them are copied together.
std::uint8_t append_words(std::string& out, std::string_view text, std::size_t begin) {
  std::uint8_t seen = 0;
  // Most texts have nothing that is left out.
  const bool is_whole = !text.contains(kLeftOut);
  for (std::size_t at = 0; at < text.size();) {
    if (!is_ink(text[at])) {
      if (is_blank(text[at]) && out.size() > begin && out.back() != ' ') out += ' ';
      ++at;
      continue;
    }
    std::size_t end = html::end_of_words(text, at);
    if (!is_whole) end = std::min(end, text.find(kLeftOut, at));
    seen |= kinds_of_bytes(text.substr(at, end - at));
    out.append(text, at, end - at);
    at = end;
  }
  return seen;
}

}  // namespace

void MarkdownLine::begin_ink() {
  if (is_broken_) {
    pieces_.push_back({.kind = Kind::line_break});
  } else if (is_spaced_ && has_ink_) {
    pieces_.push_back({.kind = Kind::space});
  }
  is_spaced_ = is_broken_ = false;
  has_ink_ = true;
  pieces_.insert(pieces_.end(), waiting_.begin(), waiting_.end());
  waiting_.clear();
}

void MarkdownLine::add_ink(Kind kind, std::size_t begin) {
  pieces_.push_back({.kind = kind, .begin = begin, .end = text_.size()});
}

// Of the text that was added to the last piece.
void MarkdownLine::note_kinds(std::uint8_t kinds) {
  Piece& piece = pieces_.back();
  piece.end = text_.size();
  piece.has_specials = piece.has_specials || (kinds & kSpecial) != 0;
  has_specials_ = has_specials_ || piece.has_specials;
  has_runs_ = has_runs_ || (kinds & kMayBeMark) != 0;
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
  if (text.find_first_not_of('\x7F') != std::string_view::npos) {
    const bool continues =
        !pieces_.empty() && pieces_.back().kind == Kind::text && waiting_.empty() && !is_broken_;
    if (continues) {
      if (std::exchange(is_spaced_, false)) text_ += ' ';
      note_kinds(append_words(text_, text, pieces_.back().begin));
    } else {
      begin_ink();
      const std::size_t begin = text_.size();
      const std::uint8_t kinds = append_words(text_, text, begin);
      add_ink(Kind::text, begin);
      note_kinds(kinds);
    }
  }
  is_spaced_ = is_spaced_ || ends_blank;
}

void MarkdownLine::hard_break() { is_broken_ = has_ink_; }

void MarkdownLine::code(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) {
    is_spaced_ = true;
    text.remove_prefix(1);
  }
  bool ends_blank = false;
  while (!text.empty() && is_blank(text.back())) {
    ends_blank = true;
    text.remove_suffix(1);
  }
  if (text.find_first_not_of('\x7F') != std::string_view::npos) {
    begin_ink();
    const std::size_t begin = text_.size();
    append_words(text_, text, begin);
    add_ink(Kind::code, begin);
  }
  is_spaced_ = is_spaced_ || ends_blank;
}

void MarkdownLine::raw(std::string_view markdown) {
  if (markdown.empty()) return;
  begin_ink();
  const std::size_t begin = text_.size();
  text_ += markdown;
  add_ink(Kind::raw, begin);
}

void MarkdownLine::image(std::string_view alt, std::string_view url) {
  std::string markdown = "![";
  append_escaped(markdown, alt);
  markdown += "](";
  append_destination(markdown, url);
  markdown += ')';
  raw(markdown);
}

void MarkdownLine::math(std::string_view tex, bool is_display) {
  const std::string_view mark = is_display ? "$$" : "$";
  std::string markdown(mark);
  markdown.append(tex).append(mark);
  raw(markdown);
  has_math_ = true;
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

void MarkdownLine::clear() noexcept {
  text_.clear();
  pieces_.clear();
  waiting_.clear();
  levels_ = {};
  is_spaced_ = is_broken_ = has_ink_ = has_marks_ = has_math_ = has_runs_ = false;
  has_specials_ = false;
}

}  // namespace gossamer::content
