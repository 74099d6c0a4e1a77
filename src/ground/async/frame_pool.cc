#include "async/frame_pool.h"

#include <cstdlib>
#include <new>

namespace gossamer::async {

namespace {

struct TrimAtThreadExit {
  TrimAtThreadExit() = default;
  TrimAtThreadExit(const TrimAtThreadExit&) = delete;
  TrimAtThreadExit& operator=(const TrimAtThreadExit&) = delete;
  ~TrimAtThreadExit() { FramePool::trim(); }
};

}  // namespace

void* FramePool::allocate_fresh(std::size_t bytes) {
  // The first allocation of a thread registers its clean-up; the fast path has no guard.
  static thread_local const TrimAtThreadExit trim_at_exit;
  static_cast<void>(&trim_at_exit);
  void* const memory = std::malloc(class_of(bytes) * kGranule - kOverhead);
  if (memory == nullptr) {
    --live_;
    throw std::bad_alloc();
  }
  return memory;
}

void FramePool::release_fresh(void* memory) noexcept { std::free(memory); }

void FramePool::trim() noexcept {
  for (Block*& head : free_) {
    while (head != nullptr) {
      Block* block = head;
      head = block->next;
      std::free(block);
    }
  }
}

}  // namespace gossamer::async
