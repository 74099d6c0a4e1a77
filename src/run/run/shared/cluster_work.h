// A connection to the servers of a shared crawl, for a moment.
#pragma once

#include <string>

#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "redis/client.h"
#include "redis/server_url.h"
#include "settings/cluster_settings.h"

namespace gossamer::run {

// What is done with an open client. `crawl` is the name in the URL.
class ClusterWork {
 public:
  virtual ~ClusterWork() = default;
  // BORROWS: this and the client, while it is awaited.
  virtual async::Task<Result<void>> run(redis::Client& client, std::string crawl) = 0;
};

// Connects to the servers and does the work. Fails with Errc::invalid_argument if a setting is
// wrong, as redis::Client::open() does, and as the work. BORROWS: the work.
async::Task<Result<void>> use_cluster(ClusterSettings cluster, ClusterWork& work);
// The same on a new loop.
Result<void> with_cluster(const ClusterSettings& cluster, ClusterWork& work);

// Returns how to connect to the servers. Fails if certificates cannot be read.
Result<redis::Access> access_of(const ClusterSettings& cluster, const redis::ServerUrl& url);

// Returns an existing crawl. What is changed waits for replicas as the crawl requires. Fails with
// Errc::not_found. BORROWS: the client.
async::Task<Result<cluster::SharedCrawl>> open_crawl(redis::Client& client, std::string crawl);

}  // namespace gossamer::run
