#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "crawl/frontier/target.h"
#include "url/url.h"

namespace gossamer::crawler {

// With limits of depth: the targets that wait at a later level than the one that is being crawled.
//
// What waits at one depth may be found nearer: by a redirect, which leads to a page of its own
// depth, or by another loop. Then it waits there, too, and the deeper one is stale.
class DeeperTargets {
 public:
  void add(std::uint64_t fingerprint, const url::Url& url, std::uint16_t depth);
  // What an earlier process left. One that waits twice was brought nearer.
  void recall(std::uint64_t fingerprint, const Target& target);
  // It waits deeper than that.
  bool comes_nearer(std::uint64_t fingerprint, std::uint16_t depth) const {
    const auto found = deeper_.find(fingerprint);
    return found != deeper_.end() && depth < found->second.depth;
  }
  // REQUIRES: comes_nearer(). The one that waits is stale from now on.
  void bring_nearer(std::uint64_t fingerprint);
  // It must not be claimed. Says so once.
  bool take_stale(const Target& target);
  // What waits there is not deeper any more.
  void reach(std::uint16_t level);

 private:
  struct Deeper {
    std::uint64_t url_hash;
    std::uint16_t depth;

    std::uint64_t hash() const { return url_hash ^ (depth * 0x9E37'79B9'7F4A'7C15ULL); }
  };

  std::unordered_map<std::uint64_t, Deeper> deeper_;  // by fingerprint
  // What was brought nearer, perhaps more than once: its URL with each depth at which it must not
  // be claimed, hashed.
  std::unordered_set<std::uint64_t> stale_;
};

}  // namespace gossamer::crawler
