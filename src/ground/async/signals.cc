#include "async/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "async/loop.h"

namespace gossamer::async {

struct SignalWatch::State {
  explicit State(std::move_only_function<void(int)> on_signal) : callback(std::move(on_signal)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    watch = {};
    if (descriptor >= 0) close(descriptor);
    pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
  }

  void read_signals() {
    signalfd_siginfo received = {};
    while (read(descriptor, &received, sizeof(received)) == sizeof(received)) {
      callback(static_cast<int>(received.ssi_signo));
    }
  }

  std::move_only_function<void(int)> callback;
  sigset_t mask_before = {};
  int descriptor = -1;
  WatchHandle watch;
};

Result<SignalWatch> SignalWatch::make(Loop& loop, std::initializer_list<int> signals,
                                      std::move_only_function<void(int)> callback) {
  auto state = std::make_unique<State>(std::move(callback));
  sigset_t wanted = {};
  sigemptyset(&wanted);
  for (const int signal : signals) sigaddset(&wanted, signal);
  pthread_sigmask(SIG_BLOCK, &wanted, &state->mask_before);
  state->descriptor = signalfd(-1, &wanted, SFD_NONBLOCK | SFD_CLOEXEC);
  if (state->descriptor < 0) return fail(Error::from_errno(errno, "signalfd"));
  state->watch = loop.watch(state->descriptor, Readiness::readable,
                            [raw = state.get()](Readiness) { raw->read_signals(); });
  return SignalWatch(std::move(state));
}

SignalWatch::SignalWatch(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
SignalWatch::SignalWatch(SignalWatch&&) noexcept = default;
SignalWatch& SignalWatch::operator=(SignalWatch&&) noexcept = default;
SignalWatch::~SignalWatch() = default;

Result<SignalWatch> dump_tasks_on_sigquit(Loop& loop) {
  return SignalWatch::make(loop, {SIGQUIT}, [&loop](int) {
    std::fputs(loop.dump().c_str(), stderr);
    std::fflush(stderr);
  });
}

}  // namespace gossamer::async
