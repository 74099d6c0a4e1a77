// Where tags begin in a stretch of text, and where '"' stands, found for all of it at once.
//
// Asking for the next '<' again and again means that no tag can be begun before the one before it
// has been read. With all places known beforehand the processor works on several tags at a time;
// and of most tags it can be told without any branch that nobody wants them, so that there is none
// to be foretold wrongly.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "html/token/token.h"

namespace gossamer::html {

// Covers nothing until it is built. BORROWS: the text, for as long as it is asked.
class TagIndex {
 public:
  static constexpr std::size_t kBytesMax = 4096;

  // Covers [begin, end) or the first kBytesMax bytes of it.
  void build(const char* begin, const char* end) noexcept;
  void clear() noexcept { begin_ = end_ = nullptr; }

  const char* begin() const noexcept { return begin_; }
  const char* end() const noexcept { return end_; }

  // Where '<' stands, from begin() on, in order.
  using Places = std::span<const std::uint16_t>;
  Places all() const noexcept { return {places_.data(), count_}; }

  // The same without the tags that `interest` does not want and that are written in the commonest
  // ways: a short name, and no attributes or only a class. Some that only look like tags are left
  // out too, so it is for when text is not wanted. What is left out has no tag in it that is not.
  // BORROWS: until it is called again.
  Places worth_reading(const Interest& interest) noexcept;

  // The first '"' at or after `at`, else end(). REQUIRES: `at` is covered, or end().
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
  // Places are written six at a time, whether there are as many or not.
  static constexpr std::size_t kSpare = 6;

  // A tag that has been looked at, in one word, for it is written for every tag there is.
  class Judged {
   public:
    Judged() = default;
    // `end_mark`: that of the byte after its name (tag_word.h), the slash being part of that.
    Judged(std::uint16_t place, unsigned end_mark, bool may_be_wanted) noexcept
        : word_(place | end_mark << 16 | unsigned{may_be_wanted} << 31) {}

    std::uint16_t place() const noexcept { return static_cast<std::uint16_t>(word_); }
    std::size_t name_end() const noexcept { return place() + 1 + (word_ >> 19 & 7); }
    bool may_be_wanted() const noexcept { return word_ >> 31 != 0; }

   private:
    std::uint32_t word_;
  };

  // Bit n: byte n of the block.
  struct Marks {
    std::uint64_t less_than;
    std::uint64_t quote;
  };
  static Marks marks_of(const char* block) noexcept;

  // The marks of the 64 bytes from there on, wherever blocks end.
  std::uint64_t quotes_after(std::size_t offset) const noexcept {
    const std::size_t block = offset / kBlockBytes;
    const std::size_t skipped = offset % kBlockBytes;
    return quotes_[block] >> skipped | quotes_[block + 1] << 1 << (63 - skipped);
  }

  // The same code for what every processor of the kind can do, and for what most can.
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
  const char* text_end_ = nullptr;  // beyond it nothing may be looked at
  std::size_t count_ = 0;
  std::size_t worth_count_ = 0;
  std::array<std::uint16_t, kBytesMax + kSpare> places_;
  std::array<Judged, kBytesMax + 1> judged_;
  std::array<std::uint16_t, kBytesMax> worth_;
  // After the last byte stands a mark, so that every search ends; and there are two words more, so
  // that two may be read wherever a value may be thought to begin.
  std::array<std::uint64_t, kBlocksMax + 3> quotes_;
};

}  // namespace gossamer::html
