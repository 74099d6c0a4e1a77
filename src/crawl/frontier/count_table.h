#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::crawler {

// Counts by 64-bit key. Keys are hashes: two things of one key are one thing.
class CountTable {
 public:
  // The count of a key, 0 at first. BORROWS: good until the next call.
  std::uint32_t& operator[](std::uint64_t key);
  // 0 for a key that was never asked for.
  std::uint32_t count(std::uint64_t key) const noexcept;

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

  // Forgets all counts below this one.
  void forget_below(std::uint32_t count);

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free; the key 0 is taken for 1
    std::uint32_t count = 0;
  };

  std::size_t place(std::uint64_t key) const noexcept;
  void rebuild(std::size_t capacity, std::uint32_t count_min);

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace gossamer::crawler
