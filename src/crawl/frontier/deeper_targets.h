#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "frontier/target.h"
#include "url/url.h"

namespace gossamer::crawler {

// For crawls with a limit of depth: the targets at later levels than the current one.
//
// A queued target may later be found at a lower depth, by a redirect (whose target has its own
// depth) or by another loop. Then it is queued there, too, and the deeper one is stale.
class DeeperTargets {
 public:
  void add(std::uint64_t fingerprint, const url::Url& url, std::uint16_t depth);
  // Restores the state of an earlier process. A target that is queued twice was moved to a lower
  // depth.
  void recall(std::uint64_t fingerprint, const Target& target);
  // True if it is queued at a greater depth.
  bool comes_nearer(std::uint64_t fingerprint, std::uint16_t depth) const {
    const auto found = deeper_.find(fingerprint);
    return found != deeper_.end() && depth < found->second.depth;
  }
  // Marks the queued one as stale. REQUIRES: comes_nearer().
  void bring_nearer(std::uint64_t fingerprint);
  // Returns true once for a stale target, which must not be claimed.
  bool take_stale(const Target& target);
  // Targets at this level are current now.
  void reach(std::uint16_t level);

 private:
  struct Deeper {
    std::uint64_t url_hash;
    std::uint16_t depth;

    std::uint64_t hash() const { return url_hash ^ (depth * 0x9E37'79B9'7F4A'7C15ULL); }
  };

  std::unordered_map<std::uint64_t, Deeper> deeper_;  // by fingerprint
  // Hashes of stale targets: the URL with each depth at which it must not be claimed.
  std::unordered_set<std::uint64_t> stale_;
};

}  // namespace gossamer::crawler
