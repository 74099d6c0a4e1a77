// Which URLs a crawl has met: a set of 64-bit fingerprints that only grows.
//
// Open addressing, linear probing, eight bytes a slot, 64 to 80 % full. The set is cut into
// segments that grow by a quarter, each on its own and at another time: so growing copies one
// segment (well below 1 ms at ten million), needs memory for one segment more, and the average
// over all of them stays what it is, about 11.3 bytes per URL.
//
// With spill_to(), what has no room goes to storage, the largest segment first. It stays exact: it
// neither forgets a URL nor takes a new one for seen. About 1.3 bytes of each such URL stay in
// memory, and the set always has a quarter of its room for new ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/error.h"
#include "crawl/frontier/run_storage.h"

namespace gossamer::crawler {

class SpilledKeys;

// Where a seen set goes on when its room is used up.
struct SeenSpill {
  std::size_t bytes_max = 0;
  RunStorage* storage = nullptr;
  // Something cannot be read any more, so the set cannot tell what was seen: it says that all was.
  std::move_only_function<void(const Error& error)> on_failure = {};
};

class SeenSet {
 public:
  // Fingerprints can be chosen by those whose pages we read. A salt they do not know keeps them
  // from choosing ones that lie close together, which would make us slow.
  explicit SeenSet(std::uint64_t salt = 0) noexcept;
  SeenSet(const SeenSet&) = delete;
  SeenSet& operator=(const SeenSet&) = delete;
  ~SeenSet();

  // REQUIRES: once. BORROWS: the storage, for its life.
  void spill_to(SeenSpill spill);

  // True if it is new.
  bool insert(std::uint64_t fingerprint);
  bool contains(std::uint64_t fingerprint) const;

  std::size_t size() const noexcept { return size_; }
  std::size_t spilled() const noexcept;  // of these
  std::size_t memory_bytes() const noexcept;

 private:
  // Slots are in ascending order but for free ones in between, which hold kFree. A key stands in
  // its home slot or behind it, and nothing between the two is free:
  //
  //     home        0    1    1    1         5
  //     slot        0    1    2    3    4    5  ...  capacity  ... + kOverflowSlots
  //
  // Keys whose home is near the end may overflow into slots that are nobody's home. The last of
  // these is always free.
  struct Segment {
    std::unique_ptr<std::uint64_t[]> slots;
    std::uint32_t capacity = 0;
    std::uint32_t size = 0;
    std::uint32_t size_max = 0;  // grows before it holds more
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
  // Spills when these are more; nothing may be spilled: never.
  std::size_t table_bytes_max_ = ~std::size_t{0};
  std::size_t bytes_max_ = 0;
  std::unique_ptr<SpilledKeys> spilled_;
  bool has_free_key_ = false;  // the one key that no slot can hold
  std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
};

}  // namespace gossamer::crawler
