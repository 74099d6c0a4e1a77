#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gossamer::crawler {

// The segments of a path: "a" and "b" of /a/b, and of /a/b/ too; none of "/".
// BOUND: cuts no more than kMax. What is behind stays in one piece, rest().
// BORROWS: the path.
class PathSegments {
 public:
  static constexpr std::size_t kMax = 32;

  explicit PathSegments(std::string_view path) noexcept;

  std::size_t size() const noexcept { return size_; }
  std::string_view operator[](std::size_t i) const noexcept { return segments_[i]; }
  std::string_view rest() const noexcept { return rest_; }

  // Whether two of them are the same text. Mostly they differ in their ends already.
  bool same(std::size_t i, std::size_t j) const noexcept {
    return marks_[i] == marks_[j] && segments_[i] == segments_[j];
  }

 private:
  std::array<std::string_view, kMax> segments_;
  std::array<std::uint32_t, kMax> marks_;  // made of length, first and last byte
  std::size_t size_ = 0;
  std::string_view rest_;
};

// No letter in it: map tiles and trees of numbers (/7/7/7/7.png) are no traps. False for "".
bool is_numeric_segment(std::string_view segment) noexcept;

// Whether one to four segments that are not all numeric stand more than `times_max` times in a row.
// REQUIRES: times_max > 0.
bool has_cycle(const PathSegments& segments, std::uint32_t times_max) noexcept;

// Whether one segment that is neither numeric nor empty stands more than `times_max` times
// anywhere in the path.
bool has_frequent_segment(const PathSegments& segments, std::uint32_t times_max) noexcept;

}  // namespace gossamer::crawler
