#include "run/shared/cluster_work.h"

#include <utility>

#include "async/loop.h"
#include "async/scope.h"
#include "net/cares_resolver.h"
#include "net/connector.h"
#include "net/hosts_file.h"
#include "net/local_names.h"
#include "redis/connection.h"
#include "redis/server_url.h"

namespace gossamer::run {
namespace {

// For finding a server that answers.
constexpr Duration kOpenPatience = 3s;
// For one call, with all of its repetitions.
constexpr Duration kCallPatience = 10s;

// BORROWS: the names and the work.
async::Task<Result<void>> use_client(net::Resolver& names, redis::Access access,
                                     redis::ServerUrl url, ClusterWork& work) {
  net::Connector connector(names);
  access.connector = &connector;
  async::Scope connections(async::OnFailure::keep_going);
  Result<void> done;
  {
    redis::Client client(std::move(access), {.seeds = std::move(url.seeds), .connection = {}},
                         connections);
    done = co_await client.open(async::Loop::current().now() + kOpenPatience);
    if (done) done = co_await work.run(client, std::move(url.crawl));
  }
  static_cast<void>(co_await connections.join());
  co_return done;
}

// BORROWS: the work.
async::Task<Result<void>> use_names(redis::Access access, redis::ServerUrl url, ClusterWork& work) {
  auto hosts = co_await net::HostsFile::load("/etc/hosts");
  if (!hosts) hosts = net::HostsFile();
  auto servers = net::CaresResolver::make(async::Loop::current());
  if (!servers) co_return fail(std::move(servers).error());
  net::LocalNames names(**servers, std::move(*hosts));
  co_return co_await use_client(names, std::move(access), std::move(url), work);
}

}  // namespace

Result<redis::Access> access_of(const ClusterSettings& cluster, const redis::ServerUrl& url) {
  redis::Access access = {.credentials = {.user = url.user, .password = cluster.password}};
  if (!url.is_tls) return access;
  auto tls = net::TlsContext::make(cluster.tls);
  if (!tls) return fail(std::move(tls).error());
  access.tls = std::move(*tls);
  return access;
}

async::Task<Result<void>> use_cluster(ClusterSettings cluster, ClusterWork& work) {
  auto url = redis::parse_server_url(cluster.url);
  if (!url) co_return fail(std::move(url).error());
  auto access = access_of(cluster, *url);
  if (!access) co_return fail(std::move(access).error());
  co_return co_await use_names(std::move(*access), std::move(*url), work);
}

Result<void> with_cluster(const ClusterSettings& cluster, ClusterWork& work) {
  async::Loop loop;
  return loop.run(use_cluster(cluster, work));
}

async::Task<Result<cluster::SharedCrawl>> open_crawl(redis::Client& client, std::string crawl) {
  cluster::SharedCrawl reader(client, {.crawl = crawl, .patience = kCallPatience});
  auto facts = co_await reader.facts();
  if (!facts) co_return fail(std::move(facts).error());
  cluster::SharedCrawl writer(
      client, {.crawl = std::move(crawl), .patience = kCallPatience, .replicas = facts->replicas});
  // It must know the identity of the crawl.
  facts = co_await writer.facts();
  if (!facts) co_return fail(std::move(facts).error());
  co_return writer;
}

}  // namespace gossamer::run
