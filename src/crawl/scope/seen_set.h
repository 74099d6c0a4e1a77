// The URLs that a crawl has found: a set of 64-bit fingerprints that only grows.
//
// Open addressing, linear probing, eight bytes a slot, 64 to 80 % full. The set is cut into
// segments that grow by a quarter, each on its own and at another time: so growing copies one
// segment (well below 1 ms at ten million), needs memory for one segment more, and the average
// over all of them stays what it is, about 11.3 bytes per URL.
//
// With spill_to(), keys that do not fit go to storage, the largest segment first. The set stays
// exact: it never forgets a URL and never reports a new one as seen. A spilled URL takes about 1.3
// bytes of memory, and a quarter of the memory is always free for new ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/error.h"
#include "scope/run_storage.h"

namespace gossamer::crawler {

class SpilledKeys;

// Where a seen set spills to when its memory is full.
struct SeenSpill {
  std::size_t bytes_max = 0;
  RunStorage* storage = nullptr;
  // Called when reading fails. The set reports every URL as seen from then on.
  std::move_only_function<void(const Error& error)> on_failure = {};
};

class SeenSet {
 public:
  // Sites can choose fingerprints. An unknown salt keeps them from choosing clustered ones, which
  // would make the set slow.
  explicit SeenSet(std::uint64_t salt = 0) noexcept;
  SeenSet(const SeenSet&) = delete;
  SeenSet& operator=(const SeenSet&) = delete;
  ~SeenSet();

  // REQUIRES: called once. BORROWS: the storage, for the life of the set.
  void spill_to(SeenSpill spill);

  // Returns true if it is new.
  bool insert(std::uint64_t fingerprint);
  bool contains(std::uint64_t fingerprint) const;

  std::size_t size() const noexcept { return size_; }
  std::size_t spilled() const noexcept;  // of these
  std::size_t memory_bytes() const noexcept;

 private:
  // Slots are in ascending order, except for free ones, which hold kFree. A key is in its home slot
  // or after it, and no slot between the two is free:
  //
  //     home        0    1    1    1         5
  //     slot        0    1    2    3    4    5  ...  capacity  ... + kOverflowSlots
  //
  // Keys whose home is near the end may overflow into extra slots. The last of these is always
  // free.
  struct Segment {
    std::unique_ptr<std::uint64_t[]> slots;
    std::uint32_t capacity = 0;
    std::uint32_t size = 0;
    std::uint32_t size_max = 0;  // it grows beyond this
  };

  static constexpr unsigned kSegmentBits = 8;
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::uint64_t key_of(std::uint64_t fingerprint) const noexcept;
  static std::uint64_t* find(const Segment& segment, std::uint64_t key) noexcept;
  static bool place(Segment& segment, std::uint64_t* slot, std::uint64_t key) noexcept;
  static bool lay_out(const Segment& from, Segment& to) noexcept;
  void grow(Segment& segment, std::size_t index);
  void make_room();
  bool spill(std::size_t index);

  std::uint64_t salt_;
  std::size_t size_ = 0;
  std::size_t table_bytes_ = 0;  // of all segments
  // Spills beyond this; empty: never.
  std::size_t table_bytes_max_ = ~std::size_t{0};
  std::size_t bytes_max_ = 0;
  std::unique_ptr<SpilledKeys> spilled_;
  bool has_free_key_ = false;  // the one key that no slot can hold
  std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
};

}  // namespace gossamer::crawler
