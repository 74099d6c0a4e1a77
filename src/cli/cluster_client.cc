#include "cli/cluster_client.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "async/loop.h"
#include "async/scope.h"
#include "base/ascii.h"
#include "cli/command.h"
#include "net/cares_resolver.h"
#include "net/connector.h"
#include "net/hosts_file.h"
#include "net/local_names.h"
#include "redis/connection.h"
#include "redis/server_url.h"

namespace gossamer::cli {
namespace {

// For finding a server that answers.
constexpr Duration kOpenPatience = 3s;
constexpr std::size_t kPasswordBytesMax = 4096;

}  // namespace

Result<std::string> read_redis_password(const std::string& file) {
  if (file.empty()) {
    const char* const password = std::getenv(kRedisPasswordVariable);
    return std::string(password == nullptr ? "" : password);
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return fail(Errc::invalid_argument, cannot_read(file));
  std::string password((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  password = base::trimmed(password, "\r\n");
  if (password.empty() || password.size() > kPasswordBytesMax) {
    return fail(Errc::invalid_argument, file + " contains no password");
  }
  return password;
}

namespace {

// BORROWS: the names.
async::Task<Result<cluster::Health>> use_client(net::Resolver& names, redis::Access access,
                                                std::vector<redis::Node> seeds, ClusterWork work) {
  net::Connector connector(names);
  access.connector = &connector;
  async::Scope connections(async::OnFailure::keep_going);
  Result<cluster::Health> health = fail(Errc::internal);
  {
    redis::Client client(std::move(access), {.seeds = std::move(seeds), .connection = {}},
                         connections);
    auto opened = co_await client.open(async::Loop::current().now() + kOpenPatience);
    health = opened ? co_await work(client) : fail(std::move(opened).error());
  }
  static_cast<void>(co_await connections.join());
  co_return health;
}

// BORROWS: the loop.
async::Task<Result<cluster::Health>> use_names(async::Loop& loop, redis::Access access,
                                               std::vector<redis::Node> seeds, ClusterWork work) {
  auto hosts = co_await net::HostsFile::load("/etc/hosts");
  if (!hosts) hosts = net::HostsFile();
  auto servers = net::CaresResolver::make(loop);
  if (!servers) co_return fail(std::move(servers).error());
  net::LocalNames names(**servers, std::move(*hosts));
  co_return co_await use_client(names, std::move(access), std::move(seeds), work);
}

}  // namespace

void declare_cluster(options::Table& table, ClusterArguments& arguments) {
  table.word(options::text(arguments.url, "URL"),
             "redis://HOST:PORT,HOST:PORT/NAME; rediss:// uses TLS");
  table.option("--password-file", options::file(arguments.password_file),
               "read the password of Redis from FILE");
  table.option("--cacert,--ca-certificate", options::file(arguments.tls.ca_file),
               "also trust the certificates in FILE (PEM)");
}

Result<cluster::Health> with_cluster(const ClusterArguments& arguments, ClusterWork work) {
  auto url = redis::parse_server_url(arguments.url);
  if (!url) return fail(std::move(url).error());
  auto password = read_redis_password(arguments.password_file);
  if (!password) return fail(std::move(password).error());
  redis::Access access = {.credentials = {.user = url->user, .password = std::move(*password)}};
  if (url->is_tls) {
    auto tls = net::TlsContext::make(arguments.tls);
    if (!tls) return fail(std::move(tls).error());
    access.tls = std::move(*tls);
  }
  async::Loop loop;
  return loop.run(use_names(loop, std::move(access), std::move(url->seeds), work));
}

}  // namespace gossamer::cli
