#include "content/markdown.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "content/element_text.h"
#include "content/html_table.h"
#include "content/markdown_elements.h"
#include "content/markdown_inline.h"
#include "content/markdown_list.h"
#include "content/markdown_table.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kHeadingTags = {h1, h2, h3, h4, h5, h6};
// BOUND: deeper lists and quotes have no marks of their own, so a line has a short prefix.
constexpr std::size_t kLevelsMax = 32;

// The prefix of lines in a quote, in an item of a list or in a definition.
struct Level {
  std::string first;  // of the first line
  std::string rest;
  bool is_item = false;  // of a list
  bool is_definition = false;
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
  MarkdownWriter(const MainContent& content, const dom::Document& document,
                 const MarkdownOptions& options)
      : outline_(content.outline), options_(options), inlines_(content, document, options) {}

  void write_root(std::uint32_t at) {
    write(at);
    end_paragraph();
  }
  std::string take() { return std::move(out_); }

 private:
  enum class Gap : std::uint8_t { none, line, blank };

  Part part(std::uint32_t at) const { return {.node = outline_[at].node, .at = at}; }

  // The depth of a tree is bounded, so it may be recursive.
  void write(std::uint32_t at) {
    if (inlines_.is_full()) return;
    const dom::Node& node = *outline_[at].node;
    const html::TagId tag = node.space() == dom::Space::html ? node.tag() : other;
    if (outline_[at].all.blocks == 0) return inlines_.write(part(at), line_);
    if (tag == a && !inlines_.has_link()) return write_linked(at);
    if (!is_block(node)) return write_children(at);
    end_paragraph();
    write_block(at, tag);
    end_paragraph();
  }
  void write_block(std::uint32_t at, html::TagId tag) {
    const dom::Node& node = *outline_[at].node;
    if (write_note(at) || inlines_.write_formula(node, line_)) return;
    if (kHeadingTags.has(tag)) {
      write_heading(at);
    } else if (tag == ul || tag == ol) {
      write_list(at, tag == ol);
    } else if (tag == dl) {
      write_definitions(at);
    } else if (tag == blockquote) {
      write_at_level({.first = "> ", .rest = "> "}, [&] { write_children(at); });
    } else if (tag == pre || tag == listing || tag == xmp) {
      write_code(at);
    } else if (tag == hr) {
      emit("***");
    } else if (tag == table) {
      write_table(at);
    } else if (tag != td || !is_line_numbers(node)) {
      write_children(at);
    }
  }

  void write_children(std::uint32_t at) {
    for_each_part(
        outline_, part(at), [this](const dom::Node& text) { inlines_.write_text(text, line_); },
        [this](Part child) { write_part(child); });
  }
  void write_part(Part child) {
    if (child.is_listed()) return write(child.at);
    if (is_block(*child.node)) end_paragraph();
    inlines_.write_unlisted(*child.node, line_);
    if (is_block(*child.node)) end_paragraph();
  }
  template <class WriteInside>
  void write_at_level(Level level, WriteInside write_inside) {
    const bool has_mark = levels_.size() < kLevelsMax;
    if (has_mark) levels_.push_back(std::move(level));
    write_inside();
    end_paragraph();
    if (has_mark) levels_.pop_back();
  }

  // A link around blocks becomes a link in each of them.
  void write_linked(std::uint32_t at) {
    inlines_.begin_link(*outline_[at].node);
    inlines_.open_link_around(line_);
    write_children(at);
    inlines_.close_link_around(line_);
    inlines_.end_link();
  }

  void write_heading(std::uint32_t at) {
    MarkdownLine& line = inner_line_;
    line.clear();
    inlines_.open_link_around(line);
    inlines_.write_children(part(at), line);
    inlines_.close_link_around(line);
    if (line.empty()) return;
    const auto level = static_cast<std::size_t>(outline_[at].node->name()[1] - '0');
    emit(std::string(level, '#') + " " + line.take_heading());
  }

  // Whatever is in a list is an item. A list directly in it belongs to the item before.
  void write_list(std::uint32_t at, bool is_ordered) {
    const bool is_nested = !levels_.empty() && levels_.back().is_item;
    const bool is_tight = is_tight_list(outline_, at);
    const std::size_t level = levels_.size();
    bool has_second_mark = last_list_.is_list && last_list_.level == level &&
                           last_list_.is_ordered == is_ordered && !last_list_.has_second_mark;
    ListNumbers numbers(outline_, at);
    bool is_first = true;
    std::string marker;
    const auto begin_item = [&](const dom::Node* item) {
      const bool is_jump = numbers.begin_item(item);
      // A reader counts up by itself, so a jump needs a list of its own.
      if (is_ordered && is_jump && !is_first) has_second_mark = !has_second_mark;
      if (is_tight && (!is_first || is_nested)) gap_ = std::min(gap_, Gap::line);
      marker = has_second_mark ? "+ " : "- ";
      if (is_ordered) marker = std::to_string(numbers.number()) + (has_second_mark ? ") " : ". ");
      is_first = false;
      return Level{.first = marker, .rest = std::string(marker.size(), ' '), .is_item = true};
    };
    const auto write_item = [&](std::uint32_t child) {
      const dom::Node& node = *outline_[child].node;
      if (node.is(li) && write_note(child)) return;
      const std::optional<bool> task = node.is(li) ? task_of(node) : std::nullopt;
      if (outline_[child].all.text == 0 && outline_[child].all.images == 0 && !task) return;
      const bool continues = (node.is(ul) || node.is(ol)) && !is_first;
      const std::string room(marker.size(), ' ');
      Level item =
          continues ? Level{.first = room, .rest = room, .is_item = true} : begin_item(&node);
      write_at_level(std::move(item), [&] {
        if (task) write_task(*task);
        node.is(li) ? write_children(child) : write(child);
      });
    };
    for_each_part(
        outline_, part(at),
        [&](const dom::Node& text) {
          if (text_size(text.text()).bytes == 0) return;
          write_at_level(begin_item(nullptr), [&] { inlines_.write_text(text, line_); });
        },
        [&](Part child) {
          if (child.is_listed()) write_item(child.at);
        });
    if (!is_first) last_list_ = {true, is_ordered, has_second_mark, level};
  }
  void write_task(bool is_done) {
    line_.raw(is_done ? "[x]" : "[ ]");
    line_.space();
  }

  // Terms are lines, and what they mean follows after a colon, as in Markdown Extra. Readers of
  // plain CommonMark show these as lines, so nothing is indented enough to be code.
  void write_definitions(std::uint32_t at) {
    for_each_part(
        outline_, part(at), [this](const dom::Node& text) { inlines_.write_text(text, line_); },
        [this](Part child) {
          if (!child.is_listed()) return;
          if (child.node->is(div) && outline_[child.at].all.blocks > 1) {
            return write_definitions(child.at);
          }
          if (child.node->is(dt)) return write_term(child.at);
          if (child.node->is(dd)) return write_meaning(child.at);
          write(child.at);
        });
  }
  void write_term(std::uint32_t at) {
    end_paragraph();
    if (outline_[at].all.text == 0 && outline_[at].all.images == 0) return;
    if (write_note(at)) {
      is_noted_ = true;
      return;
    }
    is_noted_ = false;
    const std::size_t before = blocks_;
    write_children(at);
    end_paragraph();
    follows_term_ = blocks_ == before + 1;
  }
  void write_meaning(std::uint32_t at) {
    end_paragraph();
    if (is_noted_) return;
    const bool is_close = std::exchange(follows_term_, false);
    if (!begins_with_text(outline_, at) || is_in_definition()) return write_children_alone(at);
    if (is_close) gap_ = std::min(gap_, Gap::line);
    write_at_level({.first = ": ", .rest = "  ", .is_definition = true},
                   [&] { write_children(at); });
  }
  void write_children_alone(std::uint32_t at) {
    write_children(at);
    end_paragraph();
  }
  bool is_in_definition() const {
    for (std::size_t i = levels_.size(); i-- > 0 && !levels_[i].is_item;) {
      if (levels_[i].is_definition) return true;
    }
    return false;
  }

  // Writes a note after its text. Returns false if the element is none.
  bool write_note(std::uint32_t at) {
    const Footnotes::Note* const note = inlines_.notes().note_at(at);
    if (note == nullptr) return false;
    inner_line_.clear();
    inlines_.write_note(*note, inner_line_);
    std::string text = inner_line_.take_note();
    guard_note(text);
    emit("[^" + note->label + "]: " + text);
    return true;
  }

  void write_code(std::uint32_t at) {
    std::string text = inlines_.plain_text(part(at));
    while (text.ends_with('\n')) text.pop_back();
    if (text.empty()) return;
    std::string_view language = code_language(*outline_[at].node);
    const std::uint32_t inner = at + 1;
    if (language.empty() && inner < outline_[at].end) {
      language = code_language(*outline_[inner].node);
    }
    if (language.empty() && outline_[at].parent != kNoItem) {
      language = code_language(*outline_[outline_[at].parent].node);
    }
    const std::string fence(std::max<std::size_t>(longest_run(text, '`'), 2) + 1, '`');
    emit(fence + std::string(language) + "\n" + text + "\n" + fence);
  }

  void write_table(std::uint32_t at) {
    const TableKind kind = table_kind(outline_, at);
    if (kind == TableKind::layout) return write_children(at);
    if (kind == TableKind::complex && options_.tables == TableForm::html) {
      const std::string table_text = html_table(outline_, at, inlines_);
      return emit(table_text);
    }
    write_caption(at);
    const std::string rows = grid_table(outline_, at, inlines_);
    if (!rows.empty()) emit(rows);
  }
  void write_caption(std::uint32_t at) {
    for_each_part(
        outline_, part(at), [](const dom::Node&) {},
        [this](Part child) {
          if (!child.is_listed() || !child.node->is(caption)) return;
          write_children(child.at);
          end_paragraph();
        });
  }

  void end_paragraph() {
    inlines_.close_link_around(line_);
    if (line_.empty()) {
      line_.clear();
      inlines_.set_written(out_.size());
    } else {
      emit(line_.take_block());
    }
    inlines_.open_link_around(line_);
  }

  // Writes the lines of a block, with the prefixes of the levels that it is in.
  void emit(std::string_view block) {
    last_list_ = {};
    ++blocks_;
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
    inlines_.set_written(out_.size());
  }

  const Outline& outline_;
  const MarkdownOptions& options_;
  MarkdownInline inlines_;
  MarkdownLine line_;        // the paragraph that is being written
  MarkdownLine inner_line_;  // a heading or a note; neither is in the other
  std::vector<Level> levels_;
  std::string out_;
  Gap gap_ = Gap::none;
  ListEnd last_list_;  // directly before
  std::size_t blocks_ = 0;
  bool follows_term_ = false;  // a term of one line was written last
  bool is_noted_ = false;      // the last term was written as a note, with its meaning
};

}  // namespace

std::string to_markdown(const MainContent& content, const dom::Document& document,
                        const MarkdownOptions& options) {
  MarkdownWriter writer(content, document, options);
  for (const std::uint32_t root : content.roots) writer.write_root(root);
  return writer.take();
}

std::string to_markdown(const dom::Node& element, const dom::Document& document,
                        const MarkdownOptions& options) {
  return to_markdown({.outline = Outline(element), .roots = {0}}, document, options);
}

}  // namespace gossamer::content
