// For tests: a shared crawl in virtual time, and a task beside it that causes a fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "net/resolver.h"
#include "redis/client.h"
#include "settings/crawl_settings.h"
#include "site/site.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/disk.h"
#include "tests/simulated/world.h"
#include "tests/support/cluster_node.h"
#include "tests/support/crawl_worlds.h"

namespace gossamer::sim {

inline constexpr std::size_t kSceneHosts = 10;
inline constexpr std::uint64_t kScenePages = 24;  // of each host, at least

std::string host_name(std::size_t number);
Instant scene_now();

// The crawl "worlds" by some nodes.
class Scene {
 public:
  using Play = async::Task<Result<void>> (*)(Scene& scene);

  Scene(std::size_t nodes, redis_model::ClusterOptions options, std::uint64_t pages = kScenePages);

  void run(Play play);

  // Waits for a condition. Returns false if it does not come true within that time.
  static async::Task<bool> until(std::function<bool()> condition, Duration most);
  async::Task<bool> until_leased(std::size_t grants);
  async::Task<Result<redis::Reply>> ask(std::string key, redis_model::Words words);
  // The number of a field of a partition.
  async::Task<std::int64_t> field_of(std::uint32_t partition, std::string field);
  // The pages that were requested.
  std::set<std::string> requested() const;
  // Requests for pages that began in that time.
  std::size_t requests_between(Instant begin, Instant end) const;

  Instant fault_begin = {};
  Instant fault_end = {};
  std::function<void(run::CrawlSettings& settings)> tune;
  // Of the archive. REQUIRES, if it is set: there is one node. nullptr: no archive.
  std::shared_ptr<Disk> disk;
  redis_model::Cluster& cluster() { return *cluster_; }
  redis::Client& client() { return *client_; }
  ClusterNode& node(std::size_t number) { return *nodes_[number]; }

 private:
  // BORROWS: the names.
  async::Task<void> crawl(net::Resolver& names);
  run::CrawlSettings settings() const;

  const std::size_t nodes_count_;
  redis_model::ClusterOptions options_;
  Plan plan_;
  std::optional<site::Site> site_;
  Play play_ = nullptr;
  std::optional<redis_model::Cluster> cluster_;
  std::optional<redis::Client> client_;
  std::optional<World> world_;  // the nodes live on its loop
  std::vector<std::unique_ptr<ClusterNode>> nodes_;
  std::vector<site::LogEntry> log_;
};

}  // namespace gossamer::sim
