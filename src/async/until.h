#pragma once

#include <coroutine>
#include <optional>
#include <utility>

#include "async/cancel_scope.h"
#include "async/frame.h"
#include "async/loop.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::async {

// See until().
template <class A>
class [[nodiscard]] Until final : public Timer {
 public:
  template <class Make>
  Until(Instant deadline, Make& make) : deadline_(deadline), awaitable_(make()) {}

  void prepare(Frame& frame) noexcept {
    frame_ = &frame;
    outer_ = frame.scope;
    scope_.emplace(*outer_, CancelScope::Kind::open);
    frame.scope = &*scope_;  // what is awaited finds this scope, and is cancelled with it
    awaitable_.prepare(frame);
  }
  bool await_ready() { return awaitable_.await_ready(); }
  auto await_suspend(std::coroutine_handle<> handle) {
    scope_->routine().loop().timers().add(*this, deadline_);
    return awaitable_.await_suspend(handle);
  }
  auto await_resume() -> decltype(std::declval<A&>().await_resume()) {
    if (pending()) outer_->routine().loop().timers().remove(*this);
    const LeaveScope leave(*this);
    auto result = awaitable_.await_resume();
    const bool ours = expired_ && !outer_->cancelled();
    if (ours && !result && result.error() == Errc::cancelled) return fail(Errc::timed_out);
    return result;
  }

 private:
  struct LeaveScope {
    explicit LeaveScope(Until& until) noexcept : left(until) {}
    ~LeaveScope() { left.frame_->scope = left.outer_; }
    Until& left;
  };

  void fire() noexcept override {
    expired_ = true;
    scope_->cancel();
  }

  Instant deadline_;
  Frame* frame_ = nullptr;
  CancelScope* outer_ = nullptr;
  std::optional<CancelScope> scope_;
  bool expired_ = false;
  A awaitable_;
};

// co_await until(deadline, [&] { return socket.receive(); }): a single wait that ends with
// Errc::timed_out at the deadline; a result that was quicker is kept. As with_deadline(), but for
// the runtime's waits rather than for tasks: it needs no coroutine, so a reader that always has a
// deadline costs no frame more than one that has none.
template <class Make>
auto until(Instant deadline, Make make) {
  return Until<decltype(make())>(deadline, make);
}

}  // namespace gossamer::async
