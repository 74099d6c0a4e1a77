#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/event.h"
#include "async/future.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "net/connector.h"
#include "net/stream.h"
#include "net/tls_context.h"
#include "redis/resp.h"
#include "redis/server_url.h"

namespace gossamer::redis {

// The password is sent to servers and appears nowhere else: not in errors, not in logs.
struct Credentials {
  std::string user;      // empty: the default user
  std::string password;  // empty: no authentication
};

// How servers are reached. BORROWS: the connector.
struct Access {
  net::Connector* connector = nullptr;
  std::shared_ptr<net::TlsContext> tls;  // nullptr: without TLS
  Credentials credentials;
};

struct ConnectionOptions {
  // BOUND: calls without a reply. Further calls wait.
  std::size_t calls_max = 256;
  // BOUND: bytes of commands without a reply. A call may exceed it only if there is no other.
  std::size_t bytes_max = std::size_t{16} * 1024 * 1024;
  // A server that owes a reply for longer is not waited for.
  Duration reply_timeout = 5s;
  RespLimits limits;
};

// A connection to one server. Calls are pipelined: each is sent immediately, and the replies come
// in the order of the calls.
//
// Any failure ends the connection and all calls that wait. So does a reply that is later than
// ConnectionOptions::reply_timeout. A call that reaches its deadline before that ends alone.
class Connection {
 public:
  // Connects, starts TLS, and authenticates. The connection runs in the scope; it ends by itself,
  // by close(), or with the scope. Fails with Errc::invalid_argument if a user has no password: it
  // would be the default user. Fails with Errc::denied if the server rejects the password, with
  // Errc::tls_failed, and as Connector::connect() does. BORROWS: the scope.
  static async::Task<Result<std::shared_ptr<Connection>>> open(Access access, Node node,
                                                               async::Scope& scope,
                                                               ConnectionOptions options,
                                                               Instant deadline);
  // REQUIRES: it has ended. Use open().
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Sends the commands together and returns their replies, in order. Errors of the server are
  // replies. Fails with Errc::timed_out, and with the failure of the connection; then it is unknown
  // which commands were executed. BORROWS: the connection.
  async::Task<Result<std::vector<Reply>>> call(Commands commands, Instant deadline);

  // False after a failure.
  bool is_open() const noexcept { return !failure_; }
  // No call waits for a reply.
  bool is_idle() const noexcept { return calls_.empty(); }
  void close() { end(Error(Errc::closed, "the connection was closed")); }
  const Node& node() const noexcept { return node_; }

 private:
  struct Call {
    async::Promise<std::vector<Reply>> promise;
    std::vector<Reply> replies;
    std::size_t left = 0;
    std::size_t bytes = 0;
    Instant overdue;  // when its replies are too late
  };

  Connection(Node node, net::Stream stream, ConnectionOptions options);
  static async::Task<void> run(std::shared_ptr<Connection> self);
  async::Task<Result<void>> authenticate(Credentials credentials, Instant deadline);
  async::Task<Result<void>> send_all();
  async::Task<Result<void>> receive_all();
  Result<void> accept(Bytes bytes);
  Result<void> accept(Reply reply);
  // Returns whether a call of that size has to wait.
  bool is_full_for(std::size_t bytes) const noexcept;
  void end(Error error);
  Error late() const;

  const Node node_;
  const ConnectionOptions options_;
  net::Stream stream_;
  RespReader reader_;
  std::deque<Call> calls_;  // without all of their replies, the oldest first
  std::size_t bytes_ = 0;   // of the commands of these calls
  std::string outgoing_;
  async::Event has_outgoing_;
  async::Event has_room_;
  std::optional<Error> failure_;
  async::Scope* tasks_ = nullptr;  // while it runs
};

}  // namespace gossamer::redis
