#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "async/event.h"
#include "async/scope.h"
#include "async/socket.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "server/request.h"
#include "server/response.h"

namespace gossamer::server {

// Answers requests. It must be fit for several at a time.
class Responder {
 public:
  virtual ~Responder() = default;
  // BORROWS: both, until the answer is complete.
  virtual async::Task<Response> answer(const Request& request) = 0;
  // Adds the fields that every answer of this server has, also to requests that could not be read.
  virtual void seal(Response& response) = 0;
  // Returns whether the answer may take so long that the client leaves before. Then answer() is
  // cancelled.
  virtual bool is_slow(const Request& /*request*/) const { return false; }
};

struct ServerLimits {
  std::size_t connections_max = 64;
  Duration head_time = 10s;  // for a head and, again, for a body
  Duration idle_time = 60s;  // between requests
  Duration send_time = 30s;  // for each 64 KiB of an answer; all of it has a least rate
  // All bodies in memory that are being sent. An answer with another one is replaced by 503.
  std::size_t body_bytes_max = std::size_t{320} * 1024 * 1024;
  // The same of bodies in files.
  std::size_t mapped_bytes_max = std::size_t{2} * 1024 * 1024 * 1024;
  // While so much is being sent to several clients, or so many answers are being made, no other one
  // is begun: its body would wait in memory. After `room_time` it is replaced by 503.
  std::size_t busy_bytes = std::size_t{32} * 1024 * 1024;
  std::size_t answers_made_max = 8;
  Duration room_time = 40s;  // longer than a client that reads nothing can hold a body
  RequestLimits request = {};
};

// A small HTTP/1.1 server for browsers on this machine. A client can hold a connection for the
// times above, and nothing else.
class HttpServer {
 public:
  // BORROWS: the responder.
  explicit HttpServer(Responder& responder, const ServerLimits& limits = {})
      : responder_(responder), limits_(limits) {}

  // Serves until it is cancelled; then fails with Errc::cancelled. BORROWS: this.
  async::Task<Result<void>> run(async::Listener listener);

  std::size_t connections() const noexcept { return connections_; }
  // Answers by status.
  const std::map<int, std::uint64_t>& answers() const noexcept { return answers_; }

 private:
  async::Task<Result<void>> serve(async::Socket socket);
  // BORROWS, here and below: the parameters and this.
  async::Task<Result<void>> converse(async::Socket& socket);
  // Waits until an answer may be made. BORROWS: this.
  async::Task<Result<void>> wait_for_room();
  // Answers with 500 if the responder throws. BORROWS: all of it.
  async::Task<Response> answer(async::Socket& socket, std::string& heard, const Request& request);
  // Answers a slow request. Ends early if the client leaves. `heard` gets what the client sends
  // meanwhile. BORROWS: all of it.
  async::Task<Response> answer_slowly(async::Socket& socket, std::string& heard,
                                      const Request& request);
  // BORROWS: all of it.
  async::Task<Response> answer_in(async::Scope& scope, const Request& request);
  // Cancels the scope when the client leaves. BORROWS: all of it.
  async::Task<Result<void>> watch_client(async::Scope& scope, async::Socket& socket,
                                         std::string& heard, const Request& request);
  // The same for a client that sends no more: it may still wait for its answer. BORROWS: both.
  async::Task<Result<void>> probe_client(async::Scope& scope, async::Socket& socket);
  // Reads a request. Returns false at the end of the connection. BORROWS: all of it.
  async::Task<Result<bool>> read(async::Socket& socket, std::string& heard, RequestParser& parser);
  // BORROWS: the socket.
  async::Task<Result<void>> send(async::Socket& socket, Response response, bool is_head,
                                 bool keeps_alive);
  // BORROWS: both.
  async::Task<Result<void>> send_stream(async::Socket& socket, BodyStream& stream);
  // BORROWS: both.
  async::Task<Result<void>> send_bytes(async::Socket& socket, std::string_view bytes);
  // Ends a connection so that the client can still read the answer. BORROWS: the socket.
  async::Task<Result<void>> part(async::Socket& socket);

  Responder& responder_;
  const ServerLimits limits_;
  std::size_t connections_ = 0;
  std::size_t rejected_ = 0;    // connections beyond the limit that are being closed
  std::size_t bodies_ = 0;      // that are being sent
  std::size_t body_bytes_ = 0;  // of them
  std::size_t mapped_bytes_ = 0;
  std::size_t made_ = 0;   // answers that are being made
  async::Event has_room_;  // one of these became less
  std::map<int, std::uint64_t> answers_;
};

}  // namespace gossamer::server
