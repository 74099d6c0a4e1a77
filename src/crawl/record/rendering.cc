#include "record/rendering.h"

#include <algorithm>
#include <cstddef>

namespace gossamer::crawler {
namespace {

constexpr std::size_t kPatternSegmentsMax = 4;
constexpr std::size_t kPatternNameMax = 20;  // longer ones are hardly those of folders

bool is_variable(std::string_view segment) {
  return segment.size() > kPatternNameMax || std::ranges::any_of(segment, [](char character) {
           return (character >= '0' && character <= '9') || character == '%';
         });
}

}  // namespace

std::string pattern_of(std::string_view url) {
  if (const std::size_t at = url.find("//"); at != std::string_view::npos)
    url.remove_prefix(at + 2);
  url = url.substr(0, url.find_first_of("?#"));
  std::string pattern(url.substr(0, url.find('/')));
  url.remove_prefix(pattern.size());
  for (std::size_t count = 0; url.size() > 1 && count < kPatternSegmentsMax; ++count) {
    url.remove_prefix(1);
    const std::string_view segment = url.substr(0, url.find('/'));
    url.remove_prefix(segment.size());
    const bool is_last = url.empty();
    pattern.append("/").append(is_last || is_variable(segment) ? "*" : segment);
  }
  if (!url.empty()) pattern += url.size() == 1 ? "/" : "/*";
  return pattern;
}

}  // namespace gossamer::crawler
