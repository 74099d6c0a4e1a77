// Stage 3: a selector tells which sockets are ready, and callbacks handle them. One thread crawls
// the whole site, many pages concurrently. The price: one story (connect, send, read, parse) is cut
// into unconnected pieces, all state is in an object, and when a piece fails, its stack begins at
// the event loop. It does not show who wanted the page.
//
//   03_callbacks PORT
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tiny_http.h"

namespace {

// The names of the functions on the machine's stack, so that we can print it.
std::vector<const char*> stack;
struct OnStack {
  explicit OnStack(const char* name) { stack.push_back(name); }
  ~OnStack() { stack.pop_back(); }
  OnStack(const OnStack&) = delete;
  OnStack& operator=(const OnStack&) = delete;
};

void print_stack() {
  for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
    std::printf("  in %s\n", *frame);
}

// A minimal selectors.DefaultSelector: one callback per descriptor.
class Selector {
 public:
  void watch(int descriptor, std::uint32_t events, std::function<void()> callback) {
    callbacks_[descriptor] = std::move(callback);
    epoll_event event = {.events = events, .data = {.fd = descriptor}};
    if (epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) != 0) {
      epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
    }
  }
  void forget(int descriptor) { callbacks_.erase(descriptor); }
  bool empty() const { return callbacks_.empty(); }
  void wait_and_call() {
    epoll_event events[64];
    const int count = epoll_wait(epoll_, events, 64, -1);
    for (int i = 0; i < count; ++i) {
      const auto callback = callbacks_[events[i].data.fd];
      callback();
    }
  }

 private:
  int epoll_ = epoll_create1(0);
  std::map<int, std::function<void()>> callbacks_;
};

struct Crawl {
  Selector selector;
  std::uint16_t port = 0;
  std::set<std::string> seen;
};

class Fetcher {
 public:
  Fetcher(Crawl& crawl, std::string path) : crawl_(crawl), path_(std::move(path)) {}

  void fetch() {
    const OnStack here("Fetcher::fetch");
    connection_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    tiny_http::start_connecting(connection_, crawl_.port);
    crawl_.selector.watch(connection_, EPOLLOUT, [this] { connected(); });
  }

 private:
  void connected() {
    const OnStack here("Fetcher::connected");
    const std::string request = tiny_http::request_for(path_);
    send(connection_, request.data(), request.size(), MSG_NOSIGNAL);
    crawl_.selector.watch(connection_, EPOLLIN, [this] { read_response(); });
  }

  void read_response() {
    const OnStack here("Fetcher::read_response");
    char chunk[4096];
    const ssize_t count = recv(connection_, chunk, sizeof(chunk), 0);
    if (count > 0) {
      response_.append(chunk, static_cast<std::size_t>(count));
      return;
    }
    crawl_.selector.forget(connection_);
    close(connection_);
    follow_links();
    delete this;
  }

  void follow_links() {
    const OnStack here("Fetcher::follow_links");
    if (response_.find("200 OK") == response_.npos) {
      std::printf("%s failed; the stack knows only this:\n", path_.c_str());
      print_stack();
      return;
    }
    for (const std::string& link : tiny_http::links_in(response_)) {
      if (crawl_.seen.insert(link).second) (new Fetcher(crawl_, link))->fetch();
    }
  }

  Crawl& crawl_;
  std::string path_;
  std::string response_;
  int connection_ = -1;
};

void run_loop(Crawl& crawl) {
  const OnStack here("run_loop");
  while (!crawl.selector.empty()) crawl.selector.wait_and_call();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return tiny_http::usage("03_callbacks PORT");
  const OnStack here("main");
  Crawl crawl;
  crawl.port = tiny_http::port_from(argv[1]);
  crawl.seen.insert("/");
  (new Fetcher(crawl, "/"))->fetch();
  run_loop(crawl);
  std::printf("%zu pages\n", crawl.seen.size());
}
