#pragma once

#include "async/loop.h"
#include "async/wait.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::async {

// co_await sleep(1s): waits on the loop's clock, which may be virtual.
// Fails only with Errc::cancelled.
class [[nodiscard]] SleepWait final : public Wait, public Timer {
 public:
  explicit SleepWait(Duration delay) noexcept : delay_(delay) {}
  explicit SleepWait(Instant until) noexcept : until_(until), absolute_(true) {}

  bool await_ready() const { return cancelled(); }
  void await_suspend(std::coroutine_handle<>) {
    loop().timers().add(*this, absolute_ ? until_ : base::add_saturating(loop().now(), delay_));
    park();
  }
  Result<void> await_resume() const {
    if (cancelled_) return fail(Errc::cancelled);
    return {};
  }

 private:
  void fire() noexcept override {
    cancelled_ = false;
    complete();
  }
  void cancel() noexcept override {
    loop().timers().remove(*this);
    complete();
  }

  Duration delay_ = {};
  Instant until_ = {};
  bool absolute_ = false;
  bool cancelled_ = true;  // until the timer fires
};

inline SleepWait sleep(Duration delay) { return SleepWait(delay); }
inline SleepWait sleep_until(Instant when) { return SleepWait(when); }

// co_await yield_now(): lets everything else that is ready run first (like asyncio's sleep(0)).
class [[nodiscard]] YieldWait final : public Wait {
 public:
  bool await_ready() const { return cancelled(); }
  void await_suspend(std::coroutine_handle<>) {
    suspended_ = true;
    park();
    complete();
  }
  Result<void> await_resume() const {
    if (!suspended_) return fail(Errc::cancelled);
    return {};
  }

 private:
  void cancel() noexcept override {}
  bool suspended_ = false;
};

inline YieldWait yield_now() { return {}; }

}  // namespace gossamer::async
