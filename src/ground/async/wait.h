#pragma once

#include <coroutine>

#include "async/frame.h"
#include "async/ready.h"
#include "async/routine.h"

namespace gossamer::async {

// The current wait of a chain of awaits: the base of every leaf awaiter (sleep, pop, receive, ...).
// It is part of the awaiting coroutine's frame, so waiting allocates nothing.
//
// A derived class provides await_ready(), await_resume() and cancel(). It checks cancelled() before
// it starts anything, and calls complete() once, when the wait is over; the coroutine then resumes
// from the loop's ready queue, never from inside complete().
class Wait : public Ready {
 public:
  // Called by Frame::await_transform before await_ready().
  void prepare(Frame& frame) noexcept { frame_ = &frame; }

  void await_suspend(std::coroutine_handle<>) noexcept { park(); }

  // Ends the wait early: makes sure that complete() is called, now or (if the kernel still owns a
  // buffer) later. Called at most once, and only while the wait is pending.
  virtual void cancel() noexcept = 0;

  // Cancels unless the wait is over or already cancelled.
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
  // Reverts complete(), because there was no result after all. Only from run().
  void reopen() noexcept { completed_ = false; }

  // Resumes the waiter. A driver may first check whether there is a reason to resume.
  void run() noexcept override { resume(); }
  void resume() noexcept;

 private:
  Frame* frame_ = nullptr;
  bool completed_ = false;
  bool cancel_requested_ = false;
};

}  // namespace gossamer::async
