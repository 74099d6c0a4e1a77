#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gossamer::async {

// The receive buffers of a loop: few, shared by all connections, the last used lent first because
// it is warm.
class LentBuffers {
 public:
  static constexpr std::size_t kBytes = 64 * 1024;
  static constexpr std::uint32_t kMax = 256;

  // Nothing when all are lent.
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
