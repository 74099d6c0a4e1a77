#pragma once

#include <optional>
#include <string>

#include "async/task.h"
#include "base/result.h"
#include "net/local_socket.h"
#include "run/control/control_protocol.h"

namespace gossamer::run {

// Sends requests to a running crawl, to the socket of its `control`.
class ControlClient {
 public:
  // Fails if no crawl listens there; the detail is for the user.
  static Result<ControlClient> connect(const std::string& path);

  // Returns the reply, one line. Fails with Errc::peer_closed if the crawl has ended.
  // BORROWS: this.
  async::Task<Result<std::string>> ask(ControlRequest request);

 private:
  explicit ControlClient(net::LocalStream stream) noexcept : stream_(std::move(stream)) {}
  async::Task<Result<std::string>> exchange(ControlRequest request);

  net::LocalStream stream_;
  std::string heard_;
};

}  // namespace gossamer::run
