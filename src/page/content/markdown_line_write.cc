#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "content/markdown_line.h"

namespace gossamer::content {
namespace {

// Characters that are marks in pairs.
constexpr std::string_view kRunMarks = "*_~";

bool is_punctuation(char c) {
  return c > ' ' && c < '\x7F' && !base::is_letter(c) && !base::is_digit(c);
}
bool may_begin_tag(char c) { return base::is_letter(c) || c == '/' || c == '!' || c == '?'; }

// Bytes that are never escaped.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> is_plain = {};
  is_plain.fill(true);
  for (const char c : kEscapable) {
    is_plain[static_cast<unsigned char>(c)] = false;
  }
  return is_plain;
}();

struct MarkTags {
  std::string_view open;
  std::string_view close;
};
MarkTags tags_of(MarkdownLine::Mark mark) {
  switch (mark) {
    case MarkdownLine::Mark::strong: return {"**", "**"};
    case MarkdownLine::Mark::emphasis: return {"*", "*"};
    case MarkdownLine::Mark::strike: return {"~~", "~~"};
    case MarkdownLine::Mark::superscript: return {"<sup>", "</sup>"};
    case MarkdownLine::Mark::subscript: return {"<sub>", "</sub>"};
  }
  return {};
}

// Marks whose meaning depends on what is beside them. A character that is not ASCII may be
// punctuation, so these count only if they would count in both cases.
bool is_tag(MarkdownLine::Mark mark) {
  return mark == MarkdownLine::Mark::superscript || mark == MarkdownLine::Mark::subscript;
}
bool is_flanking(MarkdownLine::Mark mark, Edge outside, Edge inside) {
  if (is_tag(mark)) return true;
  if (inside == Edge::blank) return false;
  return inside == Edge::word || outside == Edge::blank || outside == Edge::punctuation;
}

}  // namespace

// Finds what comes after each piece, without marks.
void MarkdownLine::find_edges_after() {
  edges_after_.resize(pieces_.size());
  Edge next = Edge::blank;
  for (std::size_t at = pieces_.size(); at-- > 0;) {
    edges_after_[at] = next;
    const Piece& piece = pieces_[at];
    switch (piece.kind) {
      case Kind::open:
      case Kind::close:
        if (is_tag(piece.mark)) next = Edge::punctuation;
        break;
      case Kind::space:
      case Kind::line_break: next = Edge::blank; break;
      case Kind::code:
      case Kind::raw:
      case Kind::open_link:
      case Kind::close_link: next = Edge::punctuation; break;
      case Kind::text: next = first_edge(text_of(piece)); break;
    }
  }
}

Edge MarkdownLine::edge_after(const Piece& piece, Edge last) const {
  switch (piece.kind) {
    case Kind::open:
    case Kind::close: return is_tag(piece.mark) ? Edge::punctuation : last;
    case Kind::space:
    case Kind::line_break: return Edge::blank;
    case Kind::text: return last_edge(text_of(piece));
    default: return Edge::punctuation;
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
        piece.is_valid = (is_tag(piece.mark) || !is_after_close) &&
                         is_flanking(piece.mark, last, edges_after_[at]);
        open_.push_back(at);
        if (!is_tag(piece.mark)) continue;
        break;
      case Kind::close:
        close_mark(at, last);
        if (is_tag(piece.mark)) break;
        is_after_close = is_after_close || piece.is_valid;
        continue;
      case Kind::open_link: open_.push_back(at); break;
      case Kind::close_link:
        // Marks that are still open inside of it are not nested.
        while (!open_.empty() && pieces_[open_.back()].kind == Kind::open) {
          pieces_[open_.back()].is_valid = false;
          open_.pop_back();
        }
        piece.is_valid = !open_.empty();
        if (!open_.empty()) open_.pop_back();
        break;
      default: break;
    }
    last = edge_after(piece, last);
    is_after_close = false;
  }
  for (const std::size_t at : open_) pieces_[at].is_valid = false;
}

void MarkdownLine::close_mark(std::size_t at, Edge last) {
  Piece& piece = pieces_[at];
  piece.is_valid = false;
  if (open_.empty() || pieces_[open_.back()].kind != Kind::open) return;
  Piece& first = pieces_[open_.back()];
  open_.pop_back();
  piece.is_valid = first.is_valid =
      first.is_valid && first.mark == piece.mark && is_flanking(piece.mark, edges_after_[at], last);
}

// Returns whether the piece begins a link whose text is its address.
bool MarkdownLine::is_address_at(std::size_t at) const {
  const auto next = [this](std::size_t place) {
    for (++place; place < pieces_.size() && !pieces_[place].is_valid;) ++place;
    return place;
  };
  const std::size_t inner = next(at);
  const std::size_t end = inner < pieces_.size() ? next(inner) : inner;
  if (end >= pieces_.size() || pieces_[inner].kind != Kind::text) return false;
  if (pieces_[end].kind != Kind::close_link) return false;
  const std::string_view url = text_of(pieces_[end]);
  const std::string_view text = text_of(pieces_[inner]);
  constexpr std::string_view kMail = "mailto:";
  const bool is_mail = url.starts_with(kMail);
  if (!is_mail && text != url) return false;
  if (text.find_first_of(" <>|") != std::string_view::npos) return false;
  if (!is_mail) return true;
  // https://spec.commonmark.org/0.31.2/#email-autolink, but only plain ones
  const std::size_t sign = text.find('@');
  const auto is_name = [](std::string_view part) {
    return !part.empty() && base::is_letter(part.front()) &&
           (base::is_letter(part.back()) || base::is_digit(part.back())) &&
           std::ranges::all_of(part, [](char c) {
             return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '-';
           });
  };
  return url.substr(kMail.size()) == text && sign != std::string_view::npos &&
         !text.contains("..") && is_name(text.substr(0, sign)) && is_name(text.substr(sign + 1));
}

void MarkdownLine::find_addresses() {
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    Piece& piece = pieces_[at];
    if (piece.kind == Kind::open_link && piece.is_valid) piece.is_address = is_address_at(at);
  }
}

// Finds what comes after each piece in the line as it is written.
void MarkdownLine::find_right() {
  right_.resize(pieces_.size());
  Right next;
  for (std::size_t at = pieces_.size(); at-- > 0;) {
    right_[at] = next;
    const Piece& piece = pieces_[at];
    if (!piece.is_valid) continue;
    const std::string_view text = text_of(piece);
    switch (piece.kind) {
      case Kind::text: next = {first_edge(text), text.front()}; break;
      case Kind::raw: next = {Edge::punctuation, text.front()}; break;
      case Kind::code: next = {Edge::punctuation, '`'}; break;
      case Kind::space: next = {Edge::blank, ' '}; break;
      case Kind::line_break: next = {Edge::blank, '\n'}; break;
      case Kind::open: next = {Edge::punctuation, tags_of(piece.mark).open.front()}; break;
      case Kind::close: next = {Edge::punctuation, tags_of(piece.mark).close.front()}; break;
      case Kind::open_link: next = {Edge::punctuation, piece.is_address ? '<' : '['}; break;
      case Kind::close_link: next = {Edge::punctuation, ']'}; break;
    }
  }
}

MarkdownLine::Run MarkdownLine::run_at(std::string_view text, std::size_t at, Edge left,
                                       const Right& right) const {
  const std::size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
  const Edge before = at == 0 ? left : last_edge(text.substr(0, at));
  const Edge after = end == text.size() ? right.edge : first_edge(text.substr(end));
  return {.end = end, .flanks = flanks_of(text[at], before, after)};
}

MarkdownLine::Reading MarkdownLine::read() const {
  Reading reading;
  std::array<bool, kRunMarks.size()> is_open = {};
  std::size_t ticks = 0;
  Edge left = Edge::blank;
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    const Piece& piece = pieces_[at];
    if (!piece.is_valid) continue;
    const std::string_view text = text_of(piece);
    if (piece.kind == Kind::code) ticks += 2;
    if (piece.kind == Kind::raw || piece.kind == Kind::close_link) {
      ticks += static_cast<std::size_t>(std::ranges::count(text, '`'));
    }
    if (piece.kind == Kind::open) {
      const std::size_t mark = kRunMarks.find(tags_of(piece.mark).open.front());
      if (mark < kRunMarks.size()) reading.has_pair[mark] = true;
    }
    for (std::size_t i = 0; piece.has_specials && i < text.size();) {
      while (i < text.size() && kIsPlain[static_cast<unsigned char>(text[i])]) ++i;
      if (i == text.size()) break;
      if (text[i] != '`' && !kRunMarks.contains(text[i])) {
        ++i;
        continue;
      }
      ticks += text[i] == '`' ? 1 : 0;
      const std::size_t mark = kRunMarks.find(text[i]);
      const Run run = run_at(text, i, left, right_[at]);
      if (mark < kRunMarks.size()) {
        if (is_open[mark] && run.flanks.may_close) reading.has_pair[mark] = true;
        is_open[mark] = is_open[mark] || run.flanks.may_open;
      }
      i = mark < kRunMarks.size() ? run.end : i + 1;
    }
    left = piece.kind == Kind::open || piece.kind == Kind::close ? Edge::punctuation
                                                                 : edge_after(piece, left);
  }
  reading.has_code = ticks > 1;
  return reading;
}

bool MarkdownLine::is_escaped(std::string_view text, std::size_t at, const Right& right,
                              const Reading& reading, bool is_in_link) const {
  const bool is_last = at + 1 == text.size();
  const char next = is_last ? right.byte : text[at + 1];
  switch (text[at]) {
    case '\\': return is_punctuation(next) || next == '\n';
    case '`': return reading.has_code;
    // A note, or a task at the beginning of an item.
    case '[': {
      const bool is_task = at == 0 && text.size() >= 3 && text[2] == ']' &&
                           std::string_view(" xX").contains(text[1]);
      return is_in_link || next == '^' || is_task;
    }
    // Of a link, or of the definition of one.
    case ']': return is_in_link || next == '(' || (next == ':' && reading.begins_with_bracket);
    case '<': return may_begin_tag(next);
    case '&': {
      const std::string_view rest = text.substr(at);
      return may_be_reference(rest) || (is_last && (base::is_letter(next) || next == '#'));
    }
    case '$': return has_math_;
    case '!': return is_last && next == '[';
    default: return false;
  }
}

void MarkdownLine::append_text(std::string& out, std::size_t at, Edge left, const Reading& reading,
                               bool is_in_link) const {
  const std::string_view text = text_of(pieces_[at]);
  const Right& right = right_[at];
  // It would belong to the note before.
  const bool follows_note = at > 0 && pieces_[at - 1].kind == Kind::raw && out.ends_with(']');
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    while (i < text.size() && kIsPlain[static_cast<unsigned char>(text[i])]) ++i;
    out.append(text, begin, i - begin);
    if (i == text.size()) return;
    const std::size_t mark = kRunMarks.find(text[i]);
    if (mark < kRunMarks.size()) {
      const Run run = run_at(text, i, left, right);
      const bool is_marked =
          reading.has_pair[mark] && (run.flanks.may_open || run.flanks.may_close);
      for (; i < run.end; ++i) out.append(is_marked ? "\\" : "").append(1, text[i]);
      continue;
    }
    const bool is_note = i == 0 && follows_note && (text[i] == '(' || text[i] == ':');
    if (is_note || is_escaped(text, i, right, reading, is_in_link)) out += '\\';
    out += text[i++];
  }
}

std::string MarkdownLine::take(std::string_view line_break, bool escapes_lines) {
  if (has_marks_) match_marks();
  if (has_marks_) find_addresses();
  if (has_specials_) find_right();
  Reading reading = has_runs_ ? read() : Reading();
  reading.begins_with_bracket = escapes_lines && text_.starts_with('[');
  std::string out;
  out.reserve(text_.size() + 4 * pieces_.size());
  std::size_t line = 0;  // where the last line begins
  bool is_in_link = false;
  bool is_in_address = false;
  Edge left = Edge::blank;
  std::string code;  // that further code may continue
  const auto end_line = [&] {
    if (escapes_lines) escape_line_start(out, line, line == 0);
  };
  for (std::size_t at = 0; at < pieces_.size(); ++at) {
    const Piece& piece = pieces_[at];
    if (!piece.is_valid) continue;
    if (piece.kind != Kind::code && !code.empty()) append_code_span(out, std::exchange(code, {}));
    switch (piece.kind) {
      case Kind::text:
        if (is_in_address || !piece.has_specials) {
          out += text_of(piece);
        } else {
          append_text(out, at, left, reading, is_in_link);
        }
        break;
      case Kind::raw: out += text_of(piece); break;
      case Kind::space: out += ' '; break;
      case Kind::code: code += text_of(piece); break;
      case Kind::open: out += tags_of(piece.mark).open; break;
      case Kind::close: out += tags_of(piece.mark).close; break;
      case Kind::open_link:
        is_in_link = true;
        is_in_address = piece.is_address;
        out += is_in_address ? '<' : '[';
        break;
      case Kind::close_link:
        is_in_link = false;
        if (std::exchange(is_in_address, false)) {
          out += '>';
          break;
        }
        out += "](";
        append_destination(out, text_of(piece));
        out += ')';
        break;
      case Kind::line_break:
        end_line();
        out += line_break;
        line = out.size();
        break;
    }
    if (!has_specials_) continue;
    left = piece.kind == Kind::open || piece.kind == Kind::close ? Edge::punctuation
                                                                 : edge_after(piece, left);
  }
  if (!code.empty()) append_code_span(out, code);
  end_line();
  clear();
  return out;
}

std::string MarkdownLine::take_block() { return take("\\\n", true); }

std::string MarkdownLine::take_heading() {
  std::string line = take(" ", false);
  // Number signs at the end would belong to the markup.
  const std::size_t last = line.find_last_not_of('#');
  const std::size_t signs = last == std::string::npos ? 0 : last + 1;
  const bool is_closing = signs < line.size() && (signs == 0 || line[last] == ' ');
  if (is_closing) line.insert(signs, "\\");
  return line;
}

std::string MarkdownLine::take_cell() {
  std::string line = take_note();
  if (!line.contains('|')) return line;
  std::string cell;
  for (const char c : line) {
    if (c == '|') cell += '\\';
    cell += c;
  }
  return cell;
}

}  // namespace gossamer::content
