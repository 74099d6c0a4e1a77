// For the commands of `gossamer cluster`: the connection to Redis.
#pragma once

#include <string>

#include "async/task.h"
#include "base/result.h"
#include "cluster/health.h"
#include "net/tls_context.h"
#include "options/table.h"
#include "redis/client.h"

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

// Connects to the servers and runs `work` with an open client, on a new loop. Fails with
// Errc::invalid_argument if an argument is wrong, and as redis::Client::open() does.
using ClusterWork = async::Task<Result<cluster::Health>> (*)(redis::Client& client);
Result<cluster::Health> with_cluster(const ClusterArguments& arguments, ClusterWork work);

}  // namespace gossamer::cli
