#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "crawl/page/first_seen.h"

namespace gossamer::crawler {

// Which URL had a body first.
// BOUND: FirstSeen's, and the texts of 64 MiB of URLs; bodies that come later are not remembered.
class Duplicates {
 public:
  // The URL under which these bytes came before; nothing: they are new. Empty bodies are no copies
  // of one another.
  std::optional<std::string_view> put(std::uint64_t digest, std::uint64_t bytes,
                                      std::string_view url);

 private:
  static constexpr std::size_t kTextBytesMax = 64 * 1024 * 1024;

  FirstSeen first_;
  std::string urls_;  // each ends with a line feed
};

// Hosts that answer every path with the same page. When one body came under several URLs of an
// origin, and led on to new ones each time, that origin is asked for a page that cannot exist.
class SoftNotFound {
 public:
  // A page turned out to be such a copy. True: now is the time to probe the origin.
  bool counts_copy(std::string_view origin, std::uint64_t digest);
  // What the probe brought: this is what the origin says instead of "not found".
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
