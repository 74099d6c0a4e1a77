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
#include "base/escape.h"
#include "cli/command.h"
#include "net/cares_resolver.h"
#include "net/connector.h"
#include "net/hosts_file.h"
#include "net/local_names.h"
#include "redis/connection.h"

namespace gossamer::cli {
namespace {

// For finding a server that answers.
constexpr Duration kOpenPatience = 3s;
// For one call of a command, with all of its repetitions.
constexpr Duration kCallPatience = 10s;
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

// BORROWS: the loop and the work.
async::Task<Result<void>> use_names(async::Loop& loop, redis::Access access, redis::ServerUrl url,
                                    ClusterWork& work) {
  auto hosts = co_await net::HostsFile::load("/etc/hosts");
  if (!hosts) hosts = net::HostsFile();
  auto servers = net::CaresResolver::make(loop);
  if (!servers) co_return fail(std::move(servers).error());
  net::LocalNames names(**servers, std::move(*hosts));
  co_return co_await use_client(names, std::move(access), std::move(url), work);
}

}  // namespace

void declare_cluster(options::Table& table, ClusterArguments& arguments) {
  table.word(options::text(arguments.url, "URL"),
             "redis://HOST:PORT,HOST:PORT/NAME; rediss:// uses TLS");
  table.option("--password-file", options::file(arguments.password_file),
               "read the password of Redis from FILE");
  table.option("--cacert,--ca-certificate", options::file(arguments.tls.ca_file),
               "also trust the certificates in FILE (PEM)");
  table.option("--cert", options::file(arguments.tls.client_certificate_file),
               "use this client certificate (PEM)");
  table.option("--key", options::file(arguments.tls.client_key_file),
               "use this key for --cert (PEM)");
}

Result<void> with_cluster(const ClusterArguments& arguments, ClusterWork& work) {
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
  return loop.run(use_names(loop, std::move(access), std::move(*url), work));
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

int cluster_failed(std::string_view command, const Error& error) {
  static_cast<void>(usage_error(command, base::escape_for_terminal(error.message())));
  if (error == Errc::denied) return kAuthenticationFailed;
  return error == Errc::not_found ? int{kFailed} : exit_code_for(error);
}

}  // namespace gossamer::cli
