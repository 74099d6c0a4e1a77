#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace gossamer::crawler {

// Where runs of keys go that have no room in memory, each at a place of its own. A port. What is
// there belongs to one process: it may be gone afterwards.
class RunStorage {
 public:
  virtual ~RunStorage() = default;

  // Replaces the run of a place. Fails, and leaves what was there. Blocks for some milliseconds.
  virtual Result<void> write(std::size_t place, std::span<const std::uint64_t> keys) = 0;
  // A part of it, from the key of that number on. REQUIRES: there are so many.
  virtual Result<void> read(std::size_t place, std::size_t first,
                            std::span<std::uint64_t> keys) const = 0;
};

}  // namespace gossamer::crawler
