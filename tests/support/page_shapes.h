// For tests and benchmarks: pages of many shapes that are expensive to read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gossamer::crawler {

// The URL of most shapes. Others are the sitemap or the robots.txt of the same host.
inline constexpr std::string_view kShapesRoot = "http://a.example/";

struct PageShape {
  std::string name;
  std::string type = "text/html";
  std::string_view before;
  std::string_view unit;  // repeated
  std::string_view after;
  bool is_numbered = false;    // the unit contains a number
  std::string_view base = {};  // half of the page is a base made of these
  std::string url = std::string(kShapesRoot);

  // Makes a page of about this many bytes.
  std::string body(std::size_t bytes) const;
};

std::vector<PageShape> page_shapes();

}  // namespace gossamer::crawler
