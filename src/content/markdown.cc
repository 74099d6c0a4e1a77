#include "content/markdown.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/markdown_line.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kHeadingTags = {h1, h2, h3, h4, h5, h6};
constexpr std::size_t kAltBytesMax = 1024;

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

// The prefix of lines in a quote or in an item of a list.
struct Level {
  std::string first;  // of the first line
  std::string rest;
  bool is_item = false;  // of a list
  bool is_begun = false;
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

  // The depth of a tree is bounded, so it may be recursive.
  void write(std::uint32_t at) {
    if (out_.size() > options_.bytes_max) return;
    const dom::Node& node = *outline_[at].node;
    const html::TagId tag = node.space() == dom::Space::html ? node.tag() : other;
    if (outline_[at].all.blocks == 0 && tag != br) return write_inline(at, line_);
    if (tag == br) return line_.hard_break();
    if (!is_block(node)) return write_children(at);
    end_paragraph();
    if (kHeadingTags.has(tag)) {
      write_heading(at);
    } else if (tag == ul || tag == ol) {
      write_list(at, tag == ol);
    } else if (tag == blockquote) {
      levels_.push_back({.first = "> ", .rest = "> "});
      write_children(at);
      end_paragraph();
      levels_.pop_back();
    } else if (tag == pre || tag == listing || tag == xmp) {
      write_code(at);
    } else if (tag == hr) {
      emit("---");
    } else if (tag == table && is_grid(at)) {
      write_table(at);
    } else {
      write_children(at);
    }
    end_paragraph();
  }

  void write_children(std::uint32_t at) {
    outline_.for_each_child(
        at, [this](const dom::Node& text) { line_.text(text.text()); },
        [this](std::uint32_t child) { write(child); });
  }

  // Blocks become spaces, except those of a paragraph that is being written.
  void write_inline(std::uint32_t at, MarkdownLine& line) {
    const dom::Node& node = *outline_[at].node;
    if (node.is(br)) return &line == &line_ ? line.hard_break() : line.space();
    if (node.is(img)) return write_image(node, line);
    if (is_code_element(node)) return line.code(plain_text(at));
    const bool is_strong = node.is(strong) || node.is(b);
    const bool is_emphasis = node.is(em) || node.is(i);
    const std::string url = node.is(a) ? target_of(node) : std::string();
    if (is_strong) line.open(MarkdownLine::Mark::strong);
    if (is_emphasis) line.open(MarkdownLine::Mark::emphasis);
    if (!url.empty()) line.open_link();
    if (is_block(node)) line.space();
    outline_.for_each_child(
        at, [&line](const dom::Node& text) { line.text(text.text()); },
        [this, &line](std::uint32_t child) { write_inline(child, line); });
    if (is_block(node)) line.space();
    if (!url.empty()) line.close_link(url);
    if (is_emphasis) line.close(MarkdownLine::Mark::emphasis);
    if (is_strong) line.close(MarkdownLine::Mark::strong);
  }

  // Returns the address of a link as Markdown; empty: it is not written as a link.
  std::string target_of(const dom::Node& node) {
    const dom::Attribute* const href = node.find(html::AttributeId::href);
    const url::Url* const url = href == nullptr ? nullptr : links_.resolve(href->value());
    if (url == nullptr) return {};
    const std::string_view scheme = url->scheme();
    const bool is_link = scheme == "http" || scheme == "https" || scheme == "mailto";
    return is_link ? as_destination(url->href()) : std::string();
  }
  static std::string as_destination(std::string_view url) {
    std::string text;
    for (const char c : url) {
      if (std::string_view("()\\*_`[]").contains(c)) text += '\\';
      if (static_cast<unsigned char>(c) > ' ') text += c;
    }
    return text;
  }

  void write_image(const dom::Node& node, MarkdownLine& line) {
    const dom::Attribute* const source = node.find(html::AttributeId::src);
    if (!options_.images || source == nullptr) return;
    const url::Url* const url = links_.resolve(source->value());
    if (url == nullptr || (url->scheme() != "http" && url->scheme() != "https")) return;
    const dom::Attribute* const alt = node.find("alt");
    line.image(alt == nullptr ? "" : plain_line(alt->value().substr(0, kAltBytesMax)),
               as_destination(url->href()));
  }
  static std::string plain_line(std::string_view text) {
    std::string line(text);
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    return line;
  }

  // The text below an element, unchanged.
  std::string plain_text(std::uint32_t at) const {
    std::string text;
    append_plain(at, text);
    return text;
  }
  void append_plain(std::uint32_t at, std::string& text) const {
    if (outline_[at].node->is(br)) text += '\n';
    outline_.for_each_child(
        at, [&text](const dom::Node& node) { text += node.text(); },
        [this, &text](std::uint32_t child) { append_plain(child, text); });
  }

  void write_heading(std::uint32_t at) {
    MarkdownLine line;
    write_inline_children(at, line);
    if (line.empty()) return;
    const auto level = static_cast<std::size_t>(outline_[at].node->name()[1] - '0');
    emit(std::string(level, '#') + " " + line.take_heading());
  }
  void write_inline_children(std::uint32_t at, MarkdownLine& line) {
    outline_.for_each_child(
        at, [&line](const dom::Node& text) { line.text(text.text()); },
        [this, &line](std::uint32_t child) { write_inline(child, line); });
  }

  void write_list(std::uint32_t at, bool is_ordered) {
    const bool is_nested = !levels_.empty() && levels_.back().is_item;
    const bool is_tight = outline_[at].all.paragraphs == 0;
    std::size_t number = 0;
    outline_.for_each_child(
        at, [](const dom::Node&) {},
        [&](std::uint32_t child) {
          if (outline_[child].all.text == 0 && outline_[child].all.images == 0) return;
          if (is_tight && (number > 0 || is_nested)) gap_ = std::min(gap_, Gap::line);
          std::string marker = is_ordered ? std::to_string(++number) + ". " : "- ";
          if (!is_ordered) ++number;
          levels_.push_back(
              {.first = marker, .rest = std::string(marker.size(), ' '), .is_item = true});
          write_children(child);
          end_paragraph();
          levels_.pop_back();
        });
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
      if (node.is(table) || node.is(pre) || node.is(ul) || node.is(ol) || node.is(blockquote)) {
        return false;
      }
      rows += node.is(tr) ? 1 : 0;
      cells += node.is(td) || node.is(th) ? 1 : 0;
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
      MarkdownLine line;
      write_inline_children(child, line);
      if (rows.empty()) rows.emplace_back();
      rows.back().push_back(line.take_cell());
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
    if (line_.empty()) {
      line_ = {};
      return;
    }
    emit(line_.take_block());
  }

  // Writes the lines of a block, with the prefixes of the levels that it is in.
  void emit(std::string_view block) {
    if (out_.size() > options_.bytes_max) return;
    if (gap_ == Gap::blank && !out_.empty()) {
      std::string prefix;
      for (const Level& level : levels_) {
        if (level.is_begun) prefix += level.rest;
      }
      while (prefix.ends_with(' ')) prefix.pop_back();
      out_.append(prefix).append("\n");
    }
    while (true) {
      const std::size_t end = std::min(block.find('\n'), block.size());
      std::string line;
      for (Level& level : levels_)
        line += std::exchange(level.is_begun, true) ? level.rest : level.first;
      if (end == 0) {
        while (line.ends_with(' ')) line.pop_back();
      }
      line += block.substr(0, end);
      out_.append(line).append("\n");
      if (end == block.size()) break;
      block.remove_prefix(end + 1);
    }
    gap_ = Gap::blank;
  }

  const Outline& outline_;
  const MarkdownOptions& options_;
  PageLinks links_;
  MarkdownLine line_;  // the paragraph that is being written
  std::vector<Level> levels_;
  std::string out_;
  Gap gap_ = Gap::none;
};

}  // namespace

std::string to_markdown(const MainContent& content, const dom::Document& document,
                        const MarkdownOptions& options) {
  MarkdownWriter writer(content.outline, document, options);
  for (const std::uint32_t root : content.roots) writer.write_root(root);
  return writer.take();
}

}  // namespace gossamer::content
