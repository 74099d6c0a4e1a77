// `gossamer demo --cluster`: a shared crawl on this machine that survives faults.
#pragma once

#include "async/task.h"
#include "base/result.h"
#include "site/site_options.h"

namespace gossamer::cli {

// Starts a Redis Cluster of six servers, a site, and three nodes that crawl it; kills a node and a
// master; and compares the log of the site with its pages. Everything that it starts ends with it.
// Returns the exit code. Fails with Errc::unsupported if redis-server is not installed.
async::Task<Result<int>> show_cluster(site::SiteOptions options, bool is_quiet);

}  // namespace gossamer::cli
