#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "site/site.h"
#include "site/site_request.h"
#include "tests/site_server/written_answers.h"

namespace gossamer::site {

struct SiteServerOptions {
  // The size of the response cache. 0 disables it.
  std::size_t cache_bytes_max = 64 * 1024 * 1024;
  // Longer requests are rejected.
  std::size_t request_bytes_max = 16 * 1024;
  // An idle connection is closed after this time.
  Duration idle_max = 60s;
  // How long we wait, after announcing the close, for the client to close first.
  Duration linger_max = 1s;
  // A host with more requests in one second answers 429 with Retry-After: 1. 0: no limit.
  std::uint32_t requests_per_second_max = 0;
  // Whether log() remembers every request. BOUND: none, so disable it for long runs.
  bool keeps_log = true;
};

// One request, as the server saw it.
struct LogEntry {
  std::string host;
  std::string target;  // as it was spelled
  std::string method;
  std::string user_agent;
  Instant begun = {};            // when it was read
  Instant ended = base::kNever;  // when the kernel took the last byte of the response
  int status = 0;                // 0: there was no response
  std::uint32_t attempt = 0;     // number of earlier requests for it, in any spelling
  std::uint64_t connection = 0;
  bool is_whole = false;  // the whole response was sent
};

// Serves a site over HTTP/1.1 on the current loop.
//
//   Site site(SiteOptions::demo(7));
//   SiteServer server(site);
//   auto serving = scope.spawn(server.run(std::move(*listener)));
//   ...
//   serving.cancel();
//
// It counts the requests for each URL and keeps a log, so that tests can see what a client really
// did. Responses follow their Pace: late, in pieces, or truncated.
class SiteServer {
 public:
  // BORROWS: the site.
  explicit SiteServer(const Site& site, SiteServerOptions options = {});

  // Serves until it is cancelled; then fails with Errc::cancelled. Several can run concurrently,
  // one for each listener. BORROWS: the server.
  async::Task<Result<void>> run(async::Listener listener);
  // The same on an endpoint. Also fails if it cannot listen there.
  async::Task<Result<void>> run(async::Endpoint at);

  // Makes the responses for all pages in advance, as far as they fit into the cache.
  void warm_up();

  // In the order in which they ended.
  const std::vector<LogEntry>& log() const { return log_; }
  // Called at the end of each request, whether it is logged or not.
  void on_request(std::move_only_function<void(const LogEntry&)> observer) {
    observer_ = std::move(observer);
  }
  // Returns the number of requests for a URL, in any spelling, without those answered 429.
  std::uint32_t requests_for(std::string_view url) const;
  std::uint64_t requests() const { return requests_; }
  std::uint64_t connections() const { return connections_; }
  std::uint64_t in_flight() const { return in_flight_; }
  std::uint64_t in_flight_max() const { return in_flight_max_; }

 private:
  struct Reply;
  class Ticket;

  async::Task<Result<void>> serve(async::Socket socket, std::uint64_t connection);
  // Reads until there is a request, and returns its size; 0 if there will be none. BORROWS: all.
  async::Task<Result<std::size_t>> read(async::Socket& socket, std::string& heard,
                                        SiteRequest& request);
  // Returns whether the connection continues. BORROWS: all.
  async::Task<Result<bool>> reply(async::Socket& socket, const SiteRequest& request,
                                  std::uint64_t connection);
  // Sends an error and closes. BORROWS: the socket.
  async::Task<Result<void>> refuse(async::Socket& socket, int status);
  // BORROWS: the socket.
  async::Task<Result<void>> linger(async::Socket& socket);

  Reply make_reply(const SiteRequest& request);
  bool is_too_often(std::string_view host);
  Reply make_answer(const SiteRequest& request, std::uint64_t key);
  std::uint64_t cache_key(const SiteRequest& request) const;
  std::uint64_t resource_key(std::string_view host, std::string_view target) const;
  void log_end(LogEntry entry, bool is_whole);

  const Site& site_;
  const SiteServerOptions options_;
  WrittenAnswers cache_;
  std::unordered_map<std::uint64_t, std::uint32_t> attempts_;  // by resource_key()
  struct Second {
    Instant begun = {};
    std::uint32_t requests = 0;
  };
  std::unordered_map<std::uint64_t, Second> seconds_;  // by hash of the host
  std::vector<LogEntry> log_;
  std::move_only_function<void(const LogEntry&)> observer_;
  std::uint64_t requests_ = 0;
  std::uint64_t connections_ = 0;
  std::uint64_t in_flight_ = 0;
  std::uint64_t in_flight_max_ = 0;
};

}  // namespace gossamer::site
