#pragma once

#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace gossamer::async {

// The state of a coroutine: not ended, ended with a value, or ended with an exception.
template <class T>
class Outcome {
 public:
  static_assert(!std::is_reference_v<T>, "return a pointer instead");

  Outcome() noexcept {}
  Outcome(const Outcome&) = delete;
  Outcome& operator=(const Outcome&) = delete;
  Outcome(Outcome&& other) noexcept(std::is_nothrow_move_constructible_v<T>) {
    if (other.state_ == State::value) set_value(std::move(other.value_));
    if (other.state_ == State::exception) set_exception(std::move(other.exception_));
  }
  ~Outcome() {
    if (state_ == State::value) std::destroy_at(&value_);
    if (state_ == State::exception) std::destroy_at(&exception_);
  }

  template <class U>
  void set_value(U&& value) {
    std::construct_at(&value_, std::forward<U>(value));
    state_ = State::value;
  }
  void set_exception(std::exception_ptr exception) noexcept {
    std::construct_at(&exception_, std::move(exception));
    state_ = State::exception;
  }

  bool ready() const { return state_ != State::none; }
  // Returns null unless it ended with a value.
  T* value() { return state_ == State::value ? &value_ : nullptr; }
  // Returns null unless it ended with an exception.
  std::exception_ptr exception() const { return state_ == State::exception ? exception_ : nullptr; }

  // Moves the value out, or throws the exception. REQUIRES: ready().
  T take() {
    if (state_ == State::value) [[likely]]
      return std::move(value_);
    CHECK(state_ == State::exception, "no outcome yet");
    std::rethrow_exception(exception_);
  }

 private:
  enum class State : unsigned char { none, value, exception };

  union {
    T value_;
    std::exception_ptr exception_;
  };
  State state_ = State::none;
};

template <>
class Outcome<void> {
 public:
  void set_value() noexcept { ready_ = true; }
  void set_exception(std::exception_ptr exception) noexcept {
    exception_ = std::move(exception);
    ready_ = true;
  }
  bool ready() const { return ready_; }
  std::exception_ptr exception() const { return exception_; }
  void take() {
    CHECK(ready_, "no outcome yet");
    if (exception_ != nullptr) [[unlikely]]
      std::rethrow_exception(exception_);
  }

 private:
  std::exception_ptr exception_;
  bool ready_ = false;
};

}  // namespace gossamer::async
