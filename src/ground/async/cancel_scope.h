#pragma once

namespace gossamer::async {

class Routine;

// A part of a chain of awaits that can be cancelled as a unit: a whole task, or the part under a
// timeout. The scopes of one task nest like its awaits, and a frame inherits its caller's scope.
//
// A cancellation is permanent: the current wait of the chain ends with Errc::cancelled, and so does
// every later wait inside the scope, until the code has left it.
class CancelScope {
 public:
  enum class Kind : bool { open, shielded };

  // A cancellation from outside does not reach a shielded scope, so that clean-up can wait.
  CancelScope(CancelScope& parent, Kind kind) noexcept;
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

  void cancel() noexcept;
  bool cancelled() const { return cancelled_; }
  Routine& routine();

 protected:
  // The outermost scope of a task, which represents the task itself.
  CancelScope() noexcept = default;

 private:
  CancelScope* parent_ = nullptr;
  const Kind kind_ = Kind::open;
  bool cancelled_ = false;
};

// Returns whether the running task was cancelled. For long stretches without a wait.
// REQUIRES: runs in a coroutine on a loop.
bool cancel_requested();

}  // namespace gossamer::async
