#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crawl/frontier/target.h"

namespace gossamer::store {

// Targets of one origin that were found together, as they are kept.
struct ChunkedTarget {
  crawler::Target target;                    // without a ticket
  std::optional<std::uint64_t> fingerprint;  // nothing: it is asked for once more
};

// Puts them together one by one.
class ChunkBuilder {
 public:
  // `origin` is what all their URLs begin with.
  void add(std::string_view origin, std::optional<std::uint64_t> fingerprint,
           const crawler::Target& target);

  std::size_t size() const noexcept { return count_; }
  std::uint16_t depth() const noexcept { return depth_; }
  // Empty again. REQUIRES: there are some.
  std::string take();

 private:
  std::string targets_;
  std::string via_;  // of the one before
  std::size_t count_ = 0;
  std::uint16_t depth_ = 0;  // of the first
};

// What can be told without reading all of it.
struct ChunkHead {
  std::size_t count = 0;
  std::uint16_t depth = 0;  // of the first; of all, where the order goes by depth
};
Result<ChunkHead> read_chunk_head(std::string_view chunk);

// Fails with Errc::malformed.
Result<std::vector<ChunkedTarget>> read_chunk(std::string_view chunk, std::string_view origin);

}  // namespace gossamer::store
