#pragma once

#include "async/queued_wait.h"
#include "base/check.h"
#include "base/result.h"

namespace gossamer::async {

// A flag that coroutines can wait for. It stays set until it is cleared; setting it resumes all
// waiters.
class Event {
 public:
  class Wait;

  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { CHECK(waiters_.empty(), "an event dies with {} waiters", waiters_.size()); }

  bool is_set() const { return set_; }
  void set() noexcept {
    set_ = true;
    QueuedWait::grant_all(waiters_);
  }
  void clear() noexcept { set_ = false; }

  // co_await event.wait() gives a Result<void>; fails only with Errc::cancelled.
  Wait wait() noexcept;

 private:
  WaitList waiters_;
  bool set_ = false;
};

class [[nodiscard]] Event::Wait final : public QueuedWait {
 public:
  explicit Wait(Event& event) noexcept : QueuedWait(event.waiters_), event_(event) {}
  bool await_ready() noexcept { return cancelled() || (event_.set_ && grant_now()); }
  Result<void> await_resume() const {
    if (!granted()) return fail(Errc::cancelled);
    return {};
  }

 private:
  const Event& event_;
};

inline Event::Wait Event::wait() noexcept { return Wait(*this); }

}  // namespace gossamer::async
