#include "async/routine.h"

#include "async/loop.h"
#include "async/scope.h"
#include "async/wait.h"
#include "base/check.h"

namespace gossamer::async {

Routine::Routine(Scope& owner, Frame& root, std::source_location spawned_at) noexcept
    : owner_(owner), root_(root), spawned_at_(spawned_at) {
  CHECK(!root_.started(), "a task can be started only once");
  root_.scope = this;
  loop().enqueue(*this);
}

Loop& Routine::loop() const { return owner_.loop(); }

Frame& Routine::innermost_frame() const {
  if (leaf_ != nullptr) return leaf_->frame();
  if (running_frame != nullptr && &running_frame->scope->routine() == this) return *running_frame;
  return root_;
}

void Routine::run() noexcept {
  if (begun_) return ended();
  begun_ = true;
  running_frame = &root_;
  root_.self.resume();
}

void Routine::root_ended() noexcept {
  running_frame = nullptr;
  loop().enqueue(*this);
}

CancelScope::CancelScope(CancelScope& parent, Kind kind) noexcept
    : parent_(&parent), kind_(kind), cancelled_(kind == Kind::open && parent.cancelled_) {}

void CancelScope::cancel() noexcept {
  // Cancels from the innermost scope outwards to this one; a shield on the way protects the scopes
  // inside it.
  CancelScope* const innermost = routine().innermost_frame().scope;
  CancelScope* reached = innermost;
  bool inside = false;
  for (CancelScope* scope = innermost; scope != nullptr; scope = scope->parent_) {
    if (scope == this) {
      inside = true;
      break;
    }
    if (scope->kind_ == Kind::shielded) reached = scope->parent_;
  }
  cancelled_ = true;
  if (!inside) return;
  for (CancelScope* scope = reached; scope != this; scope = scope->parent_) {
    scope->cancelled_ = true;
  }
  Wait* const leaf = routine().leaf();
  if (leaf != nullptr && innermost->cancelled_) leaf->request_cancel();
}

bool cancel_requested() {
  CHECK(running_frame != nullptr, "no coroutine runs");
  return running_frame->scope->cancelled();
}

Routine& current_routine() {
  CHECK(running_frame != nullptr, "no coroutine runs");
  return running_frame->scope->routine();
}

void Wait::request_cancel() noexcept {
  if (completed_ || cancel_requested_) return;
  cancel_requested_ = true;
  cancel();
}

void Wait::complete() noexcept {
  if (completed_) return;
  completed_ = true;
  loop().enqueue(*this);
}

void Wait::resume() noexcept {
  routine().leaf_ = nullptr;
  running_frame = frame_;
  frame_->self.resume();
}

}  // namespace gossamer::async
