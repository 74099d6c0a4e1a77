#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/servers/servers.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {

namespace {

constexpr int kBacklog = 4096;
constexpr int kEventsMax = 128;
constexpr std::size_t kRequestBytesMax = 4096;

std::string prepared_answer() {
  return fmt::format(
             "HTTP/1.1 200 OK\r\nServer: canned\r\nContent-Type: text/html\r\n"
             "Content-Length: {}\r\n\r\n",
             kPageBytes) +
         std::string(kPageBytes, 'x');
}

// An epoll_wait loop. Requests are short and arrive in one piece.
class AnsweringLoop {
 public:
  AnsweringLoop(std::vector<int> listeners, CannedServer::Idle idle)
      : epoll_(epoll_create1(0)),
        timeout_ms_(idle == CannedServer::Idle::spins ? 0 : -1),
        listeners_(listeners.begin(), listeners.end()) {
    for (const int listener : listeners) watch(listener, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, kEventsMax> events;
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, timeout_ms_);
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        listeners_.contains(descriptor) ? accept_all(descriptor) : answer(descriptor);
      }
    }
  }

 private:
  void watch(int descriptor, std::uint32_t events) {
    epoll_event event = {.events = events, .data = {.fd = descriptor}};
    CHECK_EQ(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), 0);
  }

  void accept_all(int listener) {
    for (;;) {
      const int descriptor = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor < 0) return;
      watch(descriptor, EPOLLIN | EPOLLET);
    }
  }

  void answer(int descriptor) {
    std::array<char, kRequestBytesMax> buffer;
    const ssize_t count = recv(descriptor, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      if (count == 0 || errno != EAGAIN) close(descriptor);
      return;
    }
    const std::string_view request(buffer.data(), static_cast<std::size_t>(count));
    const ssize_t sent = send(descriptor, answer_.data(), answer_.size(), MSG_NOSIGNAL);
    const bool is_last = request.find("\r\nConnection: close\r\n") != request.npos;
    if (is_last || sent != static_cast<ssize_t>(answer_.size())) close(descriptor);
  }

  int epoll_;
  int timeout_ms_;
  std::unordered_set<int> listeners_;
  std::string answer_ = prepared_answer();
};

}  // namespace

CannedServer::CannedServer(Idle idle) {
  std::vector<int> listeners;
  for (std::uint8_t i = 1; i <= kServerAddresses; ++i) {
    auto endpoint = async::Endpoint::v4(127, 0, 0, i, 0);
    const auto listener = async::open_listener(endpoint, kBacklog);
    CHECK(listener.has_value(), "{}", listener.error().to_string());
    listeners.push_back(*listener);
    endpoints_.push_back(endpoint);
  }
  process_ = ChildProcess::run([&]() -> int {
    claim_core(kServerCore);
    AnsweringLoop(listeners, idle).run();
  });
  for (const int listener : listeners) close(listener);
}

}  // namespace gossamer::bench
