#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "net/local_socket.h"
#include "run/control_protocol.h"

namespace gossamer::run {

// Where a crawl is looked into and steered: takes requests at a path in the file system, from
// programs of the own user, and has them answered. Whoever does not read, or says nothing for long,
// is left; nothing else waits for it.
class ControlServer {
 public:
  // BOUND: clients at once. One more is told so and left.
  static constexpr std::size_t kClientsMax = 8;

  // Gives the reply: a line, without its line feed.
  using Answer = std::move_only_function<async::Task<std::string>(ControlRequest request)>;

  // Fails as net::LocalListener::bind() does.
  static Result<ControlServer> bind(const std::string& path);

  void on_request(Answer answer) { answer_ = std::move(answer); }
  // Until it is cancelled. REQUIRES: on_request() was called. BORROWS: this.
  async::Task<Result<void>> run();

 private:
  explicit ControlServer(net::LocalListener listener) noexcept : listener_(std::move(listener)) {}

  async::Task<Result<void>> serve(net::LocalStream client);
  // Reads requests and answers them until one of the two has enough. BORROWS: the stream.
  async::Task<Result<void>> converse(net::LocalStream& client);
  // The next line; fails with Errc::closed at the end. BORROWS: both.
  static async::Task<Result<std::string>> next_line(net::LocalStream& client, std::string& heard);

  net::LocalListener listener_;
  Answer answer_;
  std::size_t clients_ = 0;
};

}  // namespace gossamer::run
