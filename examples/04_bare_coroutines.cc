// Stage 4: a Future and a Task made from nothing but the language. A coroutine waits by awaiting a
// Future; the event loop resolves futures; a Task drives a coroutine and is itself a Future that
// others can await. This is the whole idea of the runtime in about a hundred lines; the real one
// adds cancellation, timers, ownership, stacks and speed.
//
//   04_bare_coroutines PORT PATH
#include <sys/epoll.h>
#include <unistd.h>

#include <cerrno>
#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tiny_http.h"

namespace {

// A value that will be available later: pending, then resolved; callbacks run at that point.
template <class T>
class Future {
 public:
  bool resolved() const { return state_->resolved; }
  void resolve(T value) {
    state_->value = std::move(value);
    state_->resolved = true;
    for (auto& callback : std::exchange(state_->callbacks, {})) callback();
  }
  void on_done(std::function<void()> callback) const { state_->callbacks.push_back(callback); }

  // Awaiting continues immediately if it is resolved, else when it will be.
  bool await_ready() const { return resolved(); }
  void await_suspend(std::coroutine_handle<> waiter) const {
    on_done([waiter] { waiter.resume(); });
  }
  T await_resume() const { return state_->value; }

 private:
  struct State {
    T value = {};
    bool resolved = false;
    std::vector<std::function<void()>> callbacks;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// A coroutine that runs by itself and resolves its future with its return value.
template <class T>
class Task : public Future<T> {
 public:
  struct promise_type {
    Task get_return_object() { return Task(result); }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_value(T value) { result.resolve(std::move(value)); }
    void unhandled_exception() { std::terminate(); }
    Future<T> result;
  };

 private:
  explicit Task(const Future<T>& result) : Future<T>(result) {}
};

// The event loop: resolves the future of a descriptor when it is ready.
class Loop {
 public:
  Future<bool> ready(int descriptor, std::uint32_t events) {
    epoll_event event = {.events = events | EPOLLONESHOT, .data = {.fd = descriptor}};
    if (epoll_ctl(epoll_, EPOLL_CTL_MOD, descriptor, &event) != 0) {
      epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
    }
    return waiting_[descriptor] = Future<bool>();
  }

  template <class T>
  T run(Task<T> task) {
    while (!task.resolved()) {
      epoll_event event = {};
      if (epoll_wait(epoll_, &event, 1, -1) == 1) waiting_[event.data.fd].resolve(true);
    }
    return task.await_resume();
  }

 private:
  int epoll_ = epoll_create1(0);
  std::map<int, Future<bool>> waiting_;
};

Task<std::string> fetch(Loop& loop, std::uint16_t port, std::string path) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  tiny_http::start_connecting(connection, port);
  co_await loop.ready(connection, EPOLLOUT);
  const std::string request = tiny_http::request_for(path);
  send(connection, request.data(), request.size(), MSG_NOSIGNAL);
  std::string response;
  for (;;) {
    co_await loop.ready(connection, EPOLLIN);
    char chunk[4096];
    const ssize_t count = recv(connection, chunk, sizeof(chunk), 0);
    if (count <= 0) break;
    response.append(chunk, static_cast<std::size_t>(count));
  }
  close(connection);
  co_return response;
}

Task<std::size_t> count_links(Loop& loop, std::uint16_t port, std::string path) {
  co_return tiny_http::links_in(co_await fetch(loop, port, std::move(path))).size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return tiny_http::usage("04_bare_coroutines PORT PATH");
  Loop loop;
  const std::size_t links = loop.run(count_links(loop, tiny_http::port_from(argv[1]), argv[2]));
  std::printf("%s: %zu links\n", argv[2], links);
}
