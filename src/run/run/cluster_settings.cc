#include "run/cluster_settings.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "node/url_block.h"
#include "redis/server_url.h"
#include "run/crawl_settings.h"

namespace gossamer::run {
namespace {

constexpr Duration kLeaseMin = 3s;
constexpr Duration kLeaseMax = 1h;

// Limits of the machine, its network and its files; secrets, which are never stored in Redis; and
// everything that a node does not accept from others (options::Power).
constexpr auto kOfNode = std::to_array<std::string_view>(
    {"allow-private", "cacert",      "cert",       "cluster",      "cluster-cacert",
     "cluster-lease", "concurrency", "cookie-jar", "disk-reserve", "dns-servers",
     "durability",    "header",      "insecure",   "key",          "load-cookies",
     "login-check",   "login-field", "login-url",  "loop",         "max-time",
     "memory",        "netrc",       "netrc-file", "no-proxy",     "password-env",
     "proxy",         "quota",       "resolve",    "threads",      "user",
     "warc-file"});

bool is_of_node(std::string_view key) { return std::ranges::find(kOfNode, key) != kOfNode.end(); }

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
  if (settings.scope.url_bytes_max > node::kUrlBytesMax) {
    return refuse("--max-url-length must be at most 64 KiB with --cluster");
  }
  if (settings.job.refreshes) return refuse("--refresh is not possible with --cluster");
  if (settings.asks_for_leaves || !settings.leaves.empty()) {
    return refuse("a shared crawl cannot check links");
  }
  return {};
}

std::span<const std::string_view> settings_of_node() noexcept { return kOfNode; }

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
