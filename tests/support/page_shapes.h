// For tests and benchmarks: pages of many shapes, each made to be dear to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::crawler {

// The page of most shapes. Others are the sitemap or the robots.txt beside it.
inline constexpr std::string_view kShapesRoot = "http://a.example/";

struct PageShape {
  std::string name;
  std::string type = "text/html";
  std::string_view before;
  std::string_view unit;  // again and again
  std::string_view after;
  bool is_numbered = false;    // the unit has a place for a number
  std::string_view base = {};  // half of the page is a base of these
  std::string url = std::string(kShapesRoot);

  // A page of about so many bytes.
  std::string body(std::size_t bytes) const;
};

std::vector<PageShape> page_shapes();

}  // namespace gossamer::crawler
