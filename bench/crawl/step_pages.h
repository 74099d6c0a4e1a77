#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gossamer::bench {

// An answer that is dear to read: a page, a sitemap, a robots.txt, or a head without a page.
struct StepPage {
  std::string name;
  std::string url;
  std::string fields;  // Content-Type and so on, each with its line end
  std::string body;    // as it is sent
};

// A way to make one. The pages are large, so each is made when its turn comes.
struct StepPageKind {
  std::string name;
  StepPage (*make)(const StepPageKind& kind, std::size_t bytes);
  std::size_t shape = 0;  // which of crawler::page_shapes()
};

// All shapes as they are, all shapes in gzip, and what is dear in other ways. BOUND: `bytes` are of
// a decoded body.
std::vector<StepPageKind> step_page_kinds();

}  // namespace gossamer::bench
