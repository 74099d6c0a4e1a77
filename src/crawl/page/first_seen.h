#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace gossamer::crawler {

// Remembers with whom a digest came first: which URL had this very body?
//
// BOUND: as many digests as the capacity says, 24 bytes each in tables that are 53 to 80 % full.
// Once it is full, new digests are forgotten; those in it are still found.
class FirstSeen {
 public:
  explicit FirstSeen(std::size_t capacity = 4'000'000) noexcept : capacity_(capacity) {}

  // The owner of the digest if there is one; else it is now this one.
  std::optional<std::uint64_t> put(base::Hash128 digest, std::uint64_t owner);

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

 private:
  // A digest of {0, 0} marks a free slot; one that really is that is kept as {0, 1}.
  struct Slot {
    base::Hash128 digest;
    std::uint64_t owner = 0;
  };
  // Chosen by the digest's upper bits; each grows on its own, so that growing is short.
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
