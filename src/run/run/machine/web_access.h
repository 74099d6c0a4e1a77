#pragma once

#include <memory>

#include "async/loop.h"
#include "async/scope.h"
#include "async/task.h"
#include "base/result.h"
#include "http/client.h"
#include "net/resolver.h"
#include "net/tls_context.h"
#include "settings/web_options.h"

namespace gossamer::run {

// The complete network stack of a command: hosts file, name servers with their cache, the connector
// with its guard, TLS, the client.
class WebAccess {
 public:
  // Lookups run in `scope`; its children must end before this object is destroyed.
  // BORROWS: the loop and the scope.
  static async::Task<Result<std::unique_ptr<WebAccess>>> open(async::Loop& loop,
                                                              async::Scope& scope,
                                                              WebOptions options);
  // The same with other name servers and without a hosts file; `tls` is nullptr if there is none.
  WebAccess(std::unique_ptr<net::Resolver> servers, std::shared_ptr<net::TlsContext> tls,
            async::Scope& scope, WebOptions options);
  ~WebAccess();
  WebAccess(const WebAccess&) = delete;
  WebAccess& operator=(const WebAccess&) = delete;

  http::Client& client();
  // The resolver of the client, which uses `resolve` first.
  net::Resolver& resolver();
  // The resolver for pauses per address. nullptr: a proxy resolves names.
  net::Resolver* resolver_of_hosts();
  // nullptr: there is no TLS.
  net::TlsContext* tls();

 private:
  struct Parts;
  explicit WebAccess(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace gossamer::run
