#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <type_traits>
#include <utility>

#include "async/loop.h"
#include "async/outcome.h"
#include "async/wait.h"
#include "async/worker_threads.h"
#include "base/result.h"

namespace gossamer::async {

// A few threads for work that would block the loop: compressing, hashing, blocking libraries.
//
//   Result<Packed> packed = co_await pool.run([&] { return compress(page); });
//
// With 0 threads the work is done on the loop itself, which keeps a simulated world deterministic.
// The destructor waits for the threads. REQUIRES, then: no coroutine waits in run(), and the loops
// it worked for still exist.
class ThreadPool {
 public:
  template <class Function>
  class Run;

  explicit ThreadPool(std::size_t threads) : threads_(threads) {}

  // co_await pool.run(function) gives its value as a Result (a Result is not wrapped again) or
  // throws its exception. If it is cancelled while queued, it fails with Errc::cancelled and the
  // function never runs. If it is cancelled while running, it waits for the function, which may use
  // data of the coroutine.
  template <class Function>
  Run<Function> run(Function function) {
    return Run<Function>(*this, std::move(function));
  }

  std::size_t threads() const { return threads_.size(); }

 private:
  WorkerThreads threads_;
};

template <class T>
struct AsResult {
  using type = Result<T>;
};
template <class T>
struct AsResult<Result<T>> {
  using type = Result<T>;
};

template <class Function>
class [[nodiscard]] ThreadPool::Run final : public Wait, public Job {
 public:
  using Value = std::invoke_result_t<Function&>;

  Run(ThreadPool& pool, Function&& function) : pool_(pool), function_(std::move(function)) {}

  bool await_ready() {
    if (cancelled()) return true;
    if (pool_.threads() > 0) return false;
    call();
    return true;
  }
  void await_suspend(std::coroutine_handle<>) {
    driver_ = &loop().driver();
    park();
    pool_.threads_.submit(*this);
  }
  typename AsResult<Value>::type await_resume() {
    if (!outcome_.ready()) return fail(Errc::cancelled);
    if constexpr (std::is_void_v<Value>) {
      outcome_.take();
      return {};
    } else {
      return outcome_.take();
    }
  }

 private:
  void call() noexcept {
    try {
      if constexpr (std::is_void_v<Value>) {
        function_();
        outcome_.set_value();
      } else {
        outcome_.set_value(function_());
      }
    } catch (...) {
      outcome_.set_exception(std::current_exception());
    }
  }
  void work() noexcept override {
    call();
    driver_->post(*this);
  }
  void cancel() noexcept override {
    if (pool_.threads_.withdraw(*this)) complete();
  }

  ThreadPool& pool_;
  Function function_;
  Driver* driver_ = nullptr;
  Outcome<Value> outcome_;
};

}  // namespace gossamer::async
