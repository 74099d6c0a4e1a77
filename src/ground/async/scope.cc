#include "async/scope.h"

#include "async/loop.h"

namespace gossamer::async {

Scope::Scope(OnFailure on_failure) : Scope(Loop::current(), on_failure) {}

Scope::Scope(Loop& loop, OnFailure on_failure) : loop_(loop), on_failure_(on_failure) {
  loop_.enlist(*this);
}

Scope::~Scope() {
  CHECK(children_.empty(), "a scope dies with {} tasks alive; join it on every path:\n{}",
        children_.size(), describe_stack(children_.front()));
  loop_.delist(*this);
}

Scope::Join Scope::join() noexcept { return Join(*this); }

void Scope::cancel() noexcept {
  cancelled_ = true;
  for (Routine* child = children_.first(); child != nullptr; child = children_.next(*child)) {
    child->CancelScope::cancel();
  }
}

void Scope::child_began(Routine& child) noexcept {
  children_.push_back(child);
  if (cancelled_) child.CancelScope::cancel();
}

void Scope::child_ended(Routine& child) noexcept {
  children_.remove(child);
  if (children_.empty() && joiner_ != nullptr) std::exchange(joiner_, nullptr)->complete();
}

void Scope::child_failed(Error error) noexcept {
  if (on_failure_ == OnFailure::keep_going) return;
  if (!failure_) failure_ = std::move(error);
  cancel();
}

void Scope::child_threw(std::exception_ptr exception, bool held) noexcept {
  const bool goes_on = on_failure_ == OnFailure::keep_going;
  if (goes_on && held) return;  // the holder of the handle will receive it
  if (exception_ == nullptr) exception_ = std::move(exception);
  if (!goes_on) cancel();
}

bool Scope::Join::await_ready() noexcept {
  CHECK(scope_.joiner_ == nullptr, "a scope is joined by two");
  if (scope_.children_.empty()) return true;
  if (cancelled()) cancel();
  return false;
}

void Scope::Join::await_suspend(std::coroutine_handle<>) noexcept {
  scope_.joiner_ = this;
  park();
}

Result<void> Scope::Join::await_resume() {
  if (scope_.exception_ != nullptr) std::rethrow_exception(std::exchange(scope_.exception_, {}));
  if (scope_.failure_) return fail(std::move(*std::exchange(scope_.failure_, std::nullopt)));
  if (interrupted_) return fail(Errc::cancelled);
  return {};
}

}  // namespace gossamer::async
