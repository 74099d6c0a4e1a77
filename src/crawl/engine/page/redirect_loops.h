#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace gossamer::crawler {

// Detects redirect loops. It remembers redirects by the fingerprints of their URLs.
// BOUND: kRedirectsMax; when there are more, it forgets all, and may miss a loop.
class RedirectLoops {
 public:
  // Adds a redirect. Returns true if redirects lead from `to` back to `from`.
  bool closes(std::uint64_t from, std::uint64_t to) {
    if (next_.size() >= kRedirectsMax) next_.clear();
    next_[from] = to;
    for (std::size_t hops = 0; hops < kHopsMax; ++hops) {
      if (to == from) return true;
      const auto found = next_.find(to);
      if (found == next_.end()) return false;
      to = found->second;
    }
    return false;
  }

 private:
  static constexpr std::size_t kRedirectsMax = 16'384;
  static constexpr std::size_t kHopsMax = 64;

  std::unordered_map<std::uint64_t, std::uint64_t> next_;
};

}  // namespace gossamer::crawler
