// Watches, steers and deletes a shared crawl from outside, as `gossamer cluster` does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "cluster/shared_crawl.h"
#include "redis/client.h"
#include "run/control/control_protocol.h"
#include "run/shared/shared_status.h"
#include "settings/cluster_settings.h"

namespace gossamer::run {

// All functions below connect and wait. They fail as with_cluster() does, with Errc::not_found if
// there is no such crawl, and with Errc::closed if it has ended or was stopped.
Result<SharedCrawlStatus> read_shared_crawl(const ClusterSettings& cluster);
// The same with an open client. `patience` is for each of its three steps. BORROWS: the client.
async::Task<Result<SharedCrawlStatus>> read_shared_crawl(redis::Client& client, std::string crawl,
                                                         Duration patience = 10s);

// Does what a request of the control protocol says: pause, resume, stop, add, block or unblock.
// Returns what was done, for the user. Errc::invalid_argument: shared crawls do not have this
// request.
async::Task<Result<std::string>> steer_shared_crawl(ClusterSettings cluster,
                                                    ControlRequest request);

// Pauses, resumes or stops it on all nodes. Control::stop is final.
Result<void> control_shared_crawl(const ClusterSettings& cluster, cluster::Control control);
// Adds root URLs, http or https. Errc::invalid_argument: one of them is none, and none was added.
Result<void> add_to_shared_crawl(const ClusterSettings& cluster,
                                 const std::vector<std::string>& urls);
// Skips the remaining and future URLs of hosts. Errc::invalid_argument: one of them is no host.
Result<void> block_in_shared_crawl(const ClusterSettings& cluster,
                                   const std::vector<std::string>& hosts);
// Fetches URLs of these hosts again that are found from now on.
Result<void> unblock_in_shared_crawl(const ClusterSettings& cluster,
                                     const std::vector<std::string>& hosts);
// Deletes it from Redis, and returns the number of keys. Directories of nodes stay. Errc::exists:
// it has not ended, and is stopped only if `is_forced`.
Result<std::uint64_t> purge_shared_crawl(const ClusterSettings& cluster, bool is_forced);

}  // namespace gossamer::run
