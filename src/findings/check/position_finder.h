#pragma once

#include <cstddef>
#include <string_view>

#include "check/document.h"

namespace gossamer::check {

// Converts offsets of a text into lines and columns. Fast if the offsets increase.
class PositionFinder {
 public:
  // BORROWS: the text.
  explicit PositionFinder(std::string_view text) noexcept
      : text_(text), line_end_(text.find('\n')) {}

  // REQUIRES: the offset is within the text, or its end.
  Position at(std::size_t offset) noexcept;

 private:
  std::string_view text_;
  std::size_t line_end_;  // of the last result's line; npos: it is the last line
  std::uint32_t line_ = 1;
  std::size_t known_ = 0;  // offset of the last result
  std::uint32_t column_ = 1;
};

}  // namespace gossamer::check
