#include "content/markdown_table.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/ascii.h"
#include "content/markdown_elements.h"
#include "dom/tag_set.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

constexpr dom::TagSet kBlocksOfCells = {pre, ul, ol, dl, blockquote, h1, h2, h3, h4, h5, h6};
constexpr dom::TagSet kRowGroups = {thead, tbody, tfoot};

// Longer cells are parts of a page.
constexpr std::size_t kCellBytesMax = 4000;
constexpr std::size_t kMeanCellBytesMax = 800;
constexpr std::size_t kSpanMax = 1000;

struct TableFacts {
  std::size_t rows = 0;
  std::size_t cells = 0;
  std::size_t columns = 0;
  std::size_t heads = 0;
  std::size_t bytes = 0;
  std::size_t largest = 0;  // cell
  bool has_blocks = false;
  bool has_code_lines = false;
  bool has_line_numbers = false;
  bool has_table = false;
};

bool has_lines(const dom::Node& code) {
  std::size_t work = 4096;
  std::string_view last;
  for (const dom::Node* node = &code; node != nullptr && work > 0;
       node = dom::next_in(code, *node), --work) {
    if (node->is(br)) return true;
    if (!node->is_text()) continue;
    if (last.contains('\n')) return true;
    const std::string_view text = node->text();
    const std::size_t end = text.find_last_not_of("\r\n");
    const std::size_t begin = text.find_first_not_of("\r\n");
    if (begin != std::string_view::npos && text.substr(begin, end - begin).contains('\n')) {
      return true;
    }
    last = text;
  }
  return false;
}

TableFacts read_table(const Outline& outline, std::uint32_t at) {
  TableFacts facts;
  std::size_t in_row = 0;
  for (std::uint32_t child = at + 1; child < outline[at].end; ++child) {
    const dom::Node& node = *outline[child].node;
    if (!outline[child].is_kept) continue;
    if (node.is(table)) {
      facts.has_table = true;
      break;
    }
    facts.has_blocks = facts.has_blocks || kBlocksOfCells.has(node.tag());
    if (node.is(pre) && !facts.has_code_lines) facts.has_code_lines = has_lines(node);
    if (node.is(caption)) ++facts.heads;
    if (node.is(tr)) {
      ++facts.rows;
      in_row = 0;
    }
    if (!node.is(td) && !node.is(th)) continue;
    ++facts.cells;
    facts.heads += node.is(th) ? 1 : 0;
    facts.columns = std::max(facts.columns, ++in_row);
    facts.bytes += outline[child].all.text;
    facts.largest = std::max<std::size_t>(facts.largest, outline[child].all.text);
    facts.has_blocks = facts.has_blocks || outline[child].all.paragraphs > 1;
    facts.has_line_numbers = facts.has_line_numbers || is_line_numbers(node);
  }
  return facts;
}

std::size_t span_of(const dom::Node& cell, std::string_view name) {
  const dom::Attribute* const found = cell.find(name);
  if (found == nullptr || found->value().empty()) return 1;
  std::size_t span = 0;
  for (const char c : found->value()) {
    if (!base::is_digit(c)) break;
    span = std::min(span * 10 + static_cast<std::size_t>(c - '0'), kSpanMax);
  }
  if (span == 0) return name == "rowspan" ? kSpanMax : 1;  // 0: all rows of its group
  return span;
}

// Places cells into columns.
class Grid {
 public:
  Grid(const Outline& outline, MarkdownInline& inlines) : outline_(outline), inlines_(inlines) {}

  void begin_group() { taken_until_.clear(); }
  void begin_row() {
    if (rows_.empty() || !rows_.back().empty()) rows_.emplace_back();
    ++row_;
    column_ = 0;
  }
  void add_cell(std::uint32_t at) {
    if (rows_.empty()) begin_row();
    skip_taken();
    std::vector<std::string>& row = rows_.back();
    row.resize(column_);
    inlines_.add_waiting(3);
    inlines_.write_children({.node = outline_[at].node, .at = at}, line_);
    row.push_back(line_.take_cell());
    line_.clear();
    ++cells_;
    place(span_of(*outline_[at].node, "colspan"), span_of(*outline_[at].node, "rowspan"));
  }
  std::string take() {
    std::size_t columns = 0;
    std::erase_if(rows_, [](const auto& row) {
      return std::ranges::all_of(row, [](const std::string& cell) { return cell.empty(); });
    });
    for (const auto& row : rows_) columns = std::max(columns, row.size());
    if (rows_.empty()) return {};
    rows_[0].resize(columns);
    std::string text;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (row > 0) text += '\n';
      text += '|';
      for (const std::string& cell : rows_[row]) text.append(" ").append(cell).append(" |");
      if (row > 0) continue;
      text += "\n|";
      for (std::size_t i = 0; i < columns; ++i) text += " --- |";
    }
    return text;
  }

 private:
  // BOUND: cells that stay empty because of spans.
  bool may_skip() { return ++empty_ <= 8 * cells_ + 64; }
  void skip_taken() {
    while (column_ < taken_until_.size() && taken_until_[column_] > row_ && may_skip()) ++column_;
  }
  void place(std::size_t columns, std::size_t rows) {
    for (std::size_t i = 0; i < columns; ++i) {
      if (i > 0 && !may_skip()) return;
      if (rows > 1) {
        if (taken_until_.size() <= column_) taken_until_.resize(column_ + 1);
        taken_until_[column_] = row_ + rows;
      }
      ++column_;
    }
  }

  const Outline& outline_;
  MarkdownInline& inlines_;
  MarkdownLine line_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::size_t> taken_until_;  // by column: the row where it is free again
  std::size_t row_ = 0;
  std::size_t column_ = 0;
  std::size_t cells_ = 0;
  std::size_t empty_ = 0;
};

}  // namespace

TableKind table_kind(const Outline& outline, std::uint32_t at) {
  const dom::Attribute* const role = outline[at].node->find("role");
  if (role != nullptr && (role->value() == "presentation" || role->value() == "none")) {
    return TableKind::layout;
  }
  const TableFacts facts = read_table(outline, at);
  if (facts.has_line_numbers) return TableKind::layout;
  if (facts.has_table) return facts.heads > 0 ? TableKind::complex : TableKind::layout;
  if (facts.columns < 2) return TableKind::layout;
  if (facts.heads == 0) {
    if (facts.rows <= 1 && facts.has_blocks) return TableKind::layout;
    const bool is_large =
        facts.largest > kCellBytesMax || facts.bytes > kMeanCellBytesMax * facts.cells;
    if (is_large) return TableKind::layout;
  }
  return facts.has_code_lines ? TableKind::complex : TableKind::grid;
}

std::string grid_table(const Outline& outline, std::uint32_t at, MarkdownInline& inlines) {
  Grid grid(outline, inlines);
  for (std::uint32_t child = at + 1; child < outline[at].end && !inlines.is_full();) {
    const OutlineItem& item = outline[child];
    const bool is_cell = item.node->is(td) || item.node->is(th);
    if (item.is_kept && kRowGroups.has(item.node->tag())) grid.begin_group();
    if (item.is_kept && item.node->is(tr)) grid.begin_row();
    if (item.is_kept && is_cell) grid.add_cell(child);
    const bool is_done = is_cell || !item.is_kept || item.node->is(caption);
    child = is_done ? item.end : child + 1;
  }
  return grid.take();
}

}  // namespace gossamer::content
