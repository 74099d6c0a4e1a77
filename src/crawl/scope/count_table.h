#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gossamer::crawler {

// Counts by 64-bit key. Keys are hashes; two items with the same hash share a count.
class CountTable {
 public:
  // Returns the count of a key, initially 0. BORROWS: valid until the next call.
  std::uint32_t& operator[](std::uint64_t key);
  // Returns 0 for an unknown key.
  std::uint32_t count(std::uint64_t key) const noexcept;

  std::size_t size() const noexcept { return size_; }
  std::size_t memory_bytes() const noexcept;

  // Forgets all counts below this one.
  void forget_below(std::uint32_t count);

 private:
  struct Slot {
    std::uint64_t key = 0;  // 0: free; the key 0 is stored as 1
    std::uint32_t count = 0;
  };

  std::size_t place(std::uint64_t key) const noexcept;
  void rebuild(std::size_t capacity, std::uint32_t count_min);

  std::vector<Slot> slots_;
  std::size_t size_ = 0;
};

}  // namespace gossamer::crawler
