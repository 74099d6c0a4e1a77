#include "check/markdown_blocks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/ascii.h"
#include "url/code_points.h"

namespace gossamer::check {
namespace {

// The kind of HTML block that a line begins, and so where it ends.
// https://spec.commonmark.org/0.31.2/#html-blocks
enum class HtmlBlock : std::uint8_t { none, raw, comment, instruction, declaration, cdata, tag };

constexpr auto kRawTags = std::to_array<std::string_view>({"script", "pre", "style", "textarea"});
constexpr auto kBlockTags = std::to_array<std::string_view>(
    {"address", "article",  "aside",   "base",     "basefont", "blockquote", "body",
     "caption", "center",   "col",     "colgroup", "dd",       "details",    "dialog",
     "dir",     "div",      "dl",      "dt",       "fieldset", "figcaption", "figure",
     "footer",  "form",     "frame",   "frameset", "h1",       "h2",         "h3",
     "h4",      "h5",       "h6",      "head",     "header",   "hr",         "html",
     "iframe",  "legend",   "li",      "link",     "main",     "menu",       "menuitem",
     "nav",     "noframes", "ol",      "optgroup", "option",   "p",          "param",
     "search",  "section",  "summary", "table",    "tbody",    "td",         "tfoot",
     "th",      "thead",    "title",   "tr",       "track",    "ul"});

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_word(char c) { return url::is_alpha(c) || url::is_digit(c); }

// ***, - - -, ___
bool is_rule(std::string_view text) {
  if (text.empty() || (text[0] != '*' && text[0] != '-' && text[0] != '_')) return false;
  const bool is_pure =
      text.find_first_not_of(std::string(1, text[0]) + " \t\r") == std::string_view::npos;
  return is_pure && std::ranges::count(text, text[0]) >= 3;
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::any_of(
      names, [name](std::string_view one) { return base::equals_ignoring_case(one, name); });
}

// Returns the name of the tag that the line begins with.
std::string_view tag_name(std::string_view line) {
  const std::size_t begin = line.starts_with("</") ? 2 : 1;
  std::size_t end = begin;
  while (end < line.size() && (is_word(line[end]) || line[end] == '-')) ++end;
  return line.substr(begin, end - begin);
}

// Returns whether the line is only one tag.
bool is_lone_tag(std::string_view line) {
  const std::size_t last = line.find_last_not_of(" \t\r");
  if (last == std::string_view::npos || line[last] != '>') return false;
  const std::string_view name = tag_name(line);
  if (name.empty() || !url::is_alpha(name[0])) return false;
  const std::size_t behind = (line.starts_with("</") ? 2 : 1) + name.size();
  const char next = line[behind];
  if (next != '>' && next != '/' && next != ' ' && next != '\t') return false;
  return line.substr(1, last - 1).find_first_of("<[") == std::string_view::npos &&
         line.substr(0, last).find('>') == std::string_view::npos;
}

HtmlBlock html_block_of(std::string_view line, bool interrupts_paragraph) {
  if (!line.starts_with('<')) return HtmlBlock::none;
  if (line.starts_with("<!--")) return HtmlBlock::comment;
  if (line.starts_with("<?")) return HtmlBlock::instruction;
  if (line.starts_with("<![CDATA[")) return HtmlBlock::cdata;
  if (line.starts_with("<!") && line.size() > 2 && url::is_alpha(line[2])) {
    return HtmlBlock::declaration;
  }
  const std::string_view name = tag_name(line);
  if (name.empty()) return HtmlBlock::none;
  if (!line.starts_with("</") && is_one_of(name, kRawTags)) return HtmlBlock::raw;
  const std::size_t behind = (line.starts_with("</") ? 2 : 1) + name.size();
  const char next = behind < line.size() ? line[behind] : ' ';
  const bool ends_there = next == ' ' || next == '\t' || next == '>' || next == '/' || next == '\r';
  if (ends_there && is_one_of(name, kBlockTags)) return HtmlBlock::tag;
  return !interrupts_paragraph && is_lone_tag(line) ? HtmlBlock::tag : HtmlBlock::none;
}

bool ends_html(HtmlBlock block, std::string_view line) {
  const auto has = [line](std::string_view text) {
    return line.find(text) != std::string_view::npos;
  };
  switch (block) {
    case HtmlBlock::raw:
      return std::ranges::any_of(kRawTags, [&](std::string_view name) {
        std::string lower(line);
        std::ranges::transform(lower, lower.begin(), [](char c) { return base::to_lower(c); });
        return lower.find("</" + std::string(name) + ">") != std::string::npos;
      });
    case HtmlBlock::comment: return has("-->");
    case HtmlBlock::instruction: return has("?>");
    case HtmlBlock::declaration: return has(">");
    case HtmlBlock::cdata: return has("]]>");
    default: return false;
  }
}

// A line without the markers of its containers.
struct Line {
  std::size_t begin = 0;  // in the document, after markers and blanks
  std::size_t end = 0;    // without the line feed
  std::size_t column = 0;
};

struct Fence {
  char mark = '`';
  std::size_t size = 0;
  std::size_t quotes = 0;  // number of block quotes around it
  std::size_t indent = 0;  // of the list item around it
};

class BlockReader {
 public:
  explicit BlockReader(std::string_view document) : document_(document) {
    blocks_.text = blocks_.html = document;
  }

  MarkdownBlocks read() {
    skip_front_matter();
    for (; at_ < document_.size(); at_ = next_line_) {
      const std::size_t end = std::min(document_.find('\n', at_), document_.size());
      next_line_ = end + 1;
      read_line(at_, end);
    }
    end_paragraph();
    return std::move(blocks_);
  }

 private:
  void skip_front_matter();
  void read_line(std::size_t begin, std::size_t end);
  void read_content(Line line, std::size_t line_begin);
  std::size_t strip_quotes(Line& line, std::size_t& column) const;
  void leave_lists(std::size_t column) {
    while (!lists_.empty() && column < lists_.back()) lists_.pop_back();
  }
  static void skip_blanks(std::string_view document, Line& line);
  bool strip_list_marker(Line& line);
  bool take_fence(const Line& line, std::size_t line_begin);
  bool take_heading(const Line& line, std::size_t line_begin);
  bool take_definition(const Line& line, std::size_t line_begin);
  bool take_html(const Line& line, std::size_t line_begin);
  void add_text(const Line& line);
  void end_paragraph();

  std::size_t container() const { return lists_.empty() ? 0 : lists_.back(); }
  std::string_view rest(const Line& line) const {
    return document_.substr(line.begin, line.end - line.begin);
  }
  static void blank(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, text.size()); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
  void blank_both(std::size_t begin, std::size_t end) {
    blank(blocks_.text, begin, end);
    blank(blocks_.html, begin, end);
  }

  std::string_view document_;
  MarkdownBlocks blocks_;
  std::size_t at_ = 0;
  std::size_t next_line_ = 0;
  std::vector<std::size_t> lists_;  // columns at which the content of open items begins
  std::size_t quotes_ = 0;          // of the current line
  std::size_t quoted_from_ = 0;     // the column after them
  std::optional<Fence> fence_;
  HtmlBlock html_ = HtmlBlock::none;
  std::optional<MarkdownBlocks::Text> paragraph_;
  std::size_t paragraph_container_ = 0;
};

// Skips --- with lines of YAML and another --- (or +++ of TOML) at the very beginning.
void BlockReader::skip_front_matter() {
  for (const std::string_view rule : {"---", "+++"}) {
    const std::string begin = std::string(rule) + "\n";
    if (!document_.starts_with(begin)) continue;
    const std::size_t end = document_.find("\n" + begin, 3);
    if (end == std::string_view::npos) return;
    at_ = next_line_ = end + 1 + begin.size();
    blank_both(0, at_);
  }
}

void BlockReader::skip_blanks(std::string_view document, Line& line) {
  for (; line.begin < line.end; ++line.begin) {
    if (document[line.begin] == ' ') {
      ++line.column;
    } else if (document[line.begin] == '\t') {
      line.column += 4 - line.column % 4;
    } else {
      return;
    }
  }
}

// Returns how many there were, and stores where the first one was.
std::size_t BlockReader::strip_quotes(Line& line, std::size_t& column) const {
  std::size_t quotes = 0;
  for (;;) {
    Line inner = line;
    skip_blanks(document_, inner);
    const std::size_t from = std::max(container(), line.column);
    const std::size_t indent = inner.column - std::min(inner.column, from);
    if (inner.begin == inner.end || document_[inner.begin] != '>' || indent > 3) return quotes;
    if (quotes++ == 0) column = inner.column;
    line = {.begin = inner.begin + 1, .end = line.end, .column = inner.column + 1};
    if (line.begin < line.end && document_[line.begin] == ' ') {
      ++line.begin;
      ++line.column;
    }
  }
}

// Strips "- ", "* ", "+ ", "1. ", "2) ". The line then begins with the content of the item.
bool BlockReader::strip_list_marker(Line& line) {
  const std::string_view text = rest(line);
  std::size_t size = 0;
  if (text.empty()) return false;
  if (text[0] == '-' || text[0] == '*' || text[0] == '+') {
    size = 1;
  } else {
    while (size < text.size() && size < 9 && url::is_digit(text[size])) ++size;
    if (size == 0 || size == text.size() || (text[size] != '.' && text[size] != ')')) return false;
    // Otherwise a line of prose that begins with a year would be a list.
    if (paragraph_ && lists_.empty() && text.substr(0, size) != "1") return false;
    ++size;
  }
  const bool is_empty = is_blank(text.substr(size));
  if (size < text.size() && text[size] != ' ' && text[size] != '\t' && !is_empty) return false;
  if (is_empty && paragraph_) return false;
  leave_lists(line.column);
  Line content = {.begin = line.begin + size, .end = line.end, .column = line.column + size};
  const std::size_t behind = content.column;
  skip_blanks(document_, content);
  end_paragraph();
  blank(blocks_.text, line.begin, line.begin + size);
  if (is_empty || content.column - behind > 4) {
    lists_.push_back(behind + 1);
    if (is_empty)
      line = content;
    else
      line = {.begin = line.begin + size, .end = line.end, .column = behind};
    skip_blanks(document_, line);
    return true;
  }
  lists_.push_back(content.column);
  line = content;
  return true;
}

bool BlockReader::take_fence(const Line& line, std::size_t line_begin) {
  const std::string_view text = rest(line);
  const char mark = text.empty() ? ' ' : text[0];
  if (fence_) {
    const bool has_left =
        quotes_ < fence_->quotes || (!is_blank(text) && line.column < fence_->indent);
    if (has_left) {
      fence_.reset();
      return false;
    }
    const std::size_t run = std::min(text.find_first_not_of(fence_->mark), text.size());
    const bool is_end = run >= fence_->size && is_blank(text.substr(run));
    blank_both(line_begin, line.end);
    if (is_end) fence_.reset();
    return true;
  }
  if (mark != '`' && mark != '~') return false;
  const std::size_t run = std::min(text.find_first_not_of(mark), text.size());
  if (run < 3) return false;
  if (mark == '`' && text.find('`', run) != std::string_view::npos) return false;
  end_paragraph();
  leave_lists(line.column);
  fence_ = Fence{.mark = mark, .size = run, .quotes = quotes_, .indent = container()};
  blank_both(line_begin, line.end);
  return true;
}

bool BlockReader::take_heading(const Line& line, std::size_t line_begin) {
  const std::string_view text = rest(line);
  const std::size_t marks = std::min(text.find_first_not_of('#'), text.size());
  if (marks >= 1 && marks <= 6) {
    const bool is_apart = marks == text.size() || is_blank(text.substr(marks, 1));
    if (!is_apart) return false;
    end_paragraph();
    std::size_t end = text.find_last_not_of(" \t\r") + 1;
    const std::size_t last = text.substr(0, end).find_last_not_of('#');
    // Closing marks are separated by a blank.
    if (last != std::string_view::npos && is_blank(text.substr(last, 1))) end = last + 1;
    if (end > marks) {
      blocks_.texts.push_back({line.begin + marks, line.begin + end, true});
    }
    return true;
  }
  if (!paragraph_ || text.empty() || (text[0] != '=' && text[0] != '-')) return false;
  if (line.column < paragraph_container_) return false;
  const std::size_t run = std::min(text.find_first_not_of(text[0]), text.size());
  if (!is_blank(text.substr(run))) return false;
  paragraph_->is_heading = true;
  end_paragraph();
  blank_both(line_begin, line.end);
  return true;
}

bool BlockReader::take_definition(const Line& line, std::size_t line_begin) {
  const std::string_view text = rest(line);
  if (paragraph_ || !text.starts_with('[') || text.starts_with("[^")) return false;
  std::size_t close = 1;
  while (close < text.size() && text[close] != ']' && text[close] != '[') {
    close += text[close] == '\\' ? 2 : 1;
  }
  if (close + 1 >= text.size() || text[close] != ']' || text[close + 1] != ':') return false;
  const std::size_t begin = text.find_first_not_of(" \t", close + 2);
  if (begin == std::string_view::npos || is_blank(text.substr(1, close - 1))) return false;
  const Destination destination = read_destination(text, begin);
  if (!destination.exists()) return false;
  const std::string_view title = text.substr(destination.end);
  const std::size_t quote = title.find_first_not_of(" \t\r");
  if (quote == 0) return false;
  const bool is_title = quote == std::string_view::npos || title[quote] == '"' ||
                        title[quote] == '\'' || title[quote] == '(';
  if (!is_title) return false;
  blocks_.definitions.push_back({.label = normal_label(text.substr(1, close - 1)),
                                 .destination = unescaped(destination.text),
                                 .offset = line.begin + begin});
  blank_both(line_begin, line.end);
  return true;
}

bool BlockReader::take_html(const Line& line, std::size_t line_begin) {
  const std::string_view text = rest(line);
  if (html_ == HtmlBlock::none) {
    html_ = html_block_of(text, paragraph_.has_value());
    if (html_ == HtmlBlock::none) return false;
    end_paragraph();
  } else if (html_ == HtmlBlock::tag && is_blank(text)) {
    html_ = HtmlBlock::none;
    return true;
  }
  blank(blocks_.text, line_begin, line.end);
  if (ends_html(html_, text)) html_ = HtmlBlock::none;
  return true;
}

void BlockReader::add_text(const Line& line) {
  if (!paragraph_) {
    paragraph_ = MarkdownBlocks::Text{.begin = line.begin};
    paragraph_container_ = container();
  }
  paragraph_->end = line.end;
}

void BlockReader::end_paragraph() {
  if (paragraph_) blocks_.texts.push_back(*paragraph_);
  paragraph_.reset();
}

void BlockReader::read_line(std::size_t begin, std::size_t end) {
  Line line = {.begin = begin, .end = end};
  std::size_t quote_column = 0;
  const std::size_t quotes_before = std::exchange(quotes_, strip_quotes(line, quote_column));
  if (quotes_ > quotes_before && !fence_) {
    end_paragraph();
    leave_lists(quote_column);
  }
  quoted_from_ = line.column;
  blank(blocks_.text, begin, line.begin);
  blank(blocks_.html, begin, line.begin);
  skip_blanks(document_, line);
  const bool is_empty = is_blank(rest(line));
  // A line that is not indented beyond an item's marker ends the item, unless it continues a
  // paragraph.
  if (!is_empty && !paragraph_ && html_ == HtmlBlock::none) {
    leave_lists(line.column);
  }
  if (fence_ && take_fence(line, begin)) return;
  if (html_ != HtmlBlock::none && take_html(line, begin)) return;
  if (is_empty) return end_paragraph();
  read_content(line, begin);
}

void BlockReader::read_content(Line line, std::size_t line_begin) {
  const auto indent = [&] {
    return line.column - std::min(line.column, std::max(container(), quoted_from_));
  };
  if (indent() >= 4 && !paragraph_) return blank_both(line_begin, line.end);
  if (indent() < 4) {
    if (take_heading(line, line_begin)) return;
    if (is_rule(rest(line))) return end_paragraph();
    while (indent() < 4 && strip_list_marker(line)) {
      if (is_blank(rest(line))) return;
    }
    if (indent() >= 4 && !paragraph_) return blank_both(line.begin, line.end);
    if (take_fence(line, line_begin) || take_heading(line, line_begin)) return;
    if (take_html(line, line_begin) || take_definition(line, line_begin)) return;
  }
  add_text(line);
}

}  // namespace

MarkdownBlocks read_blocks(std::string_view document) { return BlockReader(document).read(); }

}  // namespace gossamer::check
