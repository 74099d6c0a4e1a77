#pragma once

#include <concepts>
#include <coroutine>
#include <cstddef>
#include <source_location>

#include "async/frame_pool.h"

namespace gossamer::async {

class CancelScope;
class Frame;
template <class T>
class Task;

template <class Promise>
concept IsFramePromise = std::derived_from<Promise, Frame>;

// For awaitables beyond a plain Task: a timeout, a generator's next(). prepare() receives the
// awaiting frame before await_ready() is called.
template <class A>
concept FrameAwaitable = requires(A& awaitable, Frame& frame) { awaitable.prepare(frame); };

// A wait that is made at the await and receives the awaiting frame there.
template <class W>
struct Prepared {
  Frame& frame;
  W wait;

  bool await_ready() {
    wait.prepare(frame);
    return wait.await_ready();
  }
  auto await_suspend(std::coroutine_handle<> handle) { return wait.await_suspend(handle); }
  decltype(auto) await_resume() { return wait.await_resume(); }
};

// One coroutine's position in a chain of awaits; the base of every promise type.
//
//   root task            its child               its leaf
//   +---------------+    +---------------+       +---------------+
//   | caller = null |<---| caller        |<------| caller        |<-- Wait::frame_
//   | awaiting_at   |    | awaiting_at   |       | awaiting_at   |
//   +---------------+    +---------------+       +---------------+
//
// Following `caller` from the leaf gives the async stack; it needs no other bookkeeping.
class Frame {
 public:
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  static void* operator new(std::size_t bytes) { return FramePool::allocate(bytes); }
  static void operator delete(void* memory, std::size_t bytes) noexcept {
    FramePool::release(memory, bytes);
  }

  // Awaits a Task: the child joins the chain.
  template <class T>
  auto await_transform(Task<T>&& task,
                       std::source_location at = std::source_location::current()) noexcept;

  // Awaits one of the runtime's waits (sleep, pop, receive, ...).
  template <FrameAwaitable A>
  A&& await_transform(A&& awaitable,
                      std::source_location at = std::source_location::current()) noexcept {
    awaiting_at = at;
    awaitable.prepare(*this);
    return static_cast<A&&>(awaitable);
  }

  // Awaits an object that provides its wait: a JoinHandle, a Future.
  template <class A>
    requires requires(A& awaitable) { awaitable.wait(); }
  auto await_transform(A&& awaitable,
                       std::source_location at = std::source_location::current()) noexcept {
    awaiting_at = at;
    return Prepared<decltype(awaitable.wait())>{*this, awaitable.wait()};
  }

  bool started() const { return scope != nullptr; }

  std::coroutine_handle<> self;
  Frame* caller = nullptr;
  CancelScope* scope = nullptr;      // inherited from the caller when it awaits us
  std::source_location awaiting_at;  // where this coroutine waits, or waited last

 protected:
  Frame() = default;
  ~Frame() = default;
};

// The coroutine that currently runs on this thread; null between steps. For CHECKs and `Scope`.
inline thread_local constinit Frame* running_frame = nullptr;

}  // namespace gossamer::async
