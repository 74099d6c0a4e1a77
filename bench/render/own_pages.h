#pragma once

#include <cstdint>
#include <string>

namespace gossamer::bench {

struct RenderLoad {
  std::string origin;
  std::uint64_t tabs = 1;
  std::uint64_t pages = 1;
};

// What it costs after the first page of each tab.
struct RenderCost {
  double wall_ms = 0;
  double own_cpu_ms = 0;  // of this process
};

// Fetches pages and renders them, as a crawl does. Ends the program if a page lacks a link.
RenderCost render_own(const RenderLoad& load);

}  // namespace gossamer::bench
