// Frontiers that fetch simulated pages with real code: each returns what a page costs.
#pragma once

#include <cstdint>

#include "bench/cluster/page_costs.h"

namespace gossamer::bench {

// Pages of a measurement. Those before it fill queues and caches.
struct PageCounts {
  std::uint64_t links = 0;  // of each
  std::uint64_t before = 0;
  std::uint64_t measured = 0;
};

// Nodes of a shared crawl, each with its connections, on one loop. Redis is a master with a
// replica, and WAIT 1.
PageCosts fetch_with_nodes(PageCounts counts);
// The frontier of a crawl directory.
PageCosts fetch_with_directory(PageCounts counts);

}  // namespace gossamer::bench
