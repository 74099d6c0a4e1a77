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
#include "site/answer_cache.h"
#include "site/site.h"
#include "site/site_request.h"

namespace gossamer::site {

struct SiteServerOptions {
  // Answers that are kept ready. 0: each is made anew.
  std::size_t cache_bytes_max = 64 * 1024 * 1024;
  // Longer requests are refused.
  std::size_t request_bytes_max = 16 * 1024;
  // A connection on which nothing is asked for so long is closed.
  Duration idle_max = 60s;
  // How long we wait, having said that we close, for the client to close first.
  Duration linger_max = 1s;
  // A host that is asked for more in one second says 429, and Retry-After: 1. 0: none does.
  std::uint32_t requests_per_second_max = 0;
  // Whether log() remembers every request. BOUND: none; off for long runs.
  bool keeps_log = true;
};

// One request, as the server saw it.
struct LogEntry {
  std::string host;
  std::string target;  // as it was spelled
  std::string method;
  std::string user_agent;
  Instant begun = {};            // it was read
  Instant ended = base::kNever;  // the last byte of the answer was handed to the system
  int status = 0;                // 0: it got none
  std::uint32_t attempt = 0;     // how often this was asked before, however spelled
  std::uint64_t connection = 0;
  bool is_whole = false;  // all of the answer was sent
};

// Serves a site over HTTP/1.1 on the current loop.
//
//   Site site(SiteOptions::demo(7));
//   SiteServer server(site);
//   auto serving = scope.spawn(server.run(std::move(*listener)));
//   ...
//   serving.cancel();
//
// It counts how often each address was asked for and keeps a log, so that tests can ask it what a
// client really did. Answers come as their Pace says: late, in pieces, or cut off.
class SiteServer {
 public:
  // BORROWS: the site.
  explicit SiteServer(const Site& site, SiteServerOptions options = {});

  // Serves until it is cancelled; then Errc::cancelled. Several may run at once, one for each
  // listener. BORROWS: the server.
  async::Task<Result<void>> run(async::Listener listener);
  // The same on an endpoint. Fails also if that cannot be had.
  async::Task<Result<void>> run(async::Endpoint at);

  // Makes the answers for all pages before they are asked for, as far as there is room for them.
  void warm_up();

  // In the order in which they ended.
  const std::vector<LogEntry>& log() const { return log_; }
  // Called at the end of each request, kept in the log or not.
  void on_request(std::move_only_function<void(const LogEntry&)> observer) {
    observer_ = std::move(observer);
  }
  // How often an address was asked for, in any spelling, and not refused for haste.
  std::uint32_t requests_for(std::string_view url) const;
  std::uint64_t requests() const { return requests_; }
  std::uint64_t connections() const { return connections_; }
  std::uint64_t in_flight() const { return in_flight_; }
  std::uint64_t in_flight_max() const { return in_flight_max_; }

 private:
  struct Reply;
  class Ticket;

  async::Task<Result<void>> serve(async::Socket socket, std::uint64_t connection);
  // Reads until there is a request, and gives its size; 0: there will be none. BORROWS: all.
  async::Task<Result<std::size_t>> read(async::Socket& socket, std::string& heard,
                                        SiteRequest& request);
  // Gives whether the connection goes on. BORROWS: all.
  async::Task<Result<bool>> reply(async::Socket& socket, const SiteRequest& request,
                                  std::uint64_t connection);
  // BORROWS: both.
  async::Task<Result<void>> send(async::Socket& socket, const Reply& reply);
  // Says no and closes. BORROWS: the socket.
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
  AnswerCache cache_;
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
