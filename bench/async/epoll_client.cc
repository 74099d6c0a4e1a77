#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/async/clients.h"

namespace gossamer::bench {

namespace {

constexpr std::size_t kBufferBytes = 65536;
constexpr int kEventsMax = 128;

struct Connection {
  int descriptor = -1;
  bool asked = false;
  AnswerScan scan;
};

class EpollClient {
 public:
  explicit EpollClient(const FetchLoad& load)
      : load_(load),
        progress_(load.warm_up, load.answers),
        epoll_(epoll_create1(0)),
        connections_(static_cast<std::size_t>(load.connections)),
        buffer_(std::make_unique_for_overwrite<char[]>(kBufferBytes)) {}
  EpollClient(const EpollClient&) = delete;
  EpollClient& operator=(const EpollClient&) = delete;
  ~EpollClient() {
    for (const Connection& connection : connections_) close(connection.descriptor);
    close(epoll_);
  }

  FetchCost run() {
    for (Connection& connection : connections_) open(connection);
    std::array<epoll_event, kEventsMax> events;
    while (!progress_.over()) {
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, -1);
      for (int i = 0; i < count && !progress_.over(); ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        on_event(*static_cast<Connection*>(event.data.ptr), event.events);
      }
    }
    return progress_.cost();
  }

 private:
  void open(Connection& connection) {
    const async::Endpoint& server = load_.server_of(opened_++);
    alignas(8) std::array<std::byte, 32> address = {};
    const auto length = static_cast<socklen_t>(async::to_kernel(server, address));
    const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    CHECK(descriptor >= 0, "socket: errno {}", errno);
    const int connected =
        connect(descriptor, reinterpret_cast<const sockaddr*>(address.data()), length);
    CHECK(connected == 0 || errno == EINPROGRESS, "connect: errno {}", errno);
    connection = {.descriptor = descriptor};
    epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                         .data = {.ptr = &connection}};
    CHECK_EQ(epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event), 0);
  }

  void on_event(Connection& connection, std::uint32_t events) {
    if (!connection.asked) {
      if ((events & EPOLLOUT) != 0) ask(connection);
    } else if ((events & EPOLLIN) != 0) {
      read_answer(connection);
    }
  }

  void ask(Connection& connection) {
    const std::string_view request = load_.request();
    connection.scan = {};
    connection.asked = true;
    const ssize_t count = send(connection.descriptor, request.data(), request.size(), MSG_NOSIGNAL);
    CHECK(count == static_cast<ssize_t>(request.size()), "send: {}, errno {}", count, errno);
  }

  void read_answer(Connection& connection) {
    for (;;) {
      const ssize_t count = recv(connection.descriptor, buffer_.get(), kBufferBytes, 0);
      if (count < 0) {
        CHECK(errno == EAGAIN, "recv: errno {}", errno);
        return;
      }
      if (count == 0) return at_end(connection);
      const auto size = static_cast<std::size_t>(count);
      if (connection.scan.feed({buffer_.get(), size}) && load_.keep_alive) {
        progress_.answered();
        return ask(connection);
      }
      // The buffer was not filled, so a new edge will follow when there is more.
      if (load_.keep_alive && size < kBufferBytes) return;
    }
  }

  void at_end(Connection& connection) {
    CHECK(connection.scan.complete() && !load_.keep_alive, "an answer was cut off");
    progress_.answered();
    close(connection.descriptor);
    open(connection);
  }

  const FetchLoad& load_;
  FetchProgress progress_;
  int epoll_;
  std::uint64_t opened_ = 0;
  std::vector<Connection> connections_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace

FetchCost fetch_with_plain_epoll(const FetchLoad& load) { return EpollClient(load).run(); }

}  // namespace gossamer::bench
