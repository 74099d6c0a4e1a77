#include "settings/cluster_settings.h"

#include "node/url_block.h"
#include "redis/server_url.h"
#include "settings/crawl_settings.h"

namespace gossamer::run {
namespace {

constexpr Duration kLeaseMin = 3s;
constexpr Duration kLeaseMax = 1h;

}  // namespace

Result<void> validate_cluster(const CrawlSettings& settings) {
  const ClusterSettings& cluster = settings.cluster;
  if (!cluster.is_shared()) return {};
  if (auto url = redis::parse_server_url(cluster.url); !url) return fail(std::move(url).error());
  const auto refuse = [](const char* why) { return fail(Errc::invalid_argument, why); };
  if (settings.job.folder.empty()) {
    return refuse("a node of a shared crawl needs its own crawl directory; add `job` DIR");
  }
  if (cluster.lease < kLeaseMin || cluster.lease > kLeaseMax) {
    return refuse("`cluster-lease` must be from 3s to 1h");
  }
  if (settings.scope.url_bytes_max > node::kUrlBytesMax) {
    return refuse("`max-url-length` must be at most 64 KiB with `cluster`");
  }
  if (settings.job.refreshes) return refuse("`refresh` is not possible with `cluster`");
  if (settings.asks_for_leaves || !settings.leaves.empty()) {
    return refuse("a shared crawl cannot check links");
  }
  return {};
}

}  // namespace gossamer::run
