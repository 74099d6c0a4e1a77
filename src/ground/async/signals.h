#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "base/result.h"

namespace gossamer::async {

class Loop;

// Signals as ordinary callbacks on the loop: no signal handler interrupts other code. While it
// lives, the signals are blocked in this thread and in threads made after it, so make it before the
// first thread. It must not outlive the loop.
class SignalWatch {
 public:
  static Result<SignalWatch> make(Loop& loop, std::initializer_list<int> signals,
                                  std::move_only_function<void(int)> callback);
  SignalWatch(SignalWatch&&) noexcept;
  SignalWatch& operator=(SignalWatch&&) noexcept;
  ~SignalWatch();

 private:
  struct State;
  explicit SignalWatch(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

// SIGQUIT (Ctrl-\) prints the async stack of every live task to stderr; the program continues.
Result<SignalWatch> dump_tasks_on_sigquit(Loop& loop);

}  // namespace gossamer::async
