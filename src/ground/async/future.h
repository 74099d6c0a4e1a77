#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/queued_wait.h"
#include "base/check.h"
#include "base/result.h"

// A value that is provided later: Promise<T> provides it, one coroutine awaits Future<T>, and many
// await SharedFuture<T>. All are on one loop.
namespace gossamer::async {

// A type of which several waiters can have a copy.
template <class T>
concept Shareable = std::is_void_v<T> || std::copyable<T>;

// The shared state: pending, or resolved with a value, an Error or an exception.
template <class T>
class FutureState {
 public:
  static_assert(!kIsResult<T>, "a future is awaited as a Result; promise the value itself");

  bool resolved() const { return result_.has_value() || exception_ != nullptr; }

  void resolve(Result<T> result) {
    CHECK(!resolved(), "a promise is kept twice");
    result_.emplace(std::move(result));
    announce();
  }
  void resolve(std::exception_ptr exception) {
    CHECK(!resolved(), "a promise is kept twice");
    exception_ = std::move(exception);
    announce();
  }

  Result<T> take() {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
    return std::move(*result_);
  }
  Result<T> copy() const {
    if (exception_ != nullptr) std::rethrow_exception(exception_);
    if (!*result_) return fail(result_->error().copy());
    if constexpr (std::is_void_v<T>) {
      return {};
    } else {
      return T(**result_);
    }
  }

  void on_done(std::move_only_function<void()> callback) {
    Loop& loop = Loop::current();
    if (resolved()) return loop.call_soon(std::move(callback));
    callbacks_.push_back({loop, std::move(callback)});
  }

  WaitList waiters;
  bool has_taker = false;

 private:
  void announce() {
    QueuedWait::grant_all(waiters);
    for (auto& [loop, callback] : callbacks_) loop.call_soon(std::move(callback));
    callbacks_.clear();
  }

  struct DoneCallback {
    Loop& loop;
    std::move_only_function<void()> callback;
  };

  std::optional<Result<T>> result_;
  std::exception_ptr exception_;
  std::vector<DoneCallback> callbacks_;
};

template <class T>
class [[nodiscard]] FutureWait final : public QueuedWait {
 public:
  enum class Ownership : bool { takes, shares };

  FutureWait(std::shared_ptr<FutureState<T>> state, Ownership ownership) noexcept
      : QueuedWait(state->waiters), state_(std::move(state)), ownership_(ownership) {}

  // A resolved value is given even to a cancelled task, because it needs no wait.
  bool await_ready() noexcept { return (state_->resolved() && grant_now()) || cancelled(); }
  Result<T> await_resume() {
    if (!granted()) return fail(Errc::cancelled);
    if constexpr (Shareable<T>) {
      if (ownership_ == Ownership::shares) return state_->copy();
    }
    return state_->take();
  }

 private:
  std::shared_ptr<FutureState<T>> state_;
  Ownership ownership_;
};

// `co_await future` gives a Result<T>, or throws the promise's exception; without waiting if it is
// resolved. Await it once. Errc::closed: the promise was destroyed before it was resolved.
template <class T>
class Future {
 public:
  Future(Future&&) noexcept = default;
  Future& operator=(Future&&) noexcept = default;

  bool resolved() const { return state_->resolved(); }
  // Runs `callback` on the loop when resolved.
  void on_done(std::move_only_function<void()> callback) { state_->on_done(std::move(callback)); }
  FutureWait<T> wait() { return {state_, FutureWait<T>::Ownership::takes}; }

 private:
  template <class>
  friend class Promise;
  explicit Future(std::shared_ptr<FutureState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<FutureState<T>> state_;
};

// Like Future, but copyable, and every waiter gets a copy of the value.
template <Shareable T>
class SharedFuture {
 public:
  bool resolved() const { return state_->resolved(); }
  void on_done(std::move_only_function<void()> callback) { state_->on_done(std::move(callback)); }
  FutureWait<T> wait() const { return {state_, FutureWait<T>::Ownership::shares}; }

 private:
  template <class>
  friend class Promise;
  explicit SharedFuture(std::shared_ptr<FutureState<T>> state) : state_(std::move(state)) {}
  std::shared_ptr<FutureState<T>> state_;
};

// Resolve it once. If it is destroyed before that, its future resolves with Errc::closed, so no
// waiter waits forever.
template <class T>
class Promise {
 public:
  Promise() : state_(std::make_shared<FutureState<T>>()) {}
  Promise(Promise&&) noexcept = default;
  Promise& operator=(Promise&& other) noexcept {
    abandon();
    state_ = std::move(other.state_);
    return *this;
  }
  ~Promise() { abandon(); }

  // Returns the only future. REQUIRES: it was not called before.
  Future<T> future() {
    CHECK(!state_->has_taker, "a promise has one future; share it with shared_future()");
    state_->has_taker = true;
    return Future<T>(state_);
  }
  template <class U = T>
    requires Shareable<U>
  SharedFuture<U> shared_future() const {
    return SharedFuture<U>(state_);
  }

  template <class Value = T>
    requires(!std::is_void_v<T>)
  void resolve(Value&& value) {
    state_->resolve(Result<T>(std::forward<Value>(value)));
  }
  void resolve()
    requires std::is_void_v<T>
  {
    state_->resolve(Result<T>());
  }
  void reject(Error error) { state_->resolve(Result<T>(fail(std::move(error)))); }
  void reject(std::exception_ptr exception) { state_->resolve(std::move(exception)); }

 private:
  void abandon() noexcept {
    if (state_ != nullptr && !state_->resolved()) reject(Error(Errc::closed));
  }
  std::shared_ptr<FutureState<T>> state_;
};

}  // namespace gossamer::async
