#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "http/client.h"
#include "net/address_guard.h"
#include "net/connector.h"
#include "net/tls_context.h"

namespace gossamer::run {

// How a command reaches the web: names, connections, TLS, HTTP.
struct WebOptions {
  std::vector<std::string> dns_servers;  // empty: the system's
  std::size_t dns_names_max = 100'000;   // in the cache
  net::ConnectOptions connect;
  net::GuardOptions guard;
  net::TlsOptions tls;
  http::ClientOptions client;
};

}  // namespace gossamer::run
