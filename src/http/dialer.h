#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "async/endpoint.h"
#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "http/connection.h"
#include "http/http1_connection.h"
#include "http/proxy.h"
#include "net/connector.h"
#include "net/tls_context.h"
#include "url/url.h"

namespace gossamer::http {

// Where a connection leads and what it passes through.
struct Destination {
  std::string host;  // as a URL has it
  std::uint16_t port = 0;
  bool is_tls = false;
  const Proxy* proxy = nullptr;  // BORROWS
  // With an HTTP proxy and no TLS the proxy itself answers: requests are in absolute form.
  bool is_through_tunnel() const {
    return proxy != nullptr && (is_tls || proxy->kind == ProxyKind::socks5);
  }

  static Destination of(const url::Url& url, const Proxy* proxy);
  // All that sets connections apart: those of one key may serve each other's exchanges.
  // `identity` stands for credentials that belong to the connection, such as a client certificate.
  std::string key(const std::string& identity) const;
};

// The key of where a URL leads, written over `key`, whose memory is used again.
void write_key(const url::Url& url, const Proxy* proxy, const std::string& identity,
               std::string& key);

// Where hosts are, for those who know better than the DNS: addresses by "host:port".
using KnownAddresses = std::map<std::string, std::vector<async::Endpoint>>;

// Makes connections: finds the address, connects, passes the proxy, shakes hands.
class Dialer {
 public:
  // BORROWS: the connector, for as long as it lives.
  Dialer(net::Connector& connector, std::shared_ptr<net::TlsContext> tls, Http1Options options,
         KnownAddresses known = {})
      : connector_(connector),
        tls_(std::move(tls)),
        options_(std::move(options)),
        known_(std::move(known)) {}

  // Gives up at the deadline. The context of a failure names the step. BORROWS: the dialer.
  async::Task<Result<std::unique_ptr<Connection>>> dial(Destination to, Instant deadline);

  const Http1Options& options() const { return options_; }

 private:
  net::ConnectRequest request_for(const Destination& to) const;
  async::Task<Result<net::Stream>> shake_hands(async::Socket socket, Destination to);

  net::Connector& connector_;
  std::shared_ptr<net::TlsContext> tls_;
  const Http1Options options_;
  const KnownAddresses known_;
};

}  // namespace gossamer::http
