// For tests: a server on its own thread and loop, for clients with their own loop and for programs.
#pragma once

#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "async/event.h"
#include "async/loop.h"
#include "async/scope.h"
#include "tests/support/scripted_server.h"

namespace gossamer::support {

// A Server has listen() and run(), called on its loop, and port().
template <class Server>
class ServerThread {
 public:
  template <class... Arguments>
  explicit ServerThread(Arguments&&... arguments) : server_(std::forward<Arguments>(arguments)...) {
    std::promise<void> ready;
    auto is_ready = ready.get_future();
    thread_ = std::thread([this, &ready] {
      async::Loop loop;
      loop.run(serve(loop, ready));
      has_posted_.get_future().wait();  // the stopping thread may still be in post()
    });
    is_ready.wait();
  }
  ~ServerThread() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    loop_->post([this] { stopped_->set(); });
    has_posted_.set_value();
    thread_.join();
  }
  // Calls `question` with the server on its loop and returns the result. REQUIRES: not stopped.
  template <class Question>
  auto ask(Question question) {
    std::promise<decltype(question(std::declval<Server&>()))> answer;
    loop_->post([&] { answer.set_value(question(server_)); });
    return answer.get_future().get();
  }
  // REQUIRES: stop() was called, or the server does not change the requested state.
  const Server& server() const { return server_; }
  std::string port() const { return std::to_string(server_.port()); }
  std::string url(const std::string& path) const { return "http://127.0.0.1:" + port() + path; }

 private:
  async::Task<void> serve(async::Loop& loop, std::promise<void>& ready) {
    async::Event stopped;
    loop_ = &loop;
    stopped_ = &stopped;
    CHECK(server_.listen());
    async::Scope scope(async::OnFailure::keep_going);
    auto serving = scope.spawn(server_.run());
    ready.set_value();
    static_cast<void>(co_await stopped.wait());
    serving.cancel();
    static_cast<void>(co_await scope.join());
  }

  Server server_;
  async::Loop* loop_ = nullptr;
  async::Event* stopped_ = nullptr;
  std::promise<void> has_posted_;
  std::thread thread_;
};

class ScriptedServerThread : public ServerThread<http::ScriptedServer> {
 public:
  explicit ScriptedServerThread(std::vector<http::Scripted> script)
      : ServerThread(std::move(script)) {}
  // REQUIRES: stop() was called.
  const std::vector<std::string>& requests() const { return server().requests; }
};

}  // namespace gossamer::support
