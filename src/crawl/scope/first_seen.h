#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash.h"

namespace gossamer::crawler {

// Remembers the first owner of each key: which URL had this body first? Keys are hashes.
//
// BOUND: the capacity, at sizeof(Key) + sizeof(Owner) bytes per key in tables that are 53 to 80 %
// full. When it is full, new keys are dropped; known ones are still found.
template <class Key, class Owner>
class FirstSeenOf {
 public:
  explicit FirstSeenOf(std::size_t capacity = 4'000'000) noexcept : capacity_(capacity) {}

  // Returns the owner of the key, or makes this one the owner.
  std::optional<Owner> put(Key key, Owner owner);
  // Returns the owner of the key.
  std::optional<Owner> find(Key key) const noexcept;

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

 private:
  // A key of zeros marks a free slot, so a real one is stored as another key.
  struct Slot {
    Key key = {};
    Owner owner = {};
  };
  // Selected by the key's upper bits. Each grows separately, so that growing is quick.
  struct Segment {
    std::vector<Slot> slots;
    std::size_t size = 0;
  };

  static constexpr unsigned kSegmentBits = 6;

  static std::size_t place_of(const std::vector<Slot>& slots, Key key) noexcept;
  static void grow(Segment& segment);

  std::size_t capacity_;
  std::size_t size_ = 0;
  std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
};

// By digests of bodies and URLs, at 24 bytes each.
using FirstSeen = FirstSeenOf<base::Hash128, std::uint64_t>;
// By short hashes, whose owners must be confirmed, at 8 bytes each.
using FirstSeen32 = FirstSeenOf<std::uint32_t, std::uint32_t>;

extern template class FirstSeenOf<base::Hash128, std::uint64_t>;
extern template class FirstSeenOf<std::uint32_t, std::uint32_t>;

}  // namespace gossamer::crawler
