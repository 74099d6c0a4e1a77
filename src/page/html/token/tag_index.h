// Finds where tags begin and where '"' is, for a whole stretch of text in one pass.
//
// Searching for one '<' after the other means that no tag can start before the previous one has
// been read. With all positions known in advance, the processor works on several tags at a time.
// Most tags can be recognised as unwanted without a branch, so there is no branch to mispredict.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "html/token/token.h"

namespace gossamer::html {

// Empty until it is built. BORROWS: the text, for as long as it is used.
class TagIndex {
 public:
  static constexpr std::size_t kBytesMax = 4096;

  // Covers [begin, end) or the first kBytesMax bytes of it.
  void build(const char* begin, const char* end) noexcept;
  void clear() noexcept { begin_ = end_ = nullptr; }

  const char* begin() const noexcept { return begin_; }
  const char* end() const noexcept { return end_; }

  // The positions of '<', relative to begin(), in order.
  using Places = std::span<const std::uint16_t>;
  Places all() const noexcept { return {places_.data(), count_}; }

  // The same without the tags that `interest` does not want and that are written in the commonest
  // ways: a short name, and no attributes or only a class. Some constructs that only look like tags
  // are dropped too, so use it only if text is not wanted. A dropped part never contains a tag that
  // is wanted.
  // BORROWS: until the next call.
  Places worth_reading(const Interest& interest) noexcept;

  // Returns the first '"' at or after `at`, else end(). REQUIRES: `at` is covered, or end().
  const char* quote(const char* at) const noexcept {
    const auto offset = static_cast<std::size_t>(at - begin_);
    const std::uint64_t near = quotes_after(offset);
    if (near != 0) [[likely]]
      return at + std::countr_zero(near);
    std::size_t block = offset / kBlockBytes;
    std::uint64_t word = 0;
    do {
      word = quotes_[++block];
    } while (word == 0);
    return begin_ + block * kBlockBytes + static_cast<std::size_t>(std::countr_zero(word));
  }

 private:
  static constexpr std::size_t kBlockBytes = 64;
  static constexpr std::size_t kBlocksMax = kBytesMax / kBlockBytes;
  // Positions are written six at a time, whether there are as many or not.
  static constexpr std::size_t kSpare = 6;

  // A tag that was judged, in one word, because it is written for every tag.
  class Judged {
   public:
    Judged() = default;
    // `end_mark` is the mark of the byte after its name (tag_word.h), which includes the slash.
    Judged(std::uint16_t place, unsigned end_mark, bool may_be_wanted) noexcept
        : word_(place | end_mark << 16 | unsigned{may_be_wanted} << 31) {}

    std::uint16_t place() const noexcept { return static_cast<std::uint16_t>(word_); }
    std::size_t name_end() const noexcept { return place() + 1 + (word_ >> 19 & 7); }
    bool may_be_wanted() const noexcept { return word_ >> 31 != 0; }

   private:
    std::uint32_t word_;
  };

  // Bit n is for byte n of the block.
  struct Marks {
    std::uint64_t less_than;
    std::uint64_t quote;
  };
  static Marks marks_of(const char* block) noexcept;

  // Returns the marks of the 64 bytes from `offset` on, across block boundaries.
  std::uint64_t quotes_after(std::size_t offset) const noexcept {
    const std::size_t block = offset / kBlockBytes;
    const std::size_t skipped = offset % kBlockBytes;
    return quotes_[block] >> skipped | quotes_[block + 1] << 1 << (63 - skipped);
  }

  // The same code, compiled for every processor of the architecture and for those with AVX2.
  void find_all() noexcept;
  void find_all_with_avx2() noexcept;
  void leave_out(const Interest& interest) noexcept;
  void leave_out_with_bmi(const Interest& interest) noexcept;

  void add(Marks marks, std::size_t block) noexcept;
  void add_all() noexcept;
  std::size_t leave_out_bare(const Interest& interest, std::size_t judged) noexcept;
  std::size_t leave_out_with_class(std::size_t left) noexcept;
  void leave_out_all(const Interest& interest) noexcept;
  std::size_t judged_count() const noexcept;

  const char* begin_ = nullptr;
  const char* end_ = nullptr;
  const char* text_end_ = nullptr;  // nothing beyond it is read
  std::size_t count_ = 0;
  std::size_t worth_count_ = 0;
  std::array<std::uint16_t, kBytesMax + kSpare> places_;
  std::array<Judged, kBytesMax + 1> judged_;
  std::array<std::uint16_t, kBytesMax> worth_;
  // A mark follows the last byte, so that every search ends. Two more words follow, so that two can
  // be read wherever a value may begin.
  std::array<std::uint64_t, kBlocksMax + 3> quotes_;
};

}  // namespace gossamer::html
