#include "bench/servers/holding_servers.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "async/descriptor_limit.h"
#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {

namespace {

constexpr int kBacklog = 4096;
constexpr std::uint64_t kConnectionsPerServerMax = 18'000;
constexpr std::uint64_t kConnectionsPerAddressMax = 9'000;
constexpr std::uint64_t kOtherDescriptors = 64;
constexpr int kRelease = SIGUSR1;

// Makes the signal readable. Call it before the fork: a signal that is sent before the server
// listens must not kill it.
void block_release_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, kRelease);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
}

int open_release_signal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, kRelease);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

class HoldingLoop {
 public:
  HoldingLoop(const std::vector<int>& listeners, const std::string& answer)
      : epoll_(epoll_create1(0)), release_(open_release_signal()), answer_(answer) {
    watch(release_);
    for (const int listener : listeners) watch(listener);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, 8> events;
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), -1);
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        descriptor == release_ ? release_all() : accept_all(descriptor);
      }
    }
  }

 private:
  void watch(int descriptor) {
    epoll_event event = {.events = EPOLLIN, .data = {.fd = descriptor}};
    CHECK_EQ(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), 0);
  }

  void accept_all(int listener) {
    for (;;) {
      const int descriptor = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) return;
      // When this process ends, it resets its connections, so that hundreds of thousands of them do
      // not stay in the kernel for a minute.
      const linger reset = {.l_onoff = 1, .l_linger = 0};
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
      held_.push_back(descriptor);
    }
  }

  void release_all() {
    signalfd_siginfo info = {};
    CHECK(read(release_, &info, sizeof(info)) == sizeof(info));
    for (const int descriptor : held_) {
      send(descriptor, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    }
    held_.clear();  // they stay open
  }

  int epoll_;
  int release_;
  const std::string& answer_;
  std::vector<int> held_;
};

}  // namespace

HoldingServers::HoldingServers(std::uint64_t connections, const std::string& answer) {
  const std::uint64_t limit = async::raise_descriptor_limit().now;
  CHECK(limit > 2 * kOtherDescriptors, "{} open files are too few", limit);
  const std::uint64_t per_server = std::min(kConnectionsPerServerMax, limit - kOtherDescriptors);
  const std::uint64_t servers = (connections + per_server - 1) / per_server;
  const std::uint64_t addresses =
      (per_server + kConnectionsPerAddressMax - 1) / kConnectionsPerAddressMax;
  block_release_signal();
  for (std::uint64_t server = 0; server < servers; ++server) {
    std::vector<int> listeners;
    for (std::uint64_t i = 0; i < addresses; ++i) {
      auto endpoint = async::Endpoint::v4(127, 1, static_cast<std::uint8_t>(server),
                                          static_cast<std::uint8_t>(i + 1), 0);
      const auto listener = async::open_listener(endpoint, kBacklog);
      CHECK(listener.has_value(), "{}", listener.error().to_string());
      listeners.push_back(*listener);
      endpoints_.push_back(endpoint);
    }
    processes_.push_back(ChildProcess::run([&]() -> int {
      claim_core(kServerCore);
      HoldingLoop(listeners, answer).run();
    }));
    for (const int listener : listeners) close(listener);
  }
}

void HoldingServers::release() const {
  for (const ChildProcess& process : processes_) process.signal(kRelease);
}

}  // namespace gossamer::bench
