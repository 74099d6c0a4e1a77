#include "report/redirect_ways.h"

namespace gossamer::report {

RedirectWays::RedirectWays(const LinkGraph& graph) : ways_(graph.size()) {
  std::vector<bool> is_met(graph.size());
  std::vector<Id> path;  // pages whose end is unknown
  for (Id first = 0; first < graph.size(); ++first) {
    Id at = first;
    while (!is_met[at]) {
      is_met[at] = true;
      path.push_back(at);
      if (graph[at].next == LinkGraph::kNone) ways_[at].end = at;
      if (ways_[at].end != LinkGraph::kNone) break;
      at = graph[at].next;
    }
    if (ways_[at].end == LinkGraph::kNone) close_circle(path, at);
    for (; !path.empty(); path.pop_back()) {
      if (ways_[path.back()].end != LinkGraph::kNone) continue;
      const Way& rest = ways_[graph[path.back()].next];
      ways_[path.back()] = {.end = rest.end, .hops = rest.hops + 1, .is_circle = rest.is_circle};
    }
  }
}

// From each of its pages, a loop leads once around.
void RedirectWays::close_circle(std::vector<Id>& path, Id again) {
  std::size_t begin = path.size();
  while (path[--begin] != again) {
  }
  const auto hops = static_cast<std::uint32_t>(path.size() - begin);
  for (; path.size() > begin; path.pop_back()) {
    ways_[path.back()] = {.end = path.back(), .hops = hops, .is_circle = true};
  }
}

std::vector<LinkGraph::Id> redirect_starts(const LinkGraph& graph) {
  using Id = LinkGraph::Id;
  std::vector<Id> starts;
  std::vector<bool> is_told(graph.size());
  const auto tell = [&](Id first) {
    for (Id at = first; at != LinkGraph::kNone && !is_told[at]; at = graph[at].next) {
      is_told[at] = true;
    }
    starts.push_back(first);
  };
  for (Id id = 0; id < graph.size(); ++id) {
    if (graph[id].next != LinkGraph::kNone && !graph[id].is_redirected_to) tell(id);
  }
  for (Id id = 0; id < graph.size(); ++id) {
    if (graph[id].next != LinkGraph::kNone && !is_told[id]) tell(id);
  }
  return starts;
}

}  // namespace gossamer::report
