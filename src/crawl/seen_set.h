// Which URLs a crawl has met: a set of 64-bit fingerprints that only grows.
//
// Open addressing, linear probing, eight bytes a slot, 64 to 80 % full. The set is cut into
// segments that grow by a quarter, each on its own and at another time: so growing copies one
// segment (well below 1 ms at ten million), needs memory for one segment more, and the average
// over all of them stays what it is, about 11.3 bytes per URL.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gossamer::crawl {

class SeenSet {
 public:
  // Fingerprints can be chosen by those whose pages we read. A salt they do not know keeps them
  // from choosing ones that lie close together, which would make us slow.
  explicit SeenSet(std::uint64_t salt = 0) noexcept : salt_(salt) {}

  // True if it is new.
  bool insert(std::uint64_t fingerprint);
  bool contains(std::uint64_t fingerprint) const noexcept;

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

 private:
  // Slots are in ascending order but for free ones in between, which hold kFree. A key stands in
  // its home slot or behind it, and nothing between the two is free:
  //
  //     home        0    1    1    1         5
  //     slot        0    1    2    3    4    5  ...  capacity  ... + kSpillSlots
  //
  // Keys whose home is near the end may spill over into slots that are nobody's home. The last of
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
  static void grow(Segment& segment, std::size_t index);

  std::uint64_t salt_;
  std::size_t size_ = 0;
  bool has_free_key_ = false;  // the one key that no slot can hold
  std::array<Segment, std::size_t{1} << kSegmentBits> segments_;
};

}  // namespace gossamer::crawl
