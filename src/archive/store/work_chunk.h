#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontier/target.h"

namespace gossamer::store {

// Stores targets of one origin that were found together.
struct ChunkedTarget {
  crawler::Target target;                    // without a ticket
  std::optional<std::uint64_t> fingerprint;  // empty: it is fetched again
};

// Builds a chunk, target by target.
class ChunkBuilder {
 public:
  // `origin` is the common prefix of all URLs.
  void add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
           const crawler::Target& target);

  std::size_t size() const noexcept { return count_; }
  std::uint16_t depth() const noexcept { return depth_; }
  // Returns the chunk and starts an empty one. REQUIRES: there are targets.
  std::string take();

 private:
  std::string targets_;
  std::string via_;  // of the previous target
  std::size_t count_ = 0;
  std::uint16_t depth_ = 0;  // of the first
};

// The head of a chunk; reading it does not decode the targets.
struct ChunkHead {
  std::size_t count = 0;
  std::uint16_t depth = 0;  // of the first target; of all, if the order is by depth
};
Result<ChunkHead> read_chunk_head(std::string_view chunk);

// Fails with Errc::malformed.
Result<std::vector<ChunkedTarget>> read_chunk(std::string_view chunk, std::string_view origin);

}  // namespace gossamer::store
