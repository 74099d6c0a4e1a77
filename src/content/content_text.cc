#include "content/content_text.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "content/element_text.h"
#include "html/collapse.h"

namespace gossamer::content {
namespace {

using enum html::TagId;

class TextWriter {
 public:
  TextWriter(const Outline& outline, std::size_t bytes_max)
      : outline_(outline), bytes_max_(bytes_max) {}

  // The depth of a tree is bounded, so it may be recursive.
  void write(std::uint32_t at) {
    if (out_.size() > bytes_max_) return;
    const dom::Node& node = *outline_[at].node;
    const Gap gap = gap_of(node);
    widen(gap);
    const bool is_pre = node.is(pre) || node.is(listing) || node.is(xmp);
    pre_depth_ += is_pre ? 1 : 0;
    outline_.for_each_child(
        at, [this](const dom::Node& text) { add(text.text()); },
        [this](std::uint32_t child) { write(child); });
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
