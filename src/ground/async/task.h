#pragma once

#include <coroutine>
#include <exception>
#include <source_location>
#include <utility>

#include "async/async_stack.h"
#include "async/frame.h"
#include "async/outcome.h"
#include "async/wait.h"

namespace gossamer::async {

template <class T>
class TaskPromise;

// A coroutine that will return a T: lazy, move-only, awaited once.
//
//   Task<Result<Page>> fetch(Url url);
//   Result<Page> page = co_await fetch(url);
//
// Nothing runs until it is awaited or spawned. Awaiting transfers control without growing the
// stack, in every build, so a loop can await millions of tasks that end immediately. A Task that
// ends with an exception throws it at the await. Destroying a Task that waits is a bug of ours and
// fails a CHECK; one that never started may be dropped.
template <class T>
class [[nodiscard("a Task does nothing until it is awaited or spawned")]] Task {
 public:
  using promise_type = TaskPromise<T>;
  using value_type = T;

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  Task& operator=(Task&& other) noexcept {
    Task doomed(std::move(*this));
    handle_ = std::exchange(other.handle_, {});
    return *this;
  }
  ~Task() {
    if (!handle_) return;
    if (handle_.promise().started() && !handle_.done()) [[unlikely]] {
      die_pending(handle_.promise());
    }
    handle_.destroy();
  }

  bool done() const { return handle_ && handle_.done(); }

 private:
  friend class TaskPromise<T>;
  friend class Frame;
  template <class>
  friend class Spawned;
  template <class>
  friend class ScopedTaskAwaiter;

  explicit Task(std::coroutine_handle<TaskPromise<T>> handle) : handle_(handle) {}

  std::coroutine_handle<TaskPromise<T>> handle_;
};

// Transfers control to the frame that awaits this one, or notifies the routine that its root has
// ended.
struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }

  template <IsFramePromise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) const noexcept {
    Frame& frame = handle.promise();
    Frame* const caller = frame.caller;
    if (caller == nullptr) {
      frame.scope->routine().root_ended();
      return std::noop_coroutine();
    }
    running_frame = caller;
    return caller->self;
  }

  void await_resume() const noexcept {}
};

template <class T>
class TaskPromiseBase : public Frame {
 public:
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void unhandled_exception() noexcept { outcome.set_exception(std::current_exception()); }

  Outcome<T> outcome;
};

template <class T>
class TaskPromise final : public TaskPromiseBase<T> {
 public:
  Task<T> get_return_object() noexcept {
    const auto handle = std::coroutine_handle<TaskPromise>::from_promise(*this);
    this->self = handle;
    return Task<T>(handle);
  }
  void return_value(T value) { this->outcome.set_value(std::move(value)); }
};

template <>
class TaskPromise<void> final : public TaskPromiseBase<void> {
 public:
  Task<void> get_return_object() noexcept {
    const auto handle = std::coroutine_handle<TaskPromise>::from_promise(*this);
    self = handle;
    return Task<void>(handle);
  }
  void return_void() noexcept { outcome.set_value(); }
};

// co_await of a Task: the child becomes the innermost frame of the caller's chain.
template <class T>
class TaskAwaiter {
 public:
  TaskAwaiter(std::coroutine_handle<TaskPromise<T>> child, Frame& caller) noexcept : child_(child) {
    TaskPromise<T>& promise = child_.promise();
    promise.caller = &caller;
    promise.scope = caller.scope;
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept {
    running_frame = &child_.promise();
    return child_;
  }
  T await_resume() { return child_.promise().outcome.take(); }

 private:
  std::coroutine_handle<TaskPromise<T>> child_;
};

template <class T>
auto Frame::await_transform(Task<T>&& task, std::source_location at) noexcept {
  if (!task.handle_ || task.handle_.promise().started()) [[unlikely]] {
    die_awaited_twice(*this, at);
  }
  awaiting_at = at;
  return TaskAwaiter<T>(task.handle_, *this);
}

}  // namespace gossamer::async
