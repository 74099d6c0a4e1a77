// The numbers of a running crawl, for Prometheus.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "async/endpoint.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "run/control/control_protocol.h"
#include "server/http_server.h"
#include "server/metrics.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::run {

// Adds the numbers of a crawl. `name` is the label that distinguishes it from others.
void add_crawl(server::Metrics& metrics, std::string_view name, const CrawlProgress& status);

// Adds the state of a crawl. REQUIRES: `now` is running, paused, stopping or ended.
void add_state(server::Metrics& metrics, std::string_view name, std::string_view now);

// Answers `GET /metrics` with the numbers of one crawl. It has no token. On a loopback address it
// rejects requests for other host names; on others, everybody who can reach it may read.
class MetricsServer final : private server::Responder {
 public:
  using Status = std::move_only_function<CrawlProgress()>;

  // Fails as async::Listener::bind() does. REQUIRES: runs on a loop.
  static Result<std::unique_ptr<MetricsServer>> bind(const async::Endpoint& address,
                                                     std::string name, Status status);

  // "http://127.0.0.1:9100/metrics"
  std::string address() const;
  // Serves until it is cancelled; then fails with Errc::cancelled. Call it once. BORROWS: this.
  async::Task<Result<void>> run() { return server_.run(std::move(listener_)); }

 private:
  MetricsServer(async::Listener listener, std::string name, Status status);
  // BORROWS: both.
  async::Task<server::Response> answer(const server::Request& request) override;
  void seal(server::Response& response) override;
  server::Response respond(const server::Request& request);

  async::Listener listener_;
  const async::Endpoint endpoint_;
  const std::string name_;
  Status status_;
  server::HttpServer server_;
};

}  // namespace gossamer::run
