#pragma once

#include <cstddef>
#include <source_location>

#include "async/cancel_scope.h"
#include "async/frame.h"
#include "async/intrusive_list.h"
#include "async/ready.h"

namespace gossamer::async {

class Loop;
class Scope;
class Wait;

// One chain of awaits that the loop drives: the root frame and its current wait. asyncio calls this
// a Task; users see it as a JoinHandle, owned by a Scope.
//
// It is queued twice: to start its root frame, and, when that has ended, to notify its owner. So
// nothing is destroyed while any of its code is on the machine stack.
class Routine : public Ready, public ListNode<Routine>, public CancelScope {
 public:
  Loop& loop() const;
  Scope& owner() const { return owner_; }
  Wait* leaf() const { return leaf_; }
  std::source_location spawned_at() const { return spawned_at_; }

  // Returns the frame that waits, the one that runs, or the root.
  Frame& innermost_frame() const;

  // Called when the root frame has reached its end.
  void root_ended() noexcept;

  static void* operator new(std::size_t bytes) { return FramePool::allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    FramePool::release(memory, bytes);
  }

 protected:
  // Queues the start. REQUIRES: the root frame has not started.
  Routine(Scope& owner, Frame& root, std::source_location spawned_at) noexcept;
  virtual ~Routine() = default;

  // Runs on the loop, after the root frame has ended. May destroy *this.
  virtual void ended() noexcept = 0;

  Frame& root() const { return root_; }

 private:
  friend class Wait;

  void run() noexcept final;

  // These come first, because there they fit into the padding of CancelScope.
  bool begun_ = false;

 protected:
  bool done_ = false;
  bool held_ = false;  // by a JoinHandle

 private:
  Scope& owner_;
  Frame& root_;
  Wait* leaf_ = nullptr;
  std::source_location spawned_at_;
};

inline Routine& CancelScope::routine() {
  CancelScope* scope = this;
  while (scope->parent_ != nullptr) scope = scope->parent_;
  return static_cast<Routine&>(*scope);
}

// The one that runs now. REQUIRES: runs in a coroutine on a loop.
Routine& current_routine();

}  // namespace gossamer::async
