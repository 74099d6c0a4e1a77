#include "run/machine/web_access.h"

#include <utility>

#include "net/caching_resolver.h"
#include "net/cares_resolver.h"
#include "net/hosts_file.h"
#include "net/local_names.h"

namespace gossamer::run {
namespace {

// Uses the addresses of `resolve` first, then those of the next resolver. Shows every answer to the
// guard, because no connection may need the first answer for a name.
class KnownNames final : public net::Resolver {
 public:
  // BORROWS: all but the addresses.
  KnownNames(net::Resolver& next, net::Connector& connector, const http::KnownAddresses& known)
      : next_(next), connector_(connector) {
    for (const auto& [host_and_port, addresses] : known) {
      by_host_.try_emplace(host_and_port.substr(0, host_and_port.rfind(':')), addresses);
    }
  }

  async::Task<Result<net::Addresses>> look_up(std::string host) override {
    const auto found = by_host_.find(net::canonical_host(host));
    if (found == by_host_.end()) {
      auto answer = co_await next_.look_up(host);
      if (answer) connector_.learn(host, *answer);
      co_return answer;
    }
    net::Addresses addresses = {.ttl = Duration::max()};
    for (const async::Endpoint& address : found->second) {
      (address.family == async::Endpoint::Family::v6 ? addresses.v6 : addresses.v4)
          .push_back(address);
    }
    co_return addresses;
  }

 private:
  net::Resolver& next_;
  net::Connector& connector_;
  http::KnownAddresses by_host_;
};

}  // namespace

struct WebAccess::Parts {
  Parts(std::unique_ptr<net::Resolver> resolver, net::HostsFile hosts, async::Scope& scope,
        std::shared_ptr<net::TlsContext> tls_context, WebOptions options)
      : servers(std::move(resolver)),
        cache(*servers, scope, {.names_max = options.dns_names_max}),
        names(cache, std::move(hosts)),
        connector(names, net::AddressGuard(std::move(options.guard)), options.connect),
        known(names, connector, options.client.addresses),
        tls(std::move(tls_context)),
        client(connector, tls, std::move(options.client)) {}

  std::unique_ptr<net::Resolver> servers;
  net::CachingResolver cache;
  net::LocalNames names;
  net::Connector connector;
  KnownNames known;
  const std::shared_ptr<net::TlsContext> tls;
  http::Client client;
};

WebAccess::WebAccess(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
WebAccess::WebAccess(std::unique_ptr<net::Resolver> servers, std::shared_ptr<net::TlsContext> tls,
                     async::Scope& scope, WebOptions options)
    : parts_(std::make_unique<Parts>(std::move(servers), net::HostsFile(), scope, std::move(tls),
                                     std::move(options))) {}
WebAccess::~WebAccess() = default;

http::Client& WebAccess::client() { return parts_->client; }
net::Resolver& WebAccess::resolver() { return parts_->known; }
net::TlsContext* WebAccess::tls() { return parts_->tls.get(); }
net::Resolver* WebAccess::resolver_of_hosts() {
  return parts_->client.options().proxies.hosts().empty() ? &parts_->known : nullptr;
}

async::Task<Result<std::unique_ptr<WebAccess>>> WebAccess::open(async::Loop& loop,
                                                                async::Scope& scope,
                                                                WebOptions options) {
  auto hosts = co_await net::HostsFile::load("/etc/hosts");
  if (!hosts) hosts = net::HostsFile();
  auto servers = net::CaresResolver::make(loop, {.servers = options.dns_servers});
  if (!servers) co_return fail(std::move(servers).error());
  auto tls = net::TlsContext::make(options.tls);
  if (!tls) co_return fail(std::move(tls).error());
  co_return std::unique_ptr<WebAccess>(new WebAccess(std::make_unique<Parts>(
      std::move(*servers), std::move(*hosts), scope, std::move(*tls), std::move(options))));
}

}  // namespace gossamer::run
