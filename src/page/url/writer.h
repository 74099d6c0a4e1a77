// Appends to memory that is already large enough, so that the hot loops of the parser need no
// checks. Internal to the url layer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/check.h"
#include "url/code_points.h"

namespace gossamer::url {

class Writer {
 public:
  Writer(char* begin, std::size_t capacity) noexcept
      : begin_(begin), at_(begin), end_(begin + capacity) {}

  std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(at_ - begin_); }
  std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }
  // REQUIRES: not empty.
  char back() const noexcept { return at_[-1]; }
  std::string_view from(std::uint32_t offset) const noexcept {
    return {begin_ + offset, static_cast<std::size_t>(at_ - begin_) - offset};
  }

  // REQUIRES, for all that append: room() is enough.
  void put(char c) noexcept {
    DCHECK(at_ < end_);
    *at_++ = c;
  }
  void put(std::string_view text) noexcept {
    DCHECK(text.size() <= room());
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  // Appends the text up to the first byte of one of the sets, and returns how many bytes that were.
  std::size_t put_until(std::string_view text, unsigned sets) noexcept {
    DCHECK(text.size() <= room());
    // A local variable, or every store through a char* would make the compiler reload at_.
    char* at = at_;
    const char* from = text.data();
    const char* const end = from + text.size();
    while (from != end && !in_set(*from, sets)) *at++ = *from++;
    at_ = at;
    return static_cast<std::size_t>(from - text.data());
  }
  void put_escaped(char c) noexcept {
    DCHECK(room() >= 3);
    const auto byte = static_cast<unsigned char>(c);
    at_[0] = '%';
    at_[1] = kUpperHexDigits[byte >> 4];
    at_[2] = kUpperHexDigits[byte & 15];
    at_ += 3;
  }
  // Opens a gap for `text` before the byte at `offset`.
  void insert(std::uint32_t offset, std::string_view text) noexcept {
    DCHECK(text.size() <= room() && offset <= size());
    std::memmove(begin_ + offset + text.size(), begin_ + offset, size() - offset);
    std::memcpy(begin_ + offset, text.data(), text.size());
    at_ += text.size();
  }
  // Drops everything after the first `size` bytes. REQUIRES: size <= size().
  void cut(std::uint32_t size) noexcept { at_ = begin_ + size; }

 private:
  char* begin_;
  char* at_;
  char* end_;
};

}  // namespace gossamer::url
