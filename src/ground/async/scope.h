#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <expected>
#include <memory>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "async/intrusive_list.h"
#include "async/routine.h"
#include "async/task.h"
#include "async/wait.h"
#include "base/check.h"
#include "base/result.h"

namespace gossamer::async {

class Loop;
template <class T>
class JoinHandle;
template <class T>
class Spawned;

template <class T>
inline constexpr bool kIsResult = false;
template <class T>
inline constexpr bool kIsResult<Result<T>> = true;

enum class OnFailure : std::uint8_t {
  cancel_siblings,  // the first child that fails stops the others, and join() reports it
  keep_going,       // children fail on their own; join() throws only what no handle can
};

// The owner of concurrent tasks: it must not be destroyed before they have ended.
//
//   Task<Result<void>> Engine::run() {
//     Scope scope;
//     for (std::uint32_t i = 0; i < options_.workers; ++i) scope.spawn(work(i));
//     co_return co_await scope.join();
//   }
//
// A child fails when its Result is an error (other than Errc::cancelled) or when it throws.
// Cancelling the task that waits in join() cancels the children. join() still waits for all of
// them, and then returns Errc::cancelled unless a child failed.
class Scope : public ListNode<Scope> {
 public:
  class Join;

  // REQUIRES: runs on a loop.
  explicit Scope(OnFailure on_failure = OnFailure::cancel_siblings);
  explicit Scope(Loop& loop, OnFailure on_failure = OnFailure::cancel_siblings);
  // CHECKs that every child has ended.
  ~Scope();

  // Starts `task` at the next turn of the loop. The handle may be dropped.
  template <class T>
  JoinHandle<T> spawn(Task<T> task, std::source_location at = std::source_location::current());

  // Waits until no child is left; more can be spawned meanwhile. Returns the first failure, or
  // throws the first exception. One waiter at a time; it can be awaited again.
  Join join() noexcept;

  // Cancels every child, also those spawned later.
  void cancel() noexcept;

  std::size_t size() const { return children_.size(); }
  Loop& loop() const { return loop_; }
  const IntrusiveList<Routine>& children() const { return children_; }

 private:
  template <class T>
  friend class Spawned;

  void child_began(Routine& child) noexcept;
  void child_ended(Routine& child) noexcept;
  void child_failed(Error error) noexcept;
  void child_threw(std::exception_ptr exception, bool held) noexcept;

  Loop& loop_;
  IntrusiveList<Routine> children_;
  Join* joiner_ = nullptr;
  std::optional<Error> failure_;
  std::exception_ptr exception_;
  const OnFailure on_failure_;
  bool cancelled_ = false;
};

class [[nodiscard]] Scope::Join final : public Wait {
 public:
  explicit Join(Scope& scope) noexcept : scope_(scope) {}
  bool await_ready() noexcept;
  void await_suspend(std::coroutine_handle<>) noexcept;
  Result<void> await_resume();
  void cancel() noexcept override {
    interrupted_ = true;
    scope_.cancel();
  }

 private:
  friend class Scope;
  Scope& scope_;
  bool interrupted_ = false;
};

// A spawned task and the place for its result. It lives until it has ended and no handle refers to
// it.
template <class T>
class Spawned final : public Routine {
 public:
  class Join;

  Spawned(Scope& owner, Task<T> task, std::source_location at) noexcept
      : Routine(owner, root_of(task), at) {
    task.handle_ = {};  // this object owns the frame now
    owner.child_began(*this);
  }

  bool done() const { return done_; }
  Outcome<T>& outcome() { return promise().outcome; }
  void hold() { held_ = true; }
  void drop() {
    held_ = false;
    if (done_) delete this;
  }

 private:
  ~Spawned() override { std::coroutine_handle<TaskPromise<T>>::from_promise(promise()).destroy(); }

  static Frame& root_of(Task<T>& task) noexcept {
    CHECK(task.handle_, "a task can be started only once");
    return task.handle_.promise();
  }
  TaskPromise<T>& promise() { return static_cast<TaskPromise<T>&>(root()); }
  void ended() noexcept override;

  Join* joiner_ = nullptr;
};

// Awaits a handle. If the waiting task is cancelled, so is the task it waits for, and its result is
// still delivered.
template <class T>
class [[nodiscard]] Spawned<T>::Join final : public Wait {
 public:
  explicit Join(Spawned& task) noexcept : task_(task) {}
  bool await_ready() noexcept {
    CHECK(task_.joiner_ == nullptr, "a task is awaited by two");
    if (cancelled() && !task_.done()) task_.cancel();
    return task_.done();
  }
  void await_suspend(std::coroutine_handle<>) noexcept {
    task_.joiner_ = this;
    park();
  }
  T await_resume() { return task_.outcome().take(); }
  void cancel() noexcept override { task_.cancel(); }

 private:
  friend class Spawned;
  Spawned& task_;
};

template <class T>
void Spawned<T>::ended() noexcept {
  done_ = true;
  if (std::exception_ptr exception = outcome().exception()) {
    owner().child_threw(std::move(exception), held_);
  } else if constexpr (kIsResult<T>) {
    const T& result = *outcome().value();
    if (!result && result.error() != Errc::cancelled) owner().child_failed(result.error().copy());
  }
  owner().child_ended(*this);
  if (joiner_ != nullptr) std::exchange(joiner_, nullptr)->complete();
  if (!held_) delete this;
}

// A handle to a spawned task: await it (once) for its result, cancel it, or query it. Dropping the
// handle does not stop the task, because its Scope owns it.
template <class T>
class JoinHandle {
 public:
  JoinHandle() = default;
  JoinHandle(JoinHandle&& other) noexcept : task_(std::exchange(other.task_, nullptr)) {}
  JoinHandle& operator=(JoinHandle&& other) noexcept {
    JoinHandle old(std::move(*this));
    task_ = std::exchange(other.task_, nullptr);
    return *this;
  }
  ~JoinHandle() {
    if (task_ != nullptr) task_->drop();
  }

  // REQUIRES, for all of these: spawn() returned the handle and it was not moved from.
  bool done() const { return task().done(); }
  void cancel() noexcept {
    if (!done()) task().cancel();
  }
  // `co_await handle` gives the task's result or throws its exception.
  typename Spawned<T>::Join wait() { return typename Spawned<T>::Join(task()); }
  // The same without waiting. REQUIRES: done(), and it was not taken before.
  T take() { return task().outcome().take(); }

 private:
  friend class Scope;
  Spawned<T>& task() const {
    CHECK(task_ != nullptr, "an empty JoinHandle");
    return *task_;
  }
  explicit JoinHandle(Spawned<T>& task) noexcept : task_(&task) { task.hold(); }
  Spawned<T>* task_ = nullptr;
};

template <class T>
JoinHandle<T> Scope::spawn(Task<T> task, std::source_location at) {
  return JoinHandle<T>(*new Spawned<T>(*this, std::move(task), at));
}

}  // namespace gossamer::async
