#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "http/client.h"
#include "net/address_guard.h"
#include "net/connector.h"
#include "net/resolver.h"
#include "net/tls_context.h"

namespace gossamer::run {

struct WebOptions {
  std::vector<std::string> dns_servers;  // none: the system's
  std::size_t dns_names_max = 100'000;   // that are remembered
  net::ConnectOptions connect;
  net::GuardOptions guard;
  net::TlsOptions tls;
  http::ClientOptions client;
};

// All that stands between a command and the network, put together: hosts file, name servers with
// their cache, the connector with its guard, TLS, the client.
class WebAccess {
 public:
  // The lookups run in `scope`, whose children must have ended before this dies.
  // BORROWS: the loop and the scope.
  static async::Task<Result<std::unique_ptr<WebAccess>>> open(async::Loop& loop,
                                                              async::Scope& scope,
                                                              WebOptions options);
  // The same over other name servers and with no hosts file; `tls` is nullptr where there is none.
  WebAccess(std::unique_ptr<net::Resolver> servers, std::shared_ptr<net::TlsContext> tls,
            async::Scope& scope, WebOptions options);
  ~WebAccess();
  WebAccess(const WebAccess&) = delete;
  WebAccess& operator=(const WebAccess&) = delete;

  http::Client& client();
  // As the client finds hosts: what --resolve says first.
  net::Resolver& resolver();
  // Where hosts are, for those who want to spare their addresses. nullptr: a proxy looks them up.
  net::Resolver* resolver_of_hosts();

 private:
  struct Parts;
  explicit WebAccess(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace gossamer::run
