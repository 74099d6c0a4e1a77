#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "http/connection.h"
#include "http/protocols.h"
#include "http/proxy.h"
#include "net/connector.h"
#include "net/tls_context.h"
#include "url/url.h"

namespace gossamer::http {

// The destination of a connection and its proxy.
struct Destination {
  std::string host;  // as in a URL
  std::uint16_t port = 0;
  bool is_tls = false;
  const Proxy* proxy = nullptr;  // BORROWS
  // Without TLS, an HTTP proxy answers itself: requests are in absolute form.
  bool is_through_tunnel() const {
    return proxy != nullptr && (is_tls || proxy->kind == ProxyKind::socks5);
  }

  static Destination of(const url::Url& url, const Proxy* proxy);
  // Returns everything that distinguishes connections: those with one key can serve each other's
  // exchanges. `identity` represents credentials of the connection, such as a client certificate.
  std::string key(const std::string& identity) const;
};

// Overwrites `key` with the key of a URL's destination and reuses its memory.
void write_key(const url::Url& url, const Proxy* proxy, const std::string& identity,
               std::string& key);

// Addresses that override DNS, by "host:port".
using KnownAddresses = std::map<std::string, std::vector<async::Endpoint>>;

// Makes connections: resolves, connects, opens the proxy tunnel, and does the TLS handshake.
class Dialer {
 public:
  // BORROWS: the connector, for as long as it lives.
  Dialer(net::Connector& connector, std::shared_ptr<net::TlsContext> tls, ConnectionOptions options,
         KnownAddresses known = {})
      : connector_(connector),
        tls_(std::move(tls)),
        options_(std::move(options)),
        known_(std::move(known)) {}

  // Over TLS, the server chooses among the protocols of the TLS settings, or `version`, if given.
  // Without TLS, it is HTTP/1.1 unless `version` is given. Fails at the deadline. The context of a
  // failure names the step. BORROWS: the dialer.
  async::Task<Result<std::unique_ptr<Connection>>> dial(Destination to,
                                                        std::optional<Version> version,
                                                        Instant deadline);

  const net::AddressGuard& guard() const { return connector_.guard(); }

 private:
  net::ConnectRequest request_for(const Destination& to) const;
  async::Task<Result<net::Stream>> shake_hands(async::Socket socket, Destination to,
                                               std::optional<Version> version);

  net::Connector& connector_;
  std::shared_ptr<net::TlsContext> tls_;
  const ConnectionOptions options_;
  const KnownAddresses known_;
};

}  // namespace gossamer::http
