#include "run/cluster_settings.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "redis/server_url.h"
#include "run/crawl_settings.h"
#include "run/job_settings.h"

namespace gossamer::run {
namespace {

constexpr Duration kLeaseMin = 3s;
constexpr Duration kLeaseMax = 1h;

bool is_of_node(std::string_view key) {
  constexpr std::string_view kLimit = "limit";  // the page limit is that of the whole crawl
  if (key == kLimit) return false;
  return may_change(key) || is_secret(key) || key.starts_with("cluster");
}

}  // namespace

Result<void> validate_cluster(const CrawlSettings& settings) {
  const ClusterSettings& cluster = settings.cluster;
  if (!cluster.is_shared()) return {};
  if (auto url = redis::parse_server_url(cluster.url); !url) return fail(std::move(url).error());
  const auto refuse = [](const char* why) { return fail(Errc::invalid_argument, why); };
  if (settings.job.folder.empty()) {
    return refuse("a node of a shared crawl needs its own crawl directory; add --job DIR");
  }
  if (cluster.lease < kLeaseMin || cluster.lease > kLeaseMax) {
    return refuse("--cluster-lease must be from 3s to 1h");
  }
  if (settings.threads > 1) {
    return refuse("--threads is not possible with --cluster; start several nodes instead");
  }
  if (settings.scope.depth_max) {
    return refuse("--depth is not possible with --cluster: nodes do not crawl level by level");
  }
  if (settings.job.refreshes) return refuse("--refresh is not possible with --cluster");
  if (settings.asks_for_leaves || !settings.leaves.empty()) {
    return refuse("a shared crawl cannot check links");
  }
  return {};
}

std::string settings_to_share(const std::string& configuration) {
  std::string shared;
  std::istringstream lines(configuration);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t end = line.find(" = ");
    if (end != std::string::npos && is_of_node(std::string_view(line).substr(0, end))) continue;
    shared += line + '\n';
  }
  return shared;
}

}  // namespace gossamer::run
