// For the commands of `gossamer cluster`: the connection to Redis.
#pragma once

#include <string>
#include <string_view>

#include "async/task.h"
#include "base/error.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "net/tls_context.h"
#include "options/table.h"
#include "redis/client.h"
#include "redis/server_url.h"

namespace gossamer::cli {

// The environment variable with the password of Redis.
inline constexpr const char* kRedisPasswordVariable = "GOSSAMER_REDIS_PASSWORD";

struct ClusterArguments {
  std::string url;
  std::string password_file;
  net::TlsOptions tls;
};

// Reads the password of Redis from the file or, if it is empty, from the environment. Fails with
// Errc::invalid_argument.
Result<std::string> read_redis_password(const std::string& file);

void declare_cluster(options::Table& table, ClusterArguments& arguments);

// What a command does with an open client. `crawl` is the name in the URL.
class ClusterWork {
 public:
  virtual ~ClusterWork() = default;
  // BORROWS: this and the client, while it is awaited.
  virtual async::Task<Result<void>> run(redis::Client& client, std::string crawl) = 0;
};

// Connects to the servers and does the work on a new loop. Fails with Errc::invalid_argument if an
// argument is wrong, as redis::Client::open() does, and as the work.
Result<void> with_cluster(const ClusterArguments& arguments, ClusterWork& work);

// Returns an existing crawl. What is changed waits for replicas as the crawl requires. Fails with
// Errc::not_found. BORROWS: the client.
async::Task<Result<cluster::SharedCrawl>> open_crawl(redis::Client& client, std::string crawl);

// Prints why the command failed, and returns its exit code.
int cluster_failed(std::string_view command, const Error& error);

}  // namespace gossamer::cli
