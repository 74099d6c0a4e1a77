#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <string_view>

#include "async/driver.h"
#include "async/intrusive_list.h"
#include "async/loop_load.h"
#include "async/ready.h"
#include "async/scope.h"
#include "async/task.h"
#include "async/timer_heap.h"
#include "base/time.h"

namespace gossamer::async {

class CallbackTimer;
class DescriptorWatch;

// A callback that will run at an instant. Destroying the handle, or cancel(), cancels it, even if
// it is already due. It must not outlive the loop.
class [[nodiscard]] TimerHandle {
 public:
  TimerHandle() noexcept = default;
  TimerHandle(TimerHandle&& other) noexcept;
  TimerHandle& operator=(TimerHandle&& other) noexcept;
  ~TimerHandle();

  void cancel() noexcept;
  bool pending() const noexcept;

 private:
  friend class Loop;
  explicit TimerHandle(CallbackTimer& timer) noexcept : timer_(&timer) {}
  CallbackTimer* timer_ = nullptr;
};

// A callback that runs whenever a foreign descriptor is ready. Destroying the handle ends the
// watch; the caller owns the descriptor and must keep it open until then.
class [[nodiscard]] WatchHandle {
 public:
  WatchHandle() noexcept;
  WatchHandle(WatchHandle&&) noexcept;
  WatchHandle& operator=(WatchHandle&&) noexcept;
  ~WatchHandle();

 private:
  friend class Loop;
  explicit WatchHandle(std::unique_ptr<DescriptorWatch> watch) noexcept;
  std::unique_ptr<DescriptorWatch> watch_;
};

struct LoopOptions {
  // A step that blocks the loop longer than this is reported with its stack (Loop::on_slow_step).
  // Zero disables the measurement, which saves two clock reads per step.
  Duration slow_step = Duration::zero();
};

// The event loop: a queue of items that can run now, a heap of timers, and a driver that waits for
// the world. Coroutines, callbacks and completions all pass through the ready queue, so a step
// never nests in another.
//
//   Loop loop;
//   Result<Page> page = loop.run(fetch(url));
//
// A loop belongs to the thread that makes and runs it (the kernel ties an io_uring to its thread);
// other threads reach it only through post().
class Loop {
 public:
  // Uses the best driver of this machine.
  Loop();
  explicit Loop(std::unique_ptr<Driver> driver, LoopOptions options = {});
  // Ends the watches and runs what is still queued. REQUIRES: no task is alive.
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Makes the loop the current one of this thread, as run() does. For callers that use step().
  class Running {
   public:
    explicit Running(Loop& loop);
    ~Running();
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

   private:
    Loop* before_;
  };

  // Returns the loop that runs on this thread. REQUIRES: there is one.
  static Loop& current();
  static bool any_runs();

  // Runs `task` to its end and returns its result, or throws its exception.
  template <class T>
  T run(Task<T> task, std::source_location at = std::source_location::current());

  // Runs the next ready item; waits for one if there is none. Returns false if there will never be
  // one, which only a simulated world can know.
  bool step();

  // Runs `callback` on the loop, after everything already queued.
  void call_soon(std::move_only_function<void()> callback);
  TimerHandle call_later(Duration delay, std::move_only_function<void()> callback);
  TimerHandle call_at(Instant when, std::move_only_function<void()> callback);
  WatchHandle watch(int descriptor, Readiness interest,
                    std::move_only_function<void(Readiness)> callback);
  // Like call_soon, from any thread. The loop must outlive the call.
  void post(std::move_only_function<void()> callback);

  Instant now() const { return driver_->now(); }
  // Returns whether the loop has hardly waited for at least `lately`: more concurrent work would
  // only queue up.
  bool is_busy(Duration lately) const noexcept { return load_.is_high(lately); }
  Driver& driver() { return *driver_; }
  TimerHeap& timers() { return timers_; }

  // Returns every live task with its async stack.
  std::string dump() const;
  std::size_t live_tasks() const;

  // Calls `report` with the text instead of logging it.
  void on_slow_step(std::move_only_function<void(std::string_view)> report);

  // For the runtime.
  void enqueue(Ready& item) noexcept { ready_.push(item); }
  void enlist(Scope& scope) { scopes_.push_back(scope); }
  void delist(Scope& scope) { scopes_.remove(scope); }

 private:
  // After this many items, or after all that the last poll returned if these were more, the driver
  // is polled again: a chain of ready tasks cannot delay I/O and timers, and a busy loop makes one
  // system call for many resumptions. Polling sooner would only accumulate completions, each of
  // which holds a lent buffer.
  static constexpr std::size_t kItemsPerPoll = 64;

  bool refill();
  void run_item(Ready& item);
  void run_measured(Ready& item);

  std::unique_ptr<Driver> driver_;
  LoopOptions options_;
  ReadyQueue ready_;
  TimerHeap timers_;
  IntrusiveList<Scope> scopes_;
  std::unique_ptr<Scope> background_;  // the watches
  std::size_t items_until_poll_ = 0;
  LoopLoad load_;
  std::move_only_function<void(std::string_view)> slow_step_report_;
};

template <class T>
T Loop::run(Task<T> task, std::source_location at) {
  CHECK(!any_runs(), "a loop is run inside another");
  const Running running(*this);
  Scope root(*this, OnFailure::keep_going);
  JoinHandle<T> handle = root.spawn(std::move(task), at);
  while (!handle.done()) {
    CHECK(step(), "deadlock: every task waits for another\n{}", dump());
  }
  return handle.take();
}

}  // namespace gossamer::async
