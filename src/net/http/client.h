#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "http/deadlines.h"
#include "http/dialer.h"
#include "http/pool.h"
#include "http/protocols.h"
#include "http/proxy.h"
#include "http/request.h"
#include "http/request_source.h"
#include "http/response.h"
#include "net/connector.h"
#include "net/tls_context.h"
#include "wire/http2_session.h"
#include "wire/request_writer.h"
#include "wire/response_parser.h"

namespace gossamer::http {

struct ClientOptions {
  Deadlines deadlines;
  PoolOptions pool;
  wire::ResponseLimits limits;
  // BOUND: the size of a body as transferred. The rest is not read.
  std::uint64_t body_bytes_max = std::uint64_t{1} << 30;
  // BOUND: the bytes of a stream of HTTP/2 that were not read yet; the same again are being read.
  std::uint32_t stream_window = wire::Http2Limits().stream_window;
  // Sent with every request that has no field of the same name.
  std::vector<Field> fields = {{"User-Agent", "gossamer"}, {"Accept", "*/*"}};
  // HTTP/2 over TLS also requires "h2" in net::TlsOptions::alpn.
  Protocols protocols = Protocols::automatic;
  ProxySettings proxies;
  KnownAddresses addresses;
  // Keeps the bytes of each request, for archives: Response::request_head().
  bool keep_request = false;
  // Separates connections that differ in a client certificate or the like.
  std::string identity;
};

// One HTTP exchange: no redirects, no retries and no policy, except those retries that only the
// client knows to be safe (see send). Belongs to one loop; must outlive its responses.
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
  // BORROWS: the connector. REQUIRES: `tls` is not null if https URLs are requested.
  Client(net::Connector& connector, std::shared_ptr<net::TlsContext> tls, ClientOptions options);

  // Sends the request on a pooled connection, or a new one, and returns the response once its head
  // has arrived. If a pooled connection turns out to be dead before a byte of the response came, it
  // is replaced by a new one, once, if the method can be repeated. A request that the server says
  // it has not processed (HTTP/2) is repeated at most kRepeatsMax times; over HTTP/1.1 if the
  // server requires that, or if the head of the response was malformed and the method can be
  // repeated. An error has the step that failed in its context. BORROWS: the client, and the
  // request while it is awaited.
  async::Task<Result<Response>> send(const Request& request);
  // The same for callers with many waiting requests. BORROWS: the client and `source`, while it is
  // awaited.
  async::Task<Result<Response>> send(RequestSource& source);

  static constexpr std::uint8_t kRepeatsMax = 2;

  const ClientOptions& options() const { return options_; }
  const Pool& pool() const { return pool_; }
  const net::AddressGuard& guard() const { return dialer_.guard(); }
  void close_idle() noexcept { pool_.close_idle(); }

 private:
  // Sends the request, on a new connection if the previous one is dead. BORROWS: all.
  async::Task<Result<void>> send_request(RequestSource& source, Response::PendingRequest& pending);
  // Returns a lease if one is available without waiting.
  Pool::Lease lease_now(const Request& request, Instant now);
  // Waits for a lease that replaces the dead one, if any. BORROWS: all.
  async::Task<Result<void>> find_lease(const Request& request, Response::PendingRequest& pending);
  [[gnu::noinline]] static bool can_be_repeated(const RequestSource& source,
                                                const Response::PendingRequest& pending,
                                                const Error& error);
  // Returns whether the server says that this connection is not for this host (421), so that a
  // fresh one may help.
  static bool is_misdirected(const Response::PendingRequest& pending);
  [[gnu::noinline]] Response conclude(Response::PendingRequest& pending) const;
  Instant deadline_of(const Response::PendingRequest& pending) const;

  // Returns the head of a request. `authorization` is room for a field. BORROWS: the request and
  // the room; the fields are valid until the next call.
  Result<wire::Request> head_of(const Request& request, const Proxy* proxy,
                                std::string& authorization);
  // BORROWS: the client.
  async::Task<Result<Pool::Lease>> lease(std::optional<Pool::Turn> turn, Destination to,
                                         Instant deadline);
  async::Task<Result<Pool::Lease>> lease_new(Pool::Turn turn, Destination to, Instant deadline);
  // Returns the version for a new connection; nothing if the server chooses.
  std::optional<Version> version_for(const Destination& to, const std::string& key) const;
  // Returns whether a new connection may serve several exchanges.
  bool may_be_shared(const Destination& to) const;

  const ClientOptions options_;
  Dialer dialer_;
  Pool pool_;
  VersionMemory versions_;  // of servers, over TLS
  // Reused for every request, so that they grow only once.
  std::vector<wire::RequestField> fields_;
  std::string key_;
};

}  // namespace gossamer::http
