#pragma once

#include <coroutine>
#include <optional>
#include <type_traits>
#include <utility>

#include "async/cancel_scope.h"
#include "async/loop.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::async {

// Awaits a task inside its own cancel scope. Needs no coroutine and no allocation.
template <class T>
class ScopedTaskAwaiter {
 public:
  ScopedTaskAwaiter(Task<T> task, CancelScope::Kind kind) noexcept
      : task_(std::move(task)), kind_(kind) {}

  void prepare(Frame& caller) noexcept {
    if (!task_.handle_ || task_.handle_.promise().started()) [[unlikely]] {
      die_awaited_twice(caller, caller.awaiting_at);
    }
    scope_.emplace(*caller.scope, kind_);
    TaskPromise<T>& child = task_.handle_.promise();
    child.caller = &caller;
    child.scope = &*scope_;
  }
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept {
    running_frame = &task_.handle_.promise();
    return task_.handle_;
  }
  T await_resume() { return task_.handle_.promise().outcome.take(); }

 protected:
  CancelScope& scope() { return *scope_; }
  Frame& caller() { return *task_.handle_.promise().caller; }

 private:
  Task<T> task_;
  CancelScope::Kind kind_;
  std::optional<CancelScope> scope_;
};

// co_await shielded(clean_up()): runs to its end whatever is cancelled around it. Give the waits
// inside deadlines, since nothing else will stop them.
template <class T>
[[nodiscard]] ScopedTaskAwaiter<T> shielded(Task<T> task) {
  return ScopedTaskAwaiter<T>(std::move(task), CancelScope::Kind::shielded);
}

// See with_grace.
template <class T>
class [[nodiscard]] GraceAwaiter final : public ScopedTaskAwaiter<T>, public Timer {
 public:
  GraceAwaiter(Duration grace, Task<T> task) noexcept
      : ScopedTaskAwaiter<T>(std::move(task), CancelScope::Kind::shielded), grace_(grace) {}

  std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle) {
    wait();
    return ScopedTaskAwaiter<T>::await_suspend(handle);
  }
  T await_resume() {
    if (this->pending()) loop().timers().remove(*this);
    return ScopedTaskAwaiter<T>::await_resume();
  }

 private:
  Loop& loop() { return this->scope().routine().loop(); }
  void wait() { loop().timers().add(*this, base::add_saturating(loop().now(), grace_)); }
  // A shield hears of no cancellation, so it looks from time to time.
  void fire() noexcept override {
    if (was_cancelled_) return this->scope().cancel();
    was_cancelled_ = this->caller().scope->cancelled();
    wait();
  }

  const Duration grace_;
  bool was_cancelled_ = false;
};

// co_await with_grace(1s, write()): like shielded(), but after a cancellation from outside, the
// task has between one and two times this long before it is cancelled, too. For work that should
// not stop in the middle, and that depends on others.
template <class T>
GraceAwaiter<T> with_grace(Duration grace, Task<T> task) {
  return GraceAwaiter<T>(grace, std::move(task));
}

// See with_timeout.
template <class T>
class [[nodiscard]] TimeoutAwaiter final : public ScopedTaskAwaiter<T>, public Timer {
 public:
  static_assert(kIsResult<T>, "a task that can time out returns a Result");

  TimeoutAwaiter(Duration limit, Task<T> task) noexcept
      : ScopedTaskAwaiter<T>(std::move(task), CancelScope::Kind::open), limit_(limit) {}
  TimeoutAwaiter(Instant deadline, Task<T> task) noexcept
      : ScopedTaskAwaiter<T>(std::move(task), CancelScope::Kind::open), deadline_(deadline) {}

  std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle) {
    const Instant due = deadline_ ? *deadline_ : base::add_saturating(loop().now(), limit_);
    loop().timers().add(*this, due);
    return ScopedTaskAwaiter<T>::await_suspend(handle);
  }

  T await_resume() {
    loop().timers().remove(*this);
    T result = ScopedTaskAwaiter<T>::await_resume();
    const bool ours = expired_ && !this->caller().scope->cancelled();
    if (ours && !result && result.error() == Errc::cancelled) return fail(Errc::timed_out);
    return result;
  }

 private:
  Loop& loop() { return this->scope().routine().loop(); }
  void fire() noexcept override {
    expired_ = true;
    this->scope().cancel();
  }

  Duration limit_ = {};
  std::optional<Instant> deadline_;
  bool expired_ = false;
};

// co_await with_timeout(10s, fetch(url)): cancels the task after the time, waits until it has
// ended, and then returns Errc::timed_out; a result that was faster is kept.
template <class T>
TimeoutAwaiter<T> with_timeout(Duration limit, Task<T> task) {
  return TimeoutAwaiter<T>(limit, std::move(task));
}

template <class T>
TimeoutAwaiter<T> with_deadline(Instant deadline, Task<T> task) {
  return TimeoutAwaiter<T>(deadline, std::move(task));
}

}  // namespace gossamer::async
