#pragma once

#include <pthread.h>
#include <signal.h>

#include <thread>
#include <utility>

namespace gossamer::run {

// Starts a thread that never gets a signal, not even at its start: signals belong to the threads of
// the program, and one of them may be waiting for one.
template <class Function>
std::thread thread_without_signals(Function function) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {
    const sigset_t& before;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  };
  const Restore restore = {before};  // also if no thread can be started
  return std::thread(std::move(function));
}

}  // namespace gossamer::run
