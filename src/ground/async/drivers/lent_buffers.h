#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gossamer::async {

// The receive buffers of a loop: few, and shared by all connections. The last one used is lent
// first, because it is still in the cache.
class LentBuffers {
 public:
  static constexpr std::size_t kBytes = 64 * 1024;
  static constexpr std::uint32_t kMax = 256;

  // Returns nothing if all are lent.
  std::optional<std::uint32_t> take() {
    if (free_.empty()) {
      if (buffers_.size() == kMax) return std::nullopt;
      buffers_.push_back(std::make_unique_for_overwrite<std::byte[]>(kBytes));
      return static_cast<std::uint32_t>(buffers_.size() - 1);
    }
    const std::uint32_t buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(std::uint32_t buffer) { free_.push_back(buffer); }
  std::byte* data(std::uint32_t buffer) const { return buffers_[buffer].get(); }

 private:
  std::vector<std::unique_ptr<std::byte[]>> buffers_;
  std::vector<std::uint32_t> free_;
};

}  // namespace gossamer::async
