// For the commands of `gossamer cluster`: the connection to Redis.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "net/tls_context.h"
#include "options/table.h"
#include "run/shared/cluster_work.h"
#include "settings/cluster_settings.h"

namespace gossamer::cli {

struct ClusterArguments {
  std::string url;
  std::string password_file;
  net::TlsOptions tls;
};

void declare_cluster(options::Table& table, ClusterArguments& arguments);

// The servers, with the password. Fails with Errc::invalid_argument if it cannot be read.
Result<run::ClusterSettings> cluster_settings(const ClusterArguments& arguments);

using run::ClusterWork;
// run::with_cluster() with the arguments of a command.
Result<void> with_cluster(const ClusterArguments& arguments, run::ClusterWork& work);

// Prints why the command failed, and returns its exit code.
int cluster_failed(std::string_view command, const Error& error);

}  // namespace gossamer::cli
