#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace gossamer::crawler {

// Stores runs of keys that do not fit into memory, each at its own place. This is an interface. The
// data belongs to one process and may be lost afterwards.
class RunStorage {
 public:
  virtual ~RunStorage() = default;

  // Replaces the run of a place. If it fails, the old run is kept. Blocks for some milliseconds.
  virtual Result<void> write(std::size_t place, std::span<const std::uint64_t> keys) = 0;
  // Reads a part of a run, starting at that key. REQUIRES: the run is long enough.
  virtual Result<void> read(std::size_t place, std::size_t first,
                            std::span<std::uint64_t> keys) const = 0;
};

}  // namespace gossamer::crawler
