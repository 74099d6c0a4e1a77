#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/link_graph.h"

namespace gossamer::report {

// Where each page leads when its redirects are followed, and how far that is. In time that grows
// with the pages, however long the ways are and however many of them have an end in common.
class RedirectWays {
 public:
  using Id = LinkGraph::Id;

  struct Way {
    Id end = LinkGraph::kNone;  // the last page; of a circle the one that is met again
    std::uint32_t hops = 0;
    bool is_circle = false;  // the end leads back to itself
  };

  explicit RedirectWays(const LinkGraph& graph);

  const Way& operator[](Id id) const { return ways_[id]; }

 private:
  void close_circle(std::vector<Id>& path, Id again);

  std::vector<Way> ways_;
};

}  // namespace gossamer::report
