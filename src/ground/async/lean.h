#pragma once

#include <coroutine>
#include <memory>
#include <utility>

#include "async/frame.h"
#include "async/task.h"

namespace gossamer::async {

// co_await Lean(task): awaits the task as co_await does. But what the rare end with an exception
// takes is not part of the frame that awaits, so a frame that waits by the hundred thousand is
// smaller.
template <class T>
class [[nodiscard]] Lean {
 public:
  explicit Lean(Task<T> task) noexcept : task_(std::move(task)) {}

  void prepare(Frame& frame) noexcept {
    std::construct_at(&awaiter_, frame.await_transform(std::move(task_), frame.awaiting_at));
  }
  bool await_ready() const noexcept { return false; }
  auto await_suspend(std::coroutine_handle<> handle) noexcept {
    return awaiter_.await_suspend(handle);
  }
  [[gnu::noinline]] T await_resume() { return awaiter_.await_resume(); }

 private:
  Task<T> task_;
  union {
    TaskAwaiter<T> awaiter_;  // from prepare() on
  };
};

}  // namespace gossamer::async
