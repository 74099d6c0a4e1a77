#include "dom/arena.h"

#include <algorithm>
#include <cstring>

namespace gossamer::dom {
namespace {

constexpr std::size_t kBlockBytesMin = std::size_t{4} * 1024;
constexpr std::size_t kBlockBytesMax = std::size_t{1024} * 1024;

}  // namespace

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  char* const copied = take<char>(text.size());
  std::memcpy(copied, text.data(), text.size());
  return {copied, text.size()};
}

// Large pieces get a block of their own size. The rest of the previous block is not used.
void Arena::begin_block(std::size_t bytes_min) {
  bytes_in_full_blocks_ += static_cast<std::size_t>(at_ - block_);
  const std::size_t usual = std::clamp(block_bytes_, kBlockBytesMin, kBlockBytesMax);
  const std::size_t bytes = std::max(usual, bytes_min);
  blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
  block_ = at_ = blocks_.back().get();
  end_ = block_ + bytes;
  block_bytes_ = usual * 2;
}

}  // namespace gossamer::dom
