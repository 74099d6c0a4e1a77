#pragma once

#include <concepts>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "async/async_stack.h"
#include "async/frame.h"
#include "base/check.h"

namespace gossamer::async {

template <class T, class Sent>
class GeneratorPromise;

// A coroutine that produces many values, and may wait between them.
//
//   AsyncGenerator<Page> crawl(Options options) { ... co_yield page; ... }
//   while (std::optional<Page> page = co_await pages.next()) use(*page);
//
// It runs only while a consumer awaits next(), so a slow consumer slows the producer. With a type
// for Sent, `co_yield` returns what the consumer sends: `Reply r = co_yield question;`. Destroying
// a generator between two values destroys its locals; it must not be destroyed inside a next().
template <class T, class Sent = void>
class [[nodiscard]] AsyncGenerator {
 public:
  using promise_type = GeneratorPromise<T, Sent>;
  class Next;

  AsyncGenerator(AsyncGenerator&& other) noexcept : handle_(std::exchange(other.handle_, {})) {}
  AsyncGenerator& operator=(AsyncGenerator&& other) noexcept {
    AsyncGenerator old(std::move(*this));
    handle_ = std::exchange(other.handle_, {});
    return *this;
  }
  ~AsyncGenerator() {
    if (!handle_) return;
    if (handle_.promise().consumer_waits()) [[unlikely]]
      die_pending(handle_.promise());
    handle_.destroy();
  }

  // co_await next() gives the next value, or nothing at the end; it throws what the generator
  // throws. If the generator takes values, this sends a default-constructed one.
  Next next() { return Next(handle_); }

  // Resumes the generator's co_yield with `value` and returns what it yields next (asend).
  // REQUIRES: it is at a co_yield, so next() was awaited before.
  template <class Value>
    requires(!std::is_void_v<Sent>)
  Next send(Value&& value) {
    CHECK(handle_.promise().started(), "send() to a generator that has not yielded yet");
    handle_.promise().sent = Sent(std::forward<Value>(value));
    return Next(handle_);
  }

 private:
  friend GeneratorPromise<T, Sent>;
  explicit AsyncGenerator(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

// Returns control to the coroutine that awaits next().
struct YieldAwaiter {
  bool await_ready() const noexcept { return false; }
  template <IsFramePromise Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) const noexcept {
    Frame* const consumer = std::exchange(handle.promise().caller, nullptr);
    running_frame = consumer;
    return consumer->self;
  }
  void await_resume() const noexcept {}
};

// The same, and returns what the consumer sends.
template <class Sent>
struct SentAwaiter : YieldAwaiter {
  std::optional<Sent>& sent;
  Sent await_resume() { return std::exchange(sent, std::nullopt).value_or(Sent{}); }
};

// The storage for values sent to a generator: empty if there are none.
template <class Sent>
struct SentSlot {
  std::optional<Sent> sent;
};
template <>
struct SentSlot<void> {};

template <class T, class Sent>
class GeneratorPromise final : public Frame, public SentSlot<Sent> {
 public:
  AsyncGenerator<T, Sent> get_return_object() noexcept {
    const auto handle = std::coroutine_handle<GeneratorPromise>::from_promise(*this);
    self = handle;
    return AsyncGenerator<T, Sent>(handle);
  }
  std::suspend_always initial_suspend() const noexcept { return {}; }
  YieldAwaiter final_suspend() noexcept { return {}; }
  void return_void() noexcept {}
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  template <std::convertible_to<T> Value>
  auto yield_value(Value&& value) {
    value_.emplace(std::forward<Value>(value));
    if constexpr (std::is_void_v<Sent>) {
      return YieldAwaiter{};
    } else {
      return SentAwaiter<Sent>{{}, this->sent};
    }
  }

  bool consumer_waits() const { return caller != nullptr; }
  std::optional<T> take() {
    if (exception_ != nullptr) std::rethrow_exception(std::exchange(exception_, nullptr));
    return std::exchange(value_, std::nullopt);
  }

 private:
  std::optional<T> value_;
  std::exception_ptr exception_;
};

template <class T, class Sent>
class [[nodiscard]] AsyncGenerator<T, Sent>::Next {
 public:
  explicit Next(std::coroutine_handle<promise_type> generator) noexcept : generator_(generator) {}
  Next(const Next&) = delete;
  Next& operator=(const Next&) = delete;

  void prepare(Frame& consumer) noexcept {
    promise_type& promise = generator_.promise();
    CHECK(!promise.consumer_waits(), "two consumers await one generator");
    if (generator_.done()) return;
    promise.caller = &consumer;
    promise.scope = consumer.scope;
  }
  bool await_ready() const noexcept { return generator_.done(); }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<>) noexcept {
    running_frame = &generator_.promise();
    return generator_;
  }
  std::optional<T> await_resume() { return generator_.promise().take(); }

 private:
  std::coroutine_handle<promise_type> generator_;
};

}  // namespace gossamer::async
