#include "content/markdown.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/markdown_line.h"
#include "dom/tag_set.h"
#include "html/collapse.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kHeadingTags = {h1, h2, h3, h4, h5, h6};
constexpr std::size_t kAltBytesMax = 1024;
// BOUND: deeper lists and quotes have no marks of their own, so a line has a short prefix.
constexpr std::size_t kLevelsMax = 32;
constexpr std::size_t kReferenceBytesMax = 40;

bool is_code_element(const dom::Node& node) {
  return node.is(code) || node.is(tt) || node.name() == "kbd" || node.name() == "samp";
}

// Returns the language of a word such as "language-cpp"; empty: it names none.
std::string_view language_of_word(std::string_view word) {
  for (const std::string_view prefix : {"language-", "lang-", "highlight-source-"}) {
    if (!word.starts_with(prefix)) continue;
    const std::string_view name = word.substr(prefix.size());
    const bool is_good =
        !name.empty() && name.size() <= 20 && std::ranges::all_of(name, [](char c) {
          return base::is_letter(c) || base::is_digit(c) || std::string_view("+#.-_").contains(c);
        });
    if (is_good) return name;
  }
  return {};
}

std::string_view language_of(const dom::Node& element) {
  const dom::Attribute* const names = element.find("class");
  std::string_view rest = names == nullptr ? std::string_view() : names->value();
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view language = language_of_word(rest.substr(0, end));
    if (!language.empty()) return language;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {};
}

// Returns whether Markdown would read a character reference at the '&' that `text` begins with.
bool may_be_reference(std::string_view text) {
  const std::string_view name = text.substr(1, kReferenceBytesMax);
  const std::size_t end = name.find(';');
  return end != std::string_view::npos && std::ranges::all_of(name.substr(0, end), [](char c) {
           return base::is_letter(c) || base::is_digit(c) || c == '#';
         });
}

std::string as_destination(std::string_view url) {
  constexpr auto kIsPlain = [] {
    std::array<bool, 256> is_plain = {};
    for (std::size_t byte = ' ' + 1; byte < is_plain.size(); ++byte) is_plain[byte] = true;
    for (const char c : std::string_view("()\\*_`[]<>&\x7F")) {
      is_plain[static_cast<unsigned char>(c)] = false;
    }
    return is_plain;
  }();
  std::string text;
  text.reserve(url.size() + 8);
  for (std::size_t at = 0; at < url.size(); ++at) {
    const std::size_t begin = at;
    while (at < url.size() && kIsPlain[static_cast<unsigned char>(url[at])]) ++at;
    text.append(url, begin, at - begin);
    if (at == url.size()) break;
    const char c = url[at];
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7F') continue;
    if (c != '&' || may_be_reference(url.substr(at))) text += '\\';
    text += c;
  }
  return text;
}

// Returns the number of the first item of a list.
std::size_t first_number(const dom::Node& list) {
  constexpr std::size_t kDigitsMax = 6;  // Markdown has nine
  const dom::Attribute* const start = list.find("start");
  if (start == nullptr || start->value().empty() || start->value().size() > kDigitsMax) return 1;
  std::size_t number = 0;
  for (const char c : start->value()) {
    if (!base::is_digit(c)) return 1;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

// The prefix of lines in a quote or in an item of a list.
struct Level {
  std::string first;  // of the first line
  std::string rest;
  bool is_item = false;  // of a list
  bool is_begun = false;
};

// A list whose end is the last that was written. A further one must differ, or they would be one.
struct ListEnd {
  bool is_list = false;
  bool is_ordered = false;
  bool has_second_mark = false;
  std::size_t level = 0;
};

class MarkdownWriter {
 public:
  MarkdownWriter(const Outline& outline, const dom::Document& document,
                 const MarkdownOptions& options)
      : outline_(outline), options_(options), links_(document, options.place) {}

  void write_root(std::uint32_t at) {
    write(at);
    end_paragraph();
  }
  std::string take() { return std::move(out_); }

 private:
  enum class Gap : std::uint8_t { none, line, blank };

  // BOUND: what is written, and what waits to be written.
  bool is_full() const noexcept { return out_.size() + waiting_bytes_ > options_.bytes_max; }

  // The depth of a tree is bounded, so it may be recursive.
  void write(std::uint32_t at) {
    if (is_full()) return;
    const dom::Node& node = *outline_[at].node;
    const html::TagId tag = node.space() == dom::Space::html ? node.tag() : other;
    if (outline_[at].all.blocks == 0) return write_inline(at, line_);
    if (tag == a && link_.empty()) return write_linked(at);
    if (!is_block(node)) return write_children(at);
    end_paragraph();
    if (kHeadingTags.has(tag)) {
      write_heading(at);
    } else if (tag == ul || tag == ol) {
      write_list(at, tag == ol);
    } else if (tag == blockquote) {
      write_at_level({.first = "> ", .rest = "> "}, [&] { write_children(at); });
    } else if (tag == pre || tag == listing || tag == xmp) {
      write_code(at);
    } else if (tag == hr) {
      emit("***");
    } else if (tag == table && is_grid(at)) {
      write_table(at);
    } else {
      write_children(at);
    }
    end_paragraph();
  }

  void write_children(std::uint32_t at) {
    outline_.for_each_child(
        at, [this](const dom::Node& text) { write_text(text, line_); },
        [this](std::uint32_t child) { write(child); });
  }
  template <class WriteInside>
  void write_at_level(Level level, WriteInside write_inside) {
    const bool has_mark = levels_.size() < kLevelsMax;
    if (has_mark) levels_.push_back(std::move(level));
    write_inside();
    end_paragraph();
    if (has_mark) levels_.pop_back();
  }
  void write_text(const dom::Node& text, MarkdownLine& line) {
    if (is_full()) return;
    waiting_bytes_ += text.text().size();
    line.text(text.text());
  }

  // A link around blocks becomes a link in each of them.
  void write_linked(std::uint32_t at) {
    link_ = target_of(*outline_[at].node);
    open_link_around(line_);
    write_children(at);
    close_link_around(line_);
    link_.clear();
  }
  void open_link_around(MarkdownLine& line) {
    if (!link_.empty()) line.open_link();
  }
  void close_link_around(MarkdownLine& line) {
    if (link_.empty()) return;
    if (!line.empty()) waiting_bytes_ += link_.size();
    line.close_link(link_);
  }

  // Blocks become spaces, except those of a paragraph that is being written.
  void write_inline(std::uint32_t at, MarkdownLine& line) {
    if (is_full()) return;
    const dom::Node& node = *outline_[at].node;
    if (node.is(br)) return &line == &line_ ? line.hard_break() : line.space();
    if (node.is(img)) return write_image(node, line);
    if (is_code_element(node)) {
      const std::string text = plain_text(at);
      waiting_bytes_ += text.size();
      return line.code(text);
    }
    const bool is_strong = node.is(strong) || node.is(b);
    const bool is_emphasis = node.is(em) || node.is(i);
    const std::string url = node.is(a) && link_.empty() ? target_of(node) : std::string();
    if (is_strong) line.open(MarkdownLine::Mark::strong);
    if (is_emphasis) line.open(MarkdownLine::Mark::emphasis);
    if (!url.empty()) line.open_link();
    if (is_block(node)) line.space();
    write_inline_children(at, line);
    if (is_block(node)) line.space();
    if (!url.empty()) line.close_link(url);
    if (is_emphasis) line.close(MarkdownLine::Mark::emphasis);
    if (is_strong) line.close(MarkdownLine::Mark::strong);
  }

  // Returns the address of a link as Markdown; empty: it is not written as a link.
  std::string target_of(const dom::Node& node) {
    const dom::Attribute* const href = node.find(html::AttributeId::href);
    const url::Url* const url = href == nullptr ? nullptr : resolve(href->value());
    if (url == nullptr) return {};
    const std::string_view scheme = url->scheme();
    const bool is_link = scheme == "http" || scheme == "https" || scheme == "mailto";
    if (!is_link) return {};
    std::string target = as_destination(url->href());
    waiting_bytes_ += target.size();
    return target;
  }
  // BOUND: the bytes of all URLs, because each may be as long as the base of the page.
  const url::Url* resolve(std::string_view reference) {
    if (url_bytes_ > options_.bytes_max) return nullptr;
    const url::Url* const url = links_.resolve(reference);
    if (url != nullptr) url_bytes_ += url->href().size();
    return url;
  }

  void write_image(const dom::Node& node, MarkdownLine& line) {
    const dom::Attribute* const source = node.find(html::AttributeId::src);
    if (!options_.images || source == nullptr) return;
    const url::Url* const url = resolve(source->value());
    if (url == nullptr || (url->scheme() != "http" && url->scheme() != "https")) return;
    const dom::Attribute* const alt = node.find("alt");
    const std::string target = as_destination(url->href());
    waiting_bytes_ += target.size();
    line.image(alt == nullptr ? "" : plain_line(alt->value()), target);
  }
  static std::string plain_line(std::string_view text) {
    std::string line(text.substr(0, kAltBytesMax + 1));
    html::cut_utf8(line, kAltBytesMax);
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line;
  }

  // The text below an element, unchanged.
  std::string plain_text(std::uint32_t at) const {
    std::string text;
    append_plain(at, text);
    // It would end a line without the prefix of the next one.
    std::ranges::replace(text, '\r', '\n');
    return text;
  }
  void append_plain(std::uint32_t at, std::string& text) const {
    if (outline_[at].node->is(br)) text += '\n';
    outline_.for_each_child(
        at, [&text](const dom::Node& node) { text += node.text(); },
        [this, &text](std::uint32_t child) { append_plain(child, text); });
  }

  void write_heading(std::uint32_t at) {
    MarkdownLine& line = inner_line_;
    line.clear();
    open_link_around(line);
    write_inline_children(at, line);
    close_link_around(line);
    if (line.empty()) return;
    const auto level = static_cast<std::size_t>(outline_[at].node->name()[1] - '0');
    emit(std::string(level, '#') + " " + line.take_heading());
  }
  void write_inline_children(std::uint32_t at, MarkdownLine& line) {
    outline_.for_each_child(
        at, [this, &line](const dom::Node& text) { write_text(text, line); },
        [this, &line](std::uint32_t child) { write_inline(child, line); });
  }

  // Whatever is in a list is an item. A list directly in it belongs to the item before.
  void write_list(std::uint32_t at, bool is_ordered) {
    const bool is_nested = !levels_.empty() && levels_.back().is_item;
    const bool is_tight = outline_[at].all.paragraphs == 0;
    const std::size_t level = levels_.size();
    const bool has_second_mark = last_list_.is_list && last_list_.level == level &&
                                 last_list_.is_ordered == is_ordered && !last_list_.has_second_mark;
    std::size_t number = is_ordered ? first_number(*outline_[at].node) : 1;
    bool is_first = true;
    std::string marker = has_second_mark ? "+ " : "- ";
    const auto begin_item = [&] {
      if (is_tight && (!is_first || is_nested)) gap_ = std::min(gap_, Gap::line);
      if (is_ordered) marker = std::to_string(number) + (has_second_mark ? ") " : ". ");
      ++number;
      is_first = false;
      return Level{.first = marker, .rest = std::string(marker.size(), ' '), .is_item = true};
    };
    outline_.for_each_child(
        at,
        [&](const dom::Node& text) {
          if (text_size(text.text()).bytes == 0) return;
          write_at_level(begin_item(), [&] { write_text(text, line_); });
        },
        [&](std::uint32_t child) {
          if (outline_[child].all.text == 0 && outline_[child].all.images == 0) return;
          const dom::Node& node = *outline_[child].node;
          const bool continues = (node.is(ul) || node.is(ol)) && !is_first;
          const std::string room(marker.size(), ' ');
          Level item =
              continues ? Level{.first = room, .rest = room, .is_item = true} : begin_item();
          write_at_level(std::move(item),
                         [&] { node.is(li) ? write_children(child) : write(child); });
        });
    if (!is_first) last_list_ = {true, is_ordered, has_second_mark, level};
  }

  void write_code(std::uint32_t at) {
    std::string text = plain_text(at);
    while (text.ends_with('\n')) text.pop_back();
    if (text.empty()) return;
    std::string_view language = language_of(*outline_[at].node);
    const std::uint32_t inner = at + 1;
    if (language.empty() && inner < outline_[at].end) language = language_of(*outline_[inner].node);
    if (language.empty() && outline_[at].parent != kNoItem) {
      language = language_of(*outline_[outline_[at].parent].node);
    }
    std::size_t longest = 2;
    std::size_t run = 0;
    for (const char c : text) {
      run = c == '`' ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    const std::string fence(longest + 1, '`');
    emit(fence + std::string(language) + "\n" + text + "\n" + fence);
  }

  // Returns whether a table has rows and columns of text, not the layout of a page.
  bool is_grid(std::uint32_t at) const {
    std::size_t rows = 0;
    std::size_t cells = 0;
    for (std::uint32_t child = at + 1; child < outline_[at].end; ++child) {
      const dom::Node& node = *outline_[child].node;
      if (!outline_[child].is_kept) continue;
      if (node.is(table) || node.is(pre) || node.is(ul) || node.is(ol) || node.is(blockquote) ||
          kHeadingTags.has(node.tag())) {
        return false;
      }
      const bool is_cell = node.is(td) || node.is(th);
      if (is_cell && outline_[child].all.paragraphs > 1) return false;
      rows += node.is(tr) ? 1 : 0;
      cells += is_cell ? 1 : 0;
    }
    return rows > 0 && cells > rows;
  }

  void write_table(std::uint32_t at) {
    std::vector<std::vector<std::string>> rows;
    for (std::uint32_t child = at + 1; child < outline_[at].end; ++child) {
      const dom::Node& node = *outline_[child].node;
      if (!outline_[child].is_kept) continue;
      if (node.is(caption)) {
        write_children(child);
        end_paragraph();
      }
      if (node.is(tr)) rows.emplace_back();
      if (!node.is(td) && !node.is(th)) continue;
      if (is_full()) break;
      waiting_bytes_ += 3;
      inner_line_.clear();
      write_inline_children(child, inner_line_);
      if (rows.empty()) rows.emplace_back();
      rows.back().push_back(inner_line_.take_cell());
    }
    std::erase_if(rows, [](const auto& row) { return row.empty(); });
    if (rows.empty()) return;
    std::size_t columns = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    rows[0].resize(columns);
    std::string text;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (row > 0) text += '\n';
      text += '|';
      for (const std::string& cell : rows[row]) text.append(" ").append(cell).append(" |");
      if (row > 0) continue;
      text += "\n|";
      for (std::size_t i = 0; i < columns; ++i) text += " --- |";
    }
    emit(text);
  }

  void end_paragraph() {
    close_link_around(line_);
    if (line_.empty()) {
      line_.clear();
      waiting_bytes_ = 0;
    } else {
      emit(line_.take_block());
    }
    open_link_around(line_);
  }

  // Writes the lines of a block, with the prefixes of the levels that it is in.
  void emit(std::string_view block) {
    waiting_bytes_ = 0;
    last_list_ = {};
    if (gap_ == Gap::blank && !out_.empty()) {
      std::string prefix;
      for (const Level& level : levels_) {
        if (level.is_begun) prefix += level.rest;
      }
      while (prefix.ends_with(' ')) prefix.pop_back();
      out_.append(prefix).append("\n");
    }
    while (out_.size() <= options_.bytes_max) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      const std::size_t begin = out_.size();
      for (Level& level : levels_)
        out_ += std::exchange(level.is_begun, true) ? level.rest : level.first;
      if (end == 0) {
        while (out_.size() > begin && out_.back() == ' ') out_.pop_back();
      }
      out_.append(block, 0, end).append("\n");
      if (end == block.size()) break;
      block.remove_prefix(end + 1);
    }
    gap_ = Gap::blank;
  }

  const Outline& outline_;
  const MarkdownOptions& options_;
  PageLinks links_;
  MarkdownLine line_;        // the paragraph that is being written
  MarkdownLine inner_line_;  // a heading or a cell; neither is in the other
  std::vector<Level> levels_;
  std::string out_;
  Gap gap_ = Gap::none;
  std::string link_;               // around the blocks that are being written; empty: none
  ListEnd last_list_;              // directly before
  std::size_t waiting_bytes_ = 0;  // in lines that are not in out_ yet
  std::size_t url_bytes_ = 0;
};

}  // namespace

std::string to_markdown(const MainContent& content, const dom::Document& document,
                        const MarkdownOptions& options) {
  MarkdownWriter writer(content.outline, document, options);
  for (const std::uint32_t root : content.roots) writer.write_root(root);
  return writer.take();
}

}  // namespace gossamer::content
