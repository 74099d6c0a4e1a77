#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gossamer::sim {

// The receive buffers of a simulated loop: few, and each a heap block of exactly the received size,
// freed when it is returned. So a sanitizer detects a reader that reads one byte too far or keeps a
// view too long.
class LentBlocks {
 public:
  explicit LentBlocks(std::uint32_t count_max) : count_max_(count_max) {}

  // Returns nothing if all are lent.
  std::optional<std::uint32_t> lend(std::size_t size);
  std::byte* data(std::uint32_t block) { return blocks_[block].get(); }
  // REQUIRES: it is lent.
  void give_back(std::uint32_t block);
  std::uint32_t lent() const { return lent_; }
  bool exhausted() const { return lent_ == count_max_; }

 private:
  const std::uint32_t count_max_;
  std::uint32_t lent_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::vector<std::uint32_t> free_;
};

}  // namespace gossamer::sim
