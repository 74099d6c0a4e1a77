#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "check/document.h"
#include "check/position_finder.h"
#include "check/quoted_text.h"
#include "html/page_consumer.h"

namespace gossamer::check {

// Receives the links of a document that is fed tag by tag, and determines the position of each.
// Readers do not report positions, but they accept pieces of any size, so we know what they have
// read last.
class PlaceCollector final : public html::PageConsumer {
 public:
  // BORROWS: both.
  PlaceCollector(std::string_view text, Document& into) noexcept
      : text_(text), positions_(text), into_(into) {}

  // Links found from now on are probably within [begin, end).
  void look_within(std::size_t begin, std::size_t end) noexcept;

  void link(const html::Link& link) override;
  void anchor_text(std::string_view text) override;
  void base(std::string_view href) override { into_.base = href; }
  void text(std::string_view piece) override { words_.add(piece); }

  // Returns the words of the text. Call it once.
  std::vector<std::uint32_t> take_words() { return words_.take(); }

 private:
  // BOUND: bytes searched for one link, so that no style sheet takes quadratic time.
  static constexpr std::size_t kSearchedBytesMax = 64 * 1024;

  std::size_t find(std::string_view url) noexcept;

  std::string_view text_;
  PositionFinder positions_;
  WordHashes words_{kWordsMax};
  Document& into_;
  std::size_t begin_ = 0;
  std::size_t search_from_ = 0;
  std::size_t end_ = 0;
  std::size_t last_ = 0;    // where the last link was
  std::size_t anchor_ = 0;  // the index of the <a> whose text is pending, plus one; 0: none
};

}  // namespace gossamer::check
