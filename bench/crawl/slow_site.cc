#include "bench/crawl/slow_site.h"

#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <deque>
#include <iterator>
#include <string_view>
#include <unordered_set>

#include "async/drivers/kernel_address.h"
#include "base/check.h"
#include "bench/servers/servers.h"
#include "bench/support/cpu.h"

namespace gossamer::bench {
namespace {

constexpr int kBacklog = 4096;
constexpr int kEventsMax = 256;
constexpr std::size_t kRequestBytesMax = 4096;
constexpr std::string_view kBeforeNumber = "GET /page/";
constexpr std::string_view kNotFound =
    "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nno\n";

// The page that link i of page n leads to.
std::uint32_t linked_page(std::uint32_t n, std::uint32_t i, std::uint32_t pages) {
  const std::uint64_t child = std::uint64_t{n} * SlowSite::kLinks + 1 + i;
  return static_cast<std::uint32_t>(child < pages ? child : (child * 2'654'435'761) % pages);
}

void write_page(std::uint32_t n, std::uint32_t pages, std::string& answer) {
  answer = fmt::format(
      "HTTP/1.1 200 OK\r\nServer: slow\r\nContent-Type: text/html; charset=utf-8\r\n"
      "Content-Length: {}\r\n\r\n",
      kPageBytes);
  const std::size_t end = answer.size() + kPageBytes;
  fmt::format_to(std::back_inserter(answer),
                 "<!doctype html>\n<html><head><title>Page {0}</title></head>\n"
                 "<body><h1>Page {0}</h1>\n<ul>\n",
                 n);
  for (std::uint32_t i = 0; i < SlowSite::kLinks; ++i) {
    const std::uint32_t to = linked_page(n, i, pages);
    fmt::format_to(std::back_inserter(answer), "<li><a href=\"/page/{0}.html\">page {0}</a></li>\n",
                   to);
  }
  answer += "</ul>\n<p>";
  constexpr std::string_view kText = "A site that takes its time with every answer it gives. ";
  constexpr std::string_view kEnd = "</p></body></html>\n";
  while (answer.size() + kText.size() + kEnd.size() <= end) answer += kText;
  answer.append(end - answer.size() - kEnd.size(), ' ');
  answer += kEnd;
}

// An epoll_wait loop. Requests are short and arrive in one piece. All have the same delay, so the
// due ones are at the front of one queue.
class SlowLoop {
 public:
  SlowLoop(const std::vector<int>& listeners, Duration delay, std::uint32_t pages)
      : epoll_(epoll_create1(0)),
        delay_ns_(static_cast<double>(delay / 1ns)),
        pages_(pages),
        listeners_(listeners.begin(), listeners.end()) {
    for (const int listener : listeners) watch(listener, EPOLLIN);
  }

  [[noreturn]] void run() {
    std::array<epoll_event, kEventsMax> events;
    for (;;) {
      const int count = epoll_wait(epoll_, events.data(), kEventsMax, milliseconds_to_next());
      for (int i = 0; i < count; ++i) {
        const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
        listeners_.contains(descriptor) ? accept_all(descriptor) : take_request(descriptor);
      }
      answer_due();
    }
  }

 private:
  struct Waiting {
    double due_ns;
    int descriptor;
    std::optional<std::uint32_t> page;
  };

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

  void take_request(int descriptor) {
    std::array<char, kRequestBytesMax> buffer;
    const ssize_t count = recv(descriptor, buffer.data(), buffer.size(), 0);
    if (count <= 0) {
      if (count == 0 || errno != EAGAIN) close(descriptor);
      return;
    }
    const std::string_view request(buffer.data(), static_cast<std::size_t>(count));
    Waiting waiting = {.due_ns = wall_ns() + delay_ns_, .descriptor = descriptor, .page = {}};
    if (request.starts_with(kBeforeNumber)) {
      std::uint32_t number = pages_;
      std::from_chars(request.begin() + kBeforeNumber.size(), request.end(), number);
      if (number < pages_) waiting.page = number;
    }
    waiting_.push_back(waiting);
  }

  int milliseconds_to_next() const {
    if (waiting_.empty()) return -1;
    return static_cast<int>(std::max(0.0, waiting_.front().due_ns - wall_ns()) / 1e6);
  }

  void answer_due() {
    const double now = wall_ns();
    for (; !waiting_.empty() && waiting_.front().due_ns <= now; waiting_.pop_front()) {
      const Waiting& waiting = waiting_.front();
      answer_ = kNotFound;
      if (waiting.page) write_page(*waiting.page, pages_, answer_);
      const ssize_t sent = send(waiting.descriptor, answer_.data(), answer_.size(), MSG_NOSIGNAL);
      // A client may close early; a response that does not fit would be a bug.
      CHECK(sent < 0 || sent == static_cast<ssize_t>(answer_.size()));
    }
  }

  const int epoll_;
  const double delay_ns_;
  const std::uint32_t pages_;
  const std::unordered_set<int> listeners_;
  std::deque<Waiting> waiting_;
  std::string answer_;
};

}  // namespace

SlowSite::SlowSite(Duration delay, std::uint32_t pages_per_host) {
  std::vector<int> listeners;
  for (std::uint8_t i = 1; i <= kServerAddresses; ++i) {
    auto endpoint = async::Endpoint::v4(127, 0, 0, i, 0);
    const auto listener = async::open_listener(endpoint, kBacklog);
    CHECK(listener.has_value(), "{}", listener.error().to_string());
    listeners.push_back(*listener);
    hosts_.push_back(endpoint);
  }
  process_ = ChildProcess::run([&]() -> int {
    claim_core(kServerCore);
    SlowLoop(listeners, delay, pages_per_host).run();
  });
  for (const int listener : listeners) close(listener);
}

std::vector<std::string> SlowSite::roots() const {
  std::vector<std::string> roots;
  for (const async::Endpoint& host : hosts_) {
    roots.push_back("http://" + host.to_string() + "/page/0.html");
  }
  return roots;
}

}  // namespace gossamer::bench
