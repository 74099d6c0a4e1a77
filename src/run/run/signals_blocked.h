#pragma once

#include <pthread.h>
#include <signal.h>

namespace gossamer::run {

// Blocks all signals on this thread during its lifetime. A thread that is started meanwhile never
// gets one: signals belong to the threads of the program, and one of them may be waiting for one.
class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

}  // namespace gossamer::run
