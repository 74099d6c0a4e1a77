#include "settings/cluster_arguments.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "options/config_file.h"
#include "settings/crawl_arguments.h"

namespace gossamer::settings {
namespace {

using options::Concern;
using options::Power;

constexpr std::size_t kPasswordBytesMax = 4096;

}  // namespace

Result<std::string> read_redis_password(const std::string& file) {
  if (file.empty()) {
    const char* const password = std::getenv(kRedisPasswordVariable);
    return std::string(password == nullptr ? "" : password);
  }
  std::ifstream stream(file, std::ios::binary);
  stream.peek();  // a folder can be opened, but not read
  if (!stream) return fail(Errc::invalid_argument, options::cannot_read(file));
  std::string password((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  password = base::trimmed(password, "\r\n");
  if (password.empty() || password.size() > kPasswordBytesMax) {
    return fail(Errc::invalid_argument, file + " contains no password");
  }
  return password;
}

void declare_shared_crawl(options::Table& table, CrawlArguments& arguments) {
  run::ClusterSettings& cluster = arguments.crawl.cluster;
  table.group("Shared crawl");
  table.option("cluster", options::text(cluster.url, "URL"),
               "crawl together with other nodes: redis://HOST:PORT,HOST:PORT/NAME; needs `job`",
               Concern::machine, Power::send);
  table.option("cluster-password-file", options::file(arguments.redis_password_file),
               "read the password of Redis from FILE, not from GOSSAMER_REDIS_PASSWORD",
               Concern::run, Power::read_files);
  table.option("cluster-cacert", options::file(cluster.tls.ca_file),
               "for rediss://: also trust the certificates in FILE (PEM)", Concern::machine,
               Power::weaken_tls);
  table.option("cluster-lease", options::duration(cluster.lease),
               "give the hosts of a silent node to others after TIME", Concern::machine,
               Power::none);
}

Result<void> complete_shared_crawl(CrawlArguments& arguments) {
  run::ClusterSettings& cluster = arguments.crawl.cluster;
  if (!cluster.is_shared()) {
    if (arguments.redis_password_file.empty()) return {};
    return fail(Errc::invalid_argument, "`cluster-password-file` requires `cluster`");
  }
  auto password = read_redis_password(arguments.redis_password_file);
  if (!password) return fail(std::move(password).error());
  cluster.password = std::move(*password);
  return {};
}

}  // namespace gossamer::settings
