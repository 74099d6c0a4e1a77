// For tests: a server that follows a script and remembers the requests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::http {

// The reaction to a request.
struct Scripted {
  std::string bytes;                    // what it sends
  Duration delay = Duration::zero();    // before that
  std::size_t piece = 0;                // the size of pieces; 0: one piece
  Duration between = Duration::zero();  // between the pieces
  bool closes = false;                  // and then closes
};

class ScriptedServer {
 public:
  // Answers the n-th request, over all connections, with the n-th entry of `script`; repeats the
  // last one.
  explicit ScriptedServer(std::vector<Scripted> script) : script_(std::move(script)) {}

  // REQUIRES: runs on a loop.
  Result<void> listen() {
    auto listener = async::Listener::bind(async::Endpoint::loopback(0));
    if (!listener) return fail(std::move(listener).error());
    port_ = listener->endpoint().port;
    listener_.emplace(std::move(*listener));
    return {};
  }
  std::uint16_t port() const { return port_; }

  // Runs until it is cancelled. BORROWS: the server.
  async::Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    while (auto socket = co_await listener_->accept()) {
      ++connections;
      scope.spawn(serve(std::move(*socket)));
    }
    listener_.reset();
    scope.cancel();
    co_return co_await scope.join();
  }

  std::vector<std::string> requests;
  std::size_t connections = 0;

 private:
  async::Task<Result<void>> serve(async::Socket socket) {
    std::string heard;
    for (;;) {
      while (heard.find("\r\n\r\n") == std::string::npos) {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        heard += as_text(lent->bytes());
      }
      const std::size_t end = heard.find("\r\n\r\n") + 4;
      requests.push_back(heard.substr(0, end));
      heard.erase(0, end);
      const Scripted answer = script_[std::min(requests.size(), script_.size()) - 1];
      if (auto said = co_await say(socket, answer); !said) co_return said;
      if (answer.closes) co_return {};
    }
  }

  // BORROWS: the socket.
  async::Task<Result<void>> say(async::Socket& socket, Scripted answer) {
    if (auto slept = co_await async::sleep(answer.delay); !slept) co_return slept;
    const std::size_t piece = answer.piece == 0 ? answer.bytes.size() : answer.piece;
    for (std::size_t at = 0; at < answer.bytes.size(); at += piece) {
      if (at > 0 && answer.between > Duration::zero()) {
        if (auto slept = co_await async::sleep(answer.between); !slept) co_return slept;
      }
      const std::string part = answer.bytes.substr(at, piece);
      if (auto sent = co_await socket.send(as_bytes(part)); !sent) co_return sent;
    }
    co_return {};
  }

  std::vector<Scripted> script_;
  std::optional<async::Listener> listener_;
  std::uint16_t port_ = 0;
};

}  // namespace gossamer::http
