// URLs in scripts that are only guesses, until a page links to them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "scope/seen_set.h"
#include "scope/stored_count.h"

namespace gossamer::crawler {

class Guesses {
 public:
  // BOUND: further guesses count as links.
  static constexpr std::size_t kGuessesMax = 1'000'000;

  // The salt is unpredictable, so that no site can make the sets slow.
  explicit Guesses(std::uint64_t salt) : all_(salt), linked_(salt) {}

  bool has_room() const noexcept { return all_.size() < kGuessesMax; }
  void add(std::uint64_t fingerprint) { all_.insert(fingerprint); }
  // A page links to this URL. Returns true if it was a guess until now.
  bool mark_linked(std::uint64_t fingerprint) {
    return contains(fingerprint) && linked_.insert(fingerprint);
  }

  bool contains(std::uint64_t fingerprint) const {
    return all_.size() > 0 && all_.contains(fingerprint);
  }
  bool has_links() const noexcept { return linked_.size() > 0; }
  bool is_linked(std::uint64_t fingerprint) const { return linked_.contains(fingerprint); }
  // No page links to it.
  bool is_mere(std::uint64_t fingerprint) const {
    return contains(fingerprint) && !linked_.contains(fingerprint);
  }

  // Restores a guess of an earlier process; ignores counts of rules.
  void recall(const StoredCount& count) {
    if (count.what != Counted::guesses) return;
    all_.insert(count.key);
    if (count.count > 1) linked_.insert(count.key);
  }

 private:
  SeenSet all_;
  SeenSet linked_;
};

}  // namespace gossamer::crawler
