#pragma once

#include <cstdint>
#include <string_view>

#include "async/endpoint.h"
#include "base/time.h"
#include "net/tls_context.h"

namespace gossamer::http {

// The cost of making a connection.
struct ConnectionFacts {
  async::Endpoint remote;  // the peer of our socket: the server, or a proxy
  bool dns_from_cache = false;
  bool is_tls = false;
  Duration dns = Duration::zero();
  Duration connect = Duration::zero();
  Duration handshake = Duration::zero();  // with the proxy, and TLS
  net::TlsNames tls;                      // empty without TLS
};

// The facts about an exchange, for records and for people.
struct ExchangeFacts {
  ConnectionFacts connection;
  std::string_view protocol;  // "HTTP/1.1" or "HTTP/1.0", as the server sent it; "HTTP/2"
  // The connection was made for an earlier exchange: its times are not part of this one.
  bool reused = false;
  Instant started;
  Duration first_byte = Duration::zero();  // from the start
  Duration total = Duration::zero();       // from the start to now, or to the end of the body
  // On the connection, inside TLS.
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;
};

}  // namespace gossamer::http
