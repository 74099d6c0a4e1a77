#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace gossamer::crawler {

// Remembers the first owner of each digest: which URL had this body first?
//
// BOUND: the capacity, at 24 bytes per digest in tables that are 53 to 80 % full. When it is full,
// new digests are dropped; known ones are still found.
class FirstSeen {
 public:
  explicit FirstSeen(std::size_t capacity = 4'000'000) noexcept : capacity_(capacity) {}

  // Returns the owner of the digest, or makes this one the owner.
  std::optional<std::uint64_t> put(base::Hash128 digest, std::uint64_t owner);

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

 private:
  // A digest of {0, 0} marks a free slot, so a real {0, 0} is stored as {0, 1}.
  struct Slot {
    base::Hash128 digest;
    std::uint64_t owner = 0;
  };
  // Selected by the digest's upper bits. Each grows separately, so that growing is quick.
  struct Segment {
    std::vector<Slot> slots;
    std::size_t size = 0;
  };

  static constexpr unsigned kSegmentBits = 6;

  static Slot& find(std::vector<Slot>& slots, base::Hash128 digest) noexcept;
  static void grow(Segment& segment);

  std::size_t capacity_;
  std::size_t size_ = 0;
  std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
};

}  // namespace gossamer::crawler
