// For tests: a server in the simulated world that speaks RESP and answers as a test says.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/loop.h"
#include "async/scope.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/check.h"
#include "base/result.h"
#include "redis/resp.h"

namespace gossamer::redis {

using Words = std::vector<std::string>;

class RedisTestServer {
 public:
  // Returns the bytes of the reply; empty: it is silent; kHangUp: it closes the connection.
  using Answer = std::move_only_function<std::string(const Words& words)>;
  static constexpr std::string_view kHangUp = "hang up";

  RedisTestServer(async::Loop& loop, std::string_view address, std::uint16_t port, Answer answer)
      : answer_(std::move(answer)) {
    async::Endpoint at = *async::Endpoint::parse_address(address);
    at.port = port;
    auto listener = async::Listener::bind(loop, at);
    CHECK(listener.has_value());
    listener_.emplace(std::move(*listener));
  }

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

  std::vector<Words> heard;
  std::size_t connections = 0;

 private:
  async::Task<Result<void>> serve(async::Socket socket) {
    RespReader reader;
    for (;;) {
      std::string received;
      {
        auto lent = co_await socket.receive();
        if (!lent) co_return fail(std::move(lent).error());
        if (lent->end()) co_return {};
        received = as_text(lent->bytes());
      }
      std::string out;
      for (Bytes rest = as_bytes(received); !rest.empty();) {
        const auto step = reader.feed(rest);
        CHECK(step.has_value());
        rest = rest.subspan(step->consumed);
        if (!step->is_done) continue;
        Words words;
        for (const Reply& item : reader.take().items) words.push_back(item.text);
        heard.push_back(words);
        const std::string reply = answer_(words);
        if (reply == kHangUp) co_return {};
        out += reply;
      }
      if (out.empty()) continue;
      if (auto sent = co_await socket.send(as_bytes(out)); !sent) co_return sent;
    }
  }

  std::optional<async::Listener> listener_;
  Answer answer_;
};

}  // namespace gossamer::redis
