#include "scope/path_segments.h"

#include <algorithm>

#include "base/ascii.h"

namespace gossamer::crawler {
namespace {

constexpr std::size_t kCycleSegmentsMax = 4;

std::uint32_t mark_of(std::string_view segment) noexcept {
  if (segment.empty()) return 0;
  const auto byte = [](char c) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(c));
  };
  return static_cast<std::uint32_t>(segment.size()) << 16 ^ byte(segment.front()) << 8 ^
         byte(segment.back());
}

bool all_numeric(const PathSegments& segments, std::size_t begin, std::size_t end) noexcept {
  for (std::size_t i = begin; i < end; ++i) {
    if (!is_numeric_segment(segments[i])) return false;
  }
  return true;
}

}  // namespace

PathSegments::PathSegments(std::string_view path) noexcept {
  if (path.starts_with('/')) path.remove_prefix(1);
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return;
  while (size_ < kMax) {
    const std::size_t slash = path.find('/');
    segments_[size_] = path.substr(0, slash);
    marks_[size_] = mark_of(segments_[size_]);
    ++size_;
    if (slash == std::string_view::npos) return;
    path.remove_prefix(slash + 1);
  }
  rest_ = path;
}

bool is_numeric_segment(std::string_view segment) noexcept {
  return !segment.empty() && std::ranges::none_of(segment, base::is_letter);
}

bool has_cycle(const PathSegments& segments, std::uint32_t times_max) noexcept {
  for (std::size_t length = 1; length <= kCycleSegmentsMax; ++length) {
    const std::size_t enough = length * times_max;
    std::size_t run = 0;  // consecutive segments that equal the one a cycle earlier
    for (std::size_t i = length; i < segments.size(); ++i) {
      run = segments.same(i, i - length) ? run + 1 : 0;
      if (run >= enough && !all_numeric(segments, i + 1 - length, i + 1)) return true;
    }
  }
  return false;
}

bool has_frequent_segment(const PathSegments& segments, std::uint32_t times_max) noexcept {
  for (std::size_t i = 0; i + times_max < segments.size(); ++i) {
    std::size_t times = 1;
    for (std::size_t j = i + 1; j < segments.size(); ++j) times += segments.same(i, j) ? 1 : 0;
    const bool counts = !segments[i].empty() && !is_numeric_segment(segments[i]);
    if (times > times_max && counts) return true;
  }
  return false;
}

}  // namespace gossamer::crawler
