// Extracts the visible text of a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "html/page_consumer.h"
#include "html/token/token.h"

namespace gossamer::html {

// Collapses white space and separates blocks: a line feed between blocks and at <br>, a tab between
// cells. Line feeds and spaces in <pre> are kept. The text begins and ends with a visible
// character. Part of PageReader, which decides what is visible.
//
// BOUND: holds kPieceBytes of text, then passes it on.
class TextScanner {
 public:
  static constexpr std::size_t kPieceBytes = 16 * 1024;

  explicit TextScanner(PageConsumer& consumer) : consumer_(consumer) {}

  static void add_interest(Interest& interest);

  void start_tag(const Tag& tag);
  void end_tag(const Tag& tag);
  void text(std::string_view piece);
  void finish() { flush(); }

 private:
  // The separator before the next visible character. A larger one replaces a smaller one.
  enum class Gap : std::uint8_t { none, space, tab, line };

  void widen(Gap gap) noexcept {
    if (gap_ < gap) gap_ = gap;
  }
  void boundary(TagId id) noexcept;
  void collapsed(std::string_view piece);
  void preformatted(std::string_view piece);
  void close_gap();
  void flush();

  PageConsumer& consumer_;
  Gap gap_ = Gap::none;
  bool has_text_ = false;      // there was visible text before
  std::size_t pre_depth_ = 0;  // open <pre>, <listing>, <textarea>, <xmp>
  std::string out_;
};

}  // namespace gossamer::html
