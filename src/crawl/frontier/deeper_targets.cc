#include "frontier/deeper_targets.h"

#include <algorithm>

#include "base/hash.h"

namespace gossamer::crawler {

void DeeperTargets::add(std::uint64_t fingerprint, const url::Url& url, std::uint16_t depth) {
  deeper_.emplace(fingerprint, Deeper{base::hash64(url.without_fragment()), depth});
}

void DeeperTargets::recall(std::uint64_t fingerprint, const Target& target) {
  const Deeper here = {.url_hash = base::hash64(target.url), .depth = target.depth};
  const auto [place, is_first] = deeper_.emplace(fingerprint, here);
  if (is_first) return;
  Deeper& nearest = place->second;
  stale_.insert(Deeper{here.url_hash, std::max(nearest.depth, here.depth)}.hash());
  nearest.depth = std::min(nearest.depth, here.depth);
}

void DeeperTargets::bring_nearer(std::uint64_t fingerprint) {
  const auto found = deeper_.find(fingerprint);
  stale_.insert(found->second.hash());
  deeper_.erase(found);
}

bool DeeperTargets::take_stale(const Target& target) {
  if (stale_.empty()) return false;
  return stale_.erase(Deeper{base::hash64(target.url), target.depth}.hash()) > 0;
}

void DeeperTargets::reach(std::uint16_t level) {
  std::erase_if(deeper_, [level](const auto& one) { return one.second.depth <= level; });
}

}  // namespace gossamer::crawler
