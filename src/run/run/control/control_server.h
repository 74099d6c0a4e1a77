#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "net/local_socket.h"
#include "run/control/control_protocol.h"

namespace gossamer::run {

// Lets other programs watch and control a crawl: it accepts requests on a Unix socket from programs
// of the same user. It disconnects clients that do not read or that are silent for long; they delay
// nothing else.
class ControlServer {
 public:
  // BOUND: concurrent clients. Further ones get an error.
  static constexpr std::size_t kClientsMax = 8;

  // Returns the reply: a line, without its line feed.
  using Answer = std::move_only_function<async::Task<std::string>(ControlRequest request)>;

  // Fails as net::LocalListener::bind() does.
  static Result<ControlServer> bind(const std::string& path);

  void on_request(Answer answer) { answer_ = std::move(answer); }
  // Runs until it is cancelled. REQUIRES: on_request() was called. BORROWS: this.
  async::Task<Result<void>> run();

 private:
  explicit ControlServer(net::LocalListener listener) noexcept : listener_(std::move(listener)) {}

  async::Task<Result<void>> serve(net::LocalStream client);
  // Answers requests until either side closes the connection. BORROWS: the stream.
  async::Task<Result<void>> converse(net::LocalStream& client);
  // Reads the next line. Fails with Errc::closed at the end. BORROWS: both.
  static async::Task<Result<std::string>> next_line(net::LocalStream& client, std::string& heard);

  net::LocalListener listener_;
  Answer answer_;
  std::size_t clients_ = 0;
};

}  // namespace gossamer::run
