#pragma once

#include <coroutine>

#include "async/frame.h"
#include "async/ready.h"
#include "async/routine.h"

namespace gossamer::async {

// What a chain of awaits stands on: the base of every leaf awaiter (sleep, pop, receive, ...).
// It lives in the awaiting coroutine's frame, so waiting allocates nothing.
//
// A derived class gives await_ready(), await_resume() and cancel(). It asks cancelled() before it
// starts anything, and calls complete() once, when the wait is over; the coroutine then resumes
// from the loop's ready queue, never from inside complete().
class Wait : public Ready {
 public:
  // Called by Frame::await_transform before await_ready().
  void prepare(Frame& frame) noexcept { frame_ = &frame; }

  void await_suspend(std::coroutine_handle<>) noexcept { park(); }

  // Ends the wait early: sees to it that complete() is called, now or (when the kernel still owns
  // a buffer) later. Asked at most once, and only while the wait is pending.
  virtual void cancel() noexcept = 0;

  // Cancels unless the wait is over or was cancelled already.
  void request_cancel() noexcept;
  bool cancel_requested() const { return cancel_requested_; }

  Frame& frame() const { return *frame_; }
  Routine& routine() const { return frame_->scope->routine(); }
  Loop& loop() const { return routine().loop(); }

 protected:
  ~Wait() = default;

  bool cancelled() const { return frame_->scope->cancelled(); }
  void park() noexcept { routine().leaf_ = this; }
  void complete() noexcept;
  // Takes complete() back: there was nothing after all. Only from run().
  void reopen() noexcept { completed_ = false; }

  // Resumes the waiter. A driver may look first whether there is really something to resume for.
  void run() noexcept override { resume(); }
  void resume() noexcept;

 private:
  Frame* frame_ = nullptr;
  bool completed_ = false;
  bool cancel_requested_ = false;
};

}  // namespace gossamer::async
