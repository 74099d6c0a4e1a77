#include "content/content_text.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "content/element_text.h"
#include "content/formula.h"
#include "content/markdown_elements.h"
#include "content/outline_parts.h"
#include "html/token/collapse.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

class TextWriter {
 public:
  TextWriter(const Outline& outline, std::size_t bytes_max)
      : outline_(outline), bytes_max_(bytes_max), formula_work_(formula_work(outline.size())) {}

  // The depth of a tree is bounded, so it may be recursive.
  void write(std::uint32_t at) {
    if (out_.size() > bytes_max_) return;
    const dom::Node& node = *outline_[at].node;
    if (is_permalink(node)) return;
    const Gap gap = gap_of(node);
    widen(gap);
    if (write_formula(node)) return widen(gap);
    const bool is_pre = node.is(pre) || node.is(listing) || node.is(xmp);
    pre_depth_ += is_pre ? 1 : 0;
    for_each_part(
        outline_, {.node = &node, .at = at}, [this](const dom::Node& text) { add(text.text()); },
        [this](Part child) {
          if (child.is_listed()) return write(child.at);
          if (child.node->is(script) || child.node->is(img)) write_formula(*child.node);
        });
    pre_depth_ -= is_pre ? 1 : 0;
    widen(gap);
  }
  void end_block() { widen(Gap::line); }
  std::string take() { return std::move(out_); }

 private:
  enum class Gap : std::uint8_t { none, space, tab, line };

  static Gap gap_of(const dom::Node& node) {
    if (node.is(td) || node.is(th)) return Gap::tab;
    return is_block(node) ? Gap::line : Gap::none;
  }
  // Writes the source of a formula. Returns false if the element is none.
  bool write_formula(const dom::Node& element) {
    const std::optional<Formula> formula = formula_of(element, formula_work_);
    if (formula) add(formula->tex);
    return formula.has_value();
  }
  void widen(Gap gap) { gap_ = std::max(gap_, gap); }
  void close_gap() {
    constexpr std::string_view kSeparators[] = {"", " ", "\t", "\n"};
    if (!out_.empty()) out_ += kSeparators[static_cast<std::size_t>(gap_)];
    gap_ = Gap::none;
  }
  void add(std::string_view text) {
    if (pre_depth_ > 0) return add_preformatted(text);
    for (std::size_t at = 0; at < text.size();) {
      if (static_cast<unsigned char>(text[at]) <= ' ') {
        widen(Gap::space);
        ++at;
        continue;
      }
      // Words separated by single spaces are copied together.
      const std::size_t end = html::end_of_words(text, at);
      close_gap();
      out_.append(text, at, end - at);
      at = end;
    }
  }
  void add_preformatted(std::string_view text) {
    for (const char c : text) {
      if (c == '\n' && gap_ == Gap::line) continue;
      if (gap_ != Gap::none) close_gap();
      out_ += c;
    }
  }

  const Outline& outline_;
  const std::size_t bytes_max_;
  std::size_t formula_work_;  // BOUND: to look for formulas
  std::string out_;
  Gap gap_ = Gap::none;
  int pre_depth_ = 0;
};

}  // namespace

std::string to_text(const MainContent& content, std::size_t bytes_max) {
  TextWriter writer(content.outline, bytes_max);
  for (const std::uint32_t root : content.roots) {
    writer.write(root);
    writer.end_block();
  }
  return writer.take();
}

}  // namespace gossamer::content
