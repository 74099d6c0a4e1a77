// Memory that a document takes in small pieces and returns as a whole.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gossamer::dom {

// Pieces stay in place until the arena is destroyed. No destructor of a piece is called.
class Arena {
 public:
  // `bytes_expected` is the size of the first block.
  explicit Arena(std::size_t bytes_expected) noexcept : block_bytes_(bytes_expected) {}
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  // Returns uninitialised memory for `count` objects, aligned for pointers.
  template <class T>
  T* take(std::size_t count = 1) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(void*));
    return static_cast<T*>(take_bytes(count * sizeof(T)));
  }
  // Returns a copy of `text`.
  std::string_view copy(std::string_view text);

  // Returns how many bytes were taken.
  std::size_t bytes_used() const noexcept {
    return bytes_in_full_blocks_ + static_cast<std::size_t>(at_ - block_);
  }

 private:
  void* take_bytes(std::size_t bytes) {
    bytes = (bytes + alignof(void*) - 1) & ~(alignof(void*) - 1);
    if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]]
      begin_block(bytes);
    void* const taken = at_;
    at_ += bytes;
    return taken;
  }
  void begin_block(std::size_t bytes_min);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* block_ = nullptr;
  std::byte* at_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t block_bytes_;
  std::size_t bytes_in_full_blocks_ = 0;
};

}  // namespace gossamer::dom
