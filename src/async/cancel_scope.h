#pragma once

namespace gossamer::async {

class Routine;

// A stretch of a chain of awaits that can be cancelled as one: a whole task, or what runs under a
// timeout. Scopes of one task nest like its awaits, and a frame inherits its caller's scope.
//
// Cancelling is a request that stays: the wait on which the chain stands ends with
// Errc::cancelled, and so does every later wait inside the scope, until the code has left it.
class CancelScope {
 public:
  enum class Kind : bool { open, shielded };

  // A shielded scope is not reached by a cancellation from outside, so that clean-up can wait.
  CancelScope(CancelScope& parent, Kind kind) noexcept;
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  void cancel() noexcept;
  bool cancelled() const { return cancelled_; }
  Routine& routine();

 protected:
  // The outermost scope of a task, which is the task itself.
  CancelScope() noexcept = default;

 private:
  CancelScope* parent_ = nullptr;
  const Kind kind_ = Kind::open;
  bool cancelled_ = false;
};

// Has the running task been asked to stop? For long stretches without a wait.
// REQUIRES: runs in a coroutine on a loop.
bool cancel_requested();

}  // namespace gossamer::async
