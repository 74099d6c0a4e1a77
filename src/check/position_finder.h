#pragma once

#include <cstddef>
#include <string_view>

#include "check/document.h"

namespace gossamer::check {

// Turns offsets of a text into lines and columns. Cheap where the offsets grow.
class PositionFinder {
 public:
  // BORROWS: the text.
  explicit PositionFinder(std::string_view text) noexcept
      : text_(text), line_end_(text.find('\n')) {}

  // REQUIRES: within the text, or its end.
  Position at(std::size_t offset) noexcept;

 private:
  std::string_view text_;
  std::size_t line_end_;  // of the line of the last answer; npos: it is the last one
  std::uint32_t line_ = 1;
  std::size_t known_ = 0;  // where the last answer was
  std::uint32_t column_ = 1;
};

}  // namespace gossamer::check
