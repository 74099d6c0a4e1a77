#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gossamer::bench {

// A response that is expensive to read: a page, a sitemap, a robots.txt, or a head without a page.
struct StepPage {
  std::string name;
  std::string url;
  std::string fields;  // Content-Type and so on, each with its line end
  std::string body;    // as sent
};

// A function that makes one. The pages are large, so each is made when it is needed.
struct StepPageKind {
  std::string name;
  StepPage (*make)(const StepPageKind& kind, std::size_t bytes);
  std::size_t shape = 0;  // which of crawler::page_shapes()
};

// All shapes, all shapes in gzip, and other expensive responses. BOUND: `bytes` of decoded body.
std::vector<StepPageKind> step_page_kinds();

}  // namespace gossamer::bench
