#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "http/asker.h"
#include "http/deadlines.h"
#include "http/dialer.h"
#include "http/pool.h"
#include "http/proxy.h"
#include "http/request.h"
#include "http/response.h"
#include "net/connector.h"
#include "net/tls_context.h"
#include "wire/request_writer.h"
#include "wire/response_parser.h"

namespace gossamer::http {

struct ClientOptions {
  Deadlines deadlines;
  PoolOptions pool;
  wire::ResponseLimits limits;
  // BOUND: of a body, as it is on the wire. What is beyond is not read.
  std::uint64_t body_bytes_max = std::uint64_t{1} << 30;
  // Sent with every request that has none of the same name.
  std::vector<Field> fields = {{"User-Agent", "gossamer"}, {"Accept", "*/*"}};
  ProxySettings proxies;
  KnownAddresses addresses;
  // Keeps the bytes of each request, for archives: Response::request_head().
  bool keep_request = false;
  // Sets connections apart that differ in a client certificate or the like.
  std::string identity;
};

// One exchange, done right: no redirects, no retries and no policy, but for the one retry that
// only the client can know to be safe (see send). Belongs to one loop; dies after its responses.
//
//   http::Client client(connector, tls, {});
//   auto response = co_await client.send(request);
//   while (response) {
//     auto piece = co_await response->next();
//     if (!piece || piece->empty()) break;
//     ...
//   }
class Client {
 public:
  // BORROWS: the connector. REQUIRES: `tls` is there if https is asked for.
  Client(net::Connector& connector, std::shared_ptr<net::TlsContext> tls, ClientOptions options);

  // Sends the request on a pooled connection, or a new one, and gives the answer once its head is
  // there. A pooled connection that turns out to be dead before a byte of the answer came is
  // replaced by a new one, once, if the method may be repeated. Fails with the step that failed in
  // its context. BORROWS: the client, and the request while it is awaited.
  async::Task<Result<Response>> send(const Request& request);
  // The same for those who have many that wait. BORROWS: the client, and the asker while it is
  // awaited.
  async::Task<Result<Response>> send(Asker& asker);

  const ClientOptions& options() const { return options_; }
  const Pool& pool() const { return pool_; }
  void close_idle() noexcept { pool_.close_idle(); }

 private:
  // Sends the request, on a new connection if there was one before, which is dead. BORROWS: all.
  async::Task<Result<void>> ask(Asker& asker, Response::Asked& asked);
  // A lease without waiting for it, if there is one to be had.
  Pool::Lease lease_now(const Request& request, Instant now);
  // Waits for one, in place of that which is dead, if any. BORROWS: all.
  async::Task<Result<void>> find_lease(const Request& request, Response::Asked& asked);
  [[gnu::noinline]] static bool is_worth_another(const Asker& asker, const Response::Asked& asked,
                                                 const Error& error);
  [[gnu::noinline]] Response conclude(Response::Asked& asked) const;
  Instant deadline_of(const Response::Asked& asked) const;

  Result<std::string> write(const Request& request, const Proxy* proxy);
  // BORROWS: the client.
  async::Task<Result<Pool::Lease>> lease(Destination to, Instant deadline);
  async::Task<Result<Pool::Lease>> lease_new(Pool::Turn turn, Destination to, Instant deadline);

  const ClientOptions options_;
  Dialer dialer_;
  Pool pool_;
  // Used again with every request, so that they grow but once.
  std::vector<wire::RequestField> fields_;
  std::string key_;
};

}  // namespace gossamer::http
