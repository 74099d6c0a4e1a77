#pragma once

#include <functional>
#include <utility>

#include "async/descriptor.h"
#include "async/loop.h"
#include "base/log.h"

// The objects of call_soon, post and call_at. They are on the heap, because no coroutine awaits
// them.
namespace gossamer::async {

class CallbackItem final : public Ready {
 public:
  explicit CallbackItem(std::move_only_function<void()> callback)
      : callback_(std::move(callback)) {}
  void run() noexcept override {
    auto callback = std::move(callback_);
    delete this;
    callback();
  }

 private:
  std::move_only_function<void()> callback_;
};

// Fires into the ready queue like everything else. If the handle releases it while it is queued, it
// does nothing and deletes itself.
class CallbackTimer final : public Timer, public Ready {
 public:
  CallbackTimer(Loop& loop, std::move_only_function<void()> callback)
      : loop_(loop), callback_(std::move(callback)) {}

  // Called by the handle, which owned it until now.
  void let_go() noexcept {
    loop_.timers().remove(*this);
    callback_ = nullptr;
    if (queued_) {
      orphaned_ = true;
    } else {
      delete this;
    }
  }
  bool will_run() const { return pending() || queued_; }

 private:
  ~CallbackTimer() = default;
  void fire() noexcept override {
    queued_ = true;
    loop_.enqueue(*this);
  }
  void run() noexcept override {
    queued_ = false;
    if (orphaned_) {
      delete this;
      return;
    }
    auto callback = std::move(callback_);
    callback();
  }

  Loop& loop_;
  std::move_only_function<void()> callback_;
  bool queued_ = false;
  bool orphaned_ = false;
};

// A task of the loop that waits and calls back repeatedly.
class DescriptorWatch {
 public:
  DescriptorWatch(Scope& background, int descriptor, Readiness interest,
                  std::move_only_function<void(Readiness)> callback)
      : task_(background.spawn(call_when_ready(descriptor, interest, std::move(callback)))) {}
  DescriptorWatch(const DescriptorWatch&) = delete;
  DescriptorWatch& operator=(const DescriptorWatch&) = delete;
  ~DescriptorWatch() { task_.cancel(); }

 private:
  static Task<void> call_when_ready(int descriptor, Readiness interest,
                                    std::move_only_function<void(Readiness)> callback) {
    for (;;) {
      auto ready = co_await readiness(descriptor, interest);
      if (cancel_requested()) co_return;  // the handle is gone, perhaps after we were queued
      if (!ready) {
        LOG(warn, "a watch of descriptor {} ends: {}", descriptor, ready.error().to_string());
        co_return;
      }
      callback(*ready);
    }
  }

  JoinHandle<void> task_;
};

}  // namespace gossamer::async
