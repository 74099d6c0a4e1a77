#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <utility>

namespace gossamer::bench {

// The minimal coroutine that can be awaited and returns a value: it knows which coroutine to
// resume, and its frame comes from a free list. It has no loop, cancellation, exceptions or checks,
// and one size of frame. The difference to async::Task is the cost of these.
class BareTask {
 public:
  class promise_type {
   public:
    // REQUIRES: all frames have at most kFrameBytes; the list is for one thread.
    static void* operator new(std::size_t bytes) {
      if (bytes > kFrameBytes) std::abort();
      if (free_ == nullptr) return std::malloc(kFrameBytes);
      return std::exchange(free_, free_->next);
    }
    static void operator delete(void* memory, std::size_t) noexcept {
      free_ = ::new (memory) Block{free_};
    }

    BareTask get_return_object() {
      return BareTask(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    auto final_suspend() const noexcept { return Return(); }
    void return_value(std::uint64_t value) { value_ = value; }
    [[noreturn]] void unhandled_exception() { std::terminate(); }

   private:
    friend class BareTask;
    struct Block {
      Block* next;
    };
    struct Return {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(
          std::coroutine_handle<promise_type> self) const noexcept {
        return self.promise().caller_;
      }
      void await_resume() const noexcept {}
    };
    static constexpr std::size_t kFrameBytes = 256;

    inline static thread_local constinit Block* free_ = nullptr;
    std::coroutine_handle<> caller_ = std::noop_coroutine();
    std::uint64_t value_ = 0;
  };

  BareTask(BareTask&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  BareTask& operator=(BareTask&&) = delete;
  ~BareTask() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().caller_ = caller;
    return handle_;
  }
  std::uint64_t await_resume() const noexcept { return handle_.promise().value_; }

  // Runs a coroutine that awaits only others of this kind.
  void run() { handle_.resume(); }

 private:
  explicit BareTask(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace gossamer::bench
