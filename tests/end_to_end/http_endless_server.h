// A server on the loop of the test whose responses never end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "async/scope.h"
#include "async/sleep.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

namespace gossamer::http {

struct Endless {
  std::string begin;                    // once
  std::string unit;                     // then this, forever; empty: silence
  Duration between = Duration::zero();  // before each unit
  bool speaks_first = false;            // does not wait for a request
};

class EndlessServer {
 public:
  // REQUIRES: runs on a loop.
  explicit EndlessServer(Endless what)
      : what_(std::move(what)),
        listener_(std::move(async::Listener::bind(async::Endpoint::loopback(0)).value())) {}

  std::uint16_t port() const { return listener_.endpoint().port; }
  std::string address() const { return "127.0.0.1:" + std::to_string(port()); }
  std::uint64_t bytes_sent() const { return bytes_sent_; }

  // Runs until it is cancelled. BORROWS: the server.
  async::Task<Result<void>> run() {
    async::Scope scope(async::OnFailure::keep_going);
    while (auto socket = co_await listener_.accept()) scope.spawn(talk(std::move(*socket)));
    scope.cancel();
    co_return co_await scope.join();
  }

 private:
  async::Task<Result<void>> talk(async::Socket socket) {
    if (!what_.speaks_first) {
      auto asked = co_await socket.receive();
      if (!asked) co_return fail(std::move(asked).error());
    }
    // Sends small units in one packet, so that the test is quick.
    std::string bytes = what_.begin;
    std::string units = what_.unit;
    while (what_.between == Duration::zero() && !units.empty() && units.size() < 16 * 1024) {
      units += units;
    }
    for (;;) {
      if (!bytes.empty()) {
        if (auto sent = co_await socket.send(as_bytes(bytes)); !sent) co_return sent;
      }
      bytes_sent_ += bytes.size();
      const Duration pause = units.empty() ? Duration(24h) : what_.between;
      if (auto slept = co_await async::sleep(pause); !slept) co_return slept;
      bytes = units;
    }
  }

  const Endless what_;
  async::Listener listener_;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace gossamer::http
