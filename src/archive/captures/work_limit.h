// Work on other threads that ends when nobody waits for it any more.
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "async/cancel_at_end.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/task.h"
#include "async/thread_pool.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::captures {

// Says whether work must end. The work looks at it now and then. Any thread may call the members.
class WorkLimit {
 public:
  WorkLimit() = default;
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

  void stop() noexcept { is_over_.store(true, std::memory_order_relaxed); }
  bool is_over() const noexcept { return is_over_.load(std::memory_order_relaxed); }

  // For work that nobody stops.
  static const WorkLimit& none() noexcept {
    static const WorkLimit limit;
    return limit;
  }

 private:
  std::atomic<bool> is_over_ = false;
};

namespace limited {

// Stops the work after a time, and when it is cancelled. If the work has not begun, it never does.
// BORROWS: the scope and the limit.
inline async::Task<Result<void>> stop_after(async::Scope& scope, WorkLimit& limit, Duration time) {
  auto slept = co_await async::sleep(time);
  limit.stop();
  scope.cancel();
  co_return slept;
}

// Ends the scope with the work. BORROWS: all but the work.
template <class T>
async::Task<Result<T>> run_in(async::Scope& scope, async::ThreadPool& threads,
                              const WorkLimit& limit,
                              std::move_only_function<T(const WorkLimit&)> work) {
  const async::CancelAtEnd end(scope);
  co_return co_await threads.run([&] { return work(limit); });
}

}  // namespace limited

// Runs `work(limit)` on another thread. The limit is over this time after the call, and when this
// task is cancelled; it always waits for the work. If the work has not begun before, because all
// threads are busy, it fails with Errc::timed_out or Errc::cancelled. BORROWS: the threads, and all
// that the work refers to.
template <class T>
async::Task<Result<T>> run_limited(async::ThreadPool& threads, Duration time,
                                   std::move_only_function<T(const WorkLimit&)> work) {
  WorkLimit limit;
  async::Scope scope(async::OnFailure::keep_going);
  auto done = scope.spawn(limited::run_in<T>(scope, threads, limit, std::move(work)));
  scope.spawn(limited::stop_after(scope, limit, time));
  static_cast<void>(co_await scope.join());
  auto result = done.take();
  const bool is_late = !result && result.error() == Errc::cancelled && limit.is_over();
  if (is_late && !async::cancel_requested()) co_return fail(Errc::timed_out, "no thread was free");
  co_return result;
}

}  // namespace gossamer::captures
