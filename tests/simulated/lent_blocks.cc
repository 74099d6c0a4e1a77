#include "tests/simulated/lent_blocks.h"

#include "base/check.h"

namespace gossamer::sim {

std::optional<std::uint32_t> LentBlocks::lend(std::size_t size) {
  if (exhausted()) return std::nullopt;
  ++lent_;
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(blocks_.size()));
    blocks_.emplace_back();
  }
  const std::uint32_t block = free_.back();
  free_.pop_back();
  blocks_[block] = std::make_unique_for_overwrite<std::byte[]>(size);
  return block;
}

void LentBlocks::give_back(std::uint32_t block) {
  CHECK(block < blocks_.size() && blocks_[block] != nullptr, "a buffer is given back twice");
  blocks_[block].reset();
  free_.push_back(block);
  --lent_;
}

}  // namespace gossamer::sim
