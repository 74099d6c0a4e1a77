#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/link_graph.h"

namespace gossamer::report {

// Follows the redirects of each page to its end, and counts them. The time is linear in the number
// of pages, however long the chains are and however many share their end.
class RedirectWays {
 public:
  using Id = LinkGraph::Id;

  struct Way {
    Id end = LinkGraph::kNone;  // the last page; for a loop, the one that is reached again
    std::uint32_t hops = 0;
    bool is_circle = false;  // the end leads back to itself
  };

  explicit RedirectWays(const LinkGraph& graph);

  const Way& operator[](Id id) const { return ways_[id]; }

 private:
  void close_circle(std::vector<Id>& path, Id again);

  std::vector<Way> ways_;
};

// Returns where redirects begin: pages that nothing redirects to, then the first page of each loop
// that has no such start.
std::vector<LinkGraph::Id> redirect_starts(const LinkGraph& graph);

}  // namespace gossamer::report
