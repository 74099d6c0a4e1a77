#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "scope/first_seen.h"

namespace gossamer::crawler {

// Remembers the first URL of each body.
// BOUND: FirstSeen's, and the texts of 64 MiB of URLs; bodies that come later are not remembered.
class Duplicates {
 public:
  // Returns the first URL with these bytes; empty: they are new. Empty bodies do not count as
  // copies.
  std::optional<std::string_view> put(std::uint64_t digest, std::uint64_t bytes,
                                      std::string_view url);

 private:
  static constexpr std::size_t kTextBytesMax = 64 * 1024 * 1024;

  FirstSeen first_;
  std::string urls_;  // each ends with a line feed
};

// Detects hosts that answer every path with the same page. If several URLs of an origin have the
// same body, and each leads to new URLs, the origin is probed with a page that cannot exist.
class SoftNotFound {
 public:
  // Adds such a copy. Returns true if the origin must be probed now.
  bool counts_copy(std::string_view origin, std::uint64_t digest);
  // Stores the result of the probe: the page that the origin returns instead of a 404.
  void learn(std::string_view origin, std::uint64_t digest);
  bool is_soft_404(std::string_view origin, std::uint64_t digest) const;

 private:
  static constexpr std::uint32_t kCopiesBeforeProbe = 4;
  static constexpr std::size_t kEntriesMax = 200'000;

  static std::uint64_t key(std::string_view origin, std::uint64_t digest) noexcept;

  std::unordered_map<std::uint64_t, std::uint32_t> copies_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace gossamer::crawler
