#pragma once

#include <coroutine>
#include <memory>
#include <utility>

#include "async/cancel_scope.h"
#include "async/frame.h"
#include "async/loop.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::async {

// See until(). `From` makes the wait with make(), and returns its deadline with deadline() once a
// wait is necessary.
template <class From>
class [[nodiscard]] Until final : public Timer {
  using A = decltype(std::declval<From&>().make());

 public:
  explicit Until(From from) : from_(std::move(from)), awaitable_(from_.make()) {}

  void prepare(Frame& frame) noexcept {
    outer_ = frame.scope;
    std::construct_at(&scope_, *outer_, CancelScope::Kind::open);
    frame.scope = &scope_;  // the awaited object inherits this scope, and is cancelled with it
    awaitable_.prepare(frame);
  }
  bool await_ready() { return awaitable_.await_ready(); }
  auto await_suspend(std::coroutine_handle<> handle) {
    scope_.routine().loop().timers().add(*this, from_.deadline());
    return awaitable_.await_suspend(handle);
  }
  const From& from() const { return from_; }
  auto await_resume() -> decltype(std::declval<A&>().await_resume()) {
    if (pending()) outer_->routine().loop().timers().remove(*this);
    const LeaveScope leave(*this);
    auto result = awaitable_.await_resume();
    // Only the deadline cancels this scope alone.
    const bool is_late = scope_.cancelled() && !outer_->cancelled();
    if (is_late && !result && result.error() == Errc::cancelled) return fail(Errc::timed_out);
    return result;
  }

 private:
  // The awaiting coroutine runs again by now.
  struct LeaveScope {
    explicit LeaveScope(Until& until) noexcept : left(until) {}
    ~LeaveScope() { running_frame->scope = left.outer_; }
    Until& left;
  };

  void fire() noexcept override { scope_.cancel(); }

  // As small as possible, because the frame of every waiting reader contains one.
  From from_;
  CancelScope* outer_ = nullptr;
  union {
    CancelScope scope_;  // from prepare() on
  };
  A awaitable_;
};

// The object that until() waits for.
template <class Make>
struct UntilInstant {
  Instant due;
  Make maker;

  auto make() { return maker(); }
  Instant deadline() const { return due; }
};

// co_await until(deadline, [&] { return socket.receive(); }): a single wait that ends with
// Errc::timed_out at the deadline; a result that was faster is kept. Like with_deadline(), for
// the runtime's waits rather than for tasks: it needs no coroutine, so a reader with a deadline
// costs no more frames than one without.
template <class Make>
auto until(Instant deadline, Make make) {
  return Until<UntilInstant<Make>>({deadline, std::move(make)});
}

}  // namespace gossamer::async
