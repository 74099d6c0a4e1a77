#include "check/position_finder.h"

#include "base/check.h"

namespace gossamer::check {

Position PositionFinder::at(std::size_t offset) noexcept {
  CHECK(offset <= text_.size());
  if (offset < known_) *this = PositionFinder(text_);
  while (line_end_ < offset) {
    ++line_;
    known_ = line_end_ + 1;
    column_ = 1;
    line_end_ = text_.find('\n', known_);
  }
  for (; known_ < offset; ++known_) {
    const bool continues = (static_cast<unsigned char>(text_[known_]) & 0xC0) == 0x80;
    if (!continues) ++column_;
  }
  return {line_, column_};
}

}  // namespace gossamer::check
