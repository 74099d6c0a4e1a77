#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// The segments of a path: "a" and "b" for /a/b and /a/b/; none for "/".
// BOUND: splits at most kMax segments; rest() is the remainder.
// BORROWS: the path.
class PathSegments {
 public:
  static constexpr std::size_t kMax = 32;

  explicit PathSegments(std::string_view path) noexcept;

  std::size_t size() const noexcept { return size_; }
  std::string_view operator[](std::size_t i) const noexcept { return segments_[i]; }
  std::string_view rest() const noexcept { return rest_; }

  // Returns whether two segments are equal. Their marks usually differ already.
  bool same(std::size_t i, std::size_t j) const noexcept {
    return marks_[i] == marks_[j] && segments_[i] == segments_[j];
  }

 private:
  std::array<std::string_view, kMax> segments_;
  std::array<std::uint32_t, kMax> marks_;  // length, first and last byte
  std::size_t size_ = 0;
  std::string_view rest_;
};

// True if the text has no letter: map tiles and trees of numbers (/7/7/7/7.png) are not traps.
// False for "".
bool is_numeric_segment(std::string_view segment) noexcept;

// True if one to four segments, not all numeric, occur more than `times_max` times in a row.
// REQUIRES: times_max > 0.
bool has_cycle(const PathSegments& segments, std::uint32_t times_max) noexcept;

// True if a segment that is neither numeric nor empty occurs more than `times_max` times in the
// path.
bool has_frequent_segment(const PathSegments& segments, std::uint32_t times_max) noexcept;

}  // namespace gossamer::crawler
