// For tests: a simulated world in which several nodes share a crawl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/task.h"
#include "base/random.h"
#include "cluster/layout.h"
#include "net/resolver.h"
#include "redis/client.h"
#include "site/site.h"
#include "tests/redis_model/cluster.h"
#include "tests/simulated/loop_group.h"
#include "tests/support/cluster_node.h"
#include "tests/support/crawl_worlds.h"

namespace gossamer::sim {

// What all worlds together have shown.
struct ClusterTally {
  std::size_t nodes = 0;
  std::size_t pages = 0;
  std::size_t repeats = 0;  // pages that several nodes have
  std::size_t deaths = 0;   // of nodes
  std::size_t failovers = 0;
  std::size_t freezes = 0;  // of one node or all, often past their leases
  std::size_t outages = 0;  // of sites
  std::size_t outages_in_levels = 0;
  std::size_t levels = 0;         // worlds that crawl level by level
  std::size_t cuts = 0;           // of nodes, or of replicas
  std::size_t late_requests = 0;  // sent after the end of the lease by nodes that froze meanwhile
  std::uint64_t commands = 0;
  double seconds = 0;  // of virtual time

  std::string to_string() const;
};

class ClusterWorld {
 public:
  // BORROWS: the tally.
  ClusterWorld(std::uint64_t seed, ClusterTally& tally);

  // Returns what went wrong. Call it once.
  std::vector<std::string> live();
  std::uint64_t trace() const { return trace_; }

 private:
  enum class Fault : std::uint8_t {
    kill_master,
    pause_master,
    cut_replica,
    cut_replica_then_kill_master,
    kill_node,
    cut_node,
    full_memory,
    freeze_node,
    freeze_all,
  };
  static constexpr std::uint64_t kFaults = 9;

  void draw_plan();
  void draw_faults();
  run::CrawlSettings settings() const;
  redis_model::ClusterOptions draw_cluster();
  // BORROWS: the names.
  async::Task<void> crawl(net::Resolver& names);
  async::Task<Result<void>> cause_faults();
  async::Task<Result<void>> cause(Fault fault);
  async::Task<Result<void>> trouble_master(Fault fault, std::size_t master);
  async::Task<Result<void>> trouble_node(Fault fault);
  async::Task<Result<void>> fill_memory(std::size_t master);
  async::Task<Result<void>> give_up();
  Duration draw(Duration least, Duration most) { return sim::draw({least, most}, random_); }

  void judge(std::vector<site::LogEntry> log);
  void judge_end();
  void judge_holders(const std::vector<site::LogEntry>& log);
  // Returns whether a node that froze resumed in that time.
  bool has_thawed(std::size_t node, Instant from, Instant to) const;
  std::vector<crawler::FetchRecord> merged_records();
  void problem(std::string text) { problems_.push_back(std::move(text)); }

  const std::uint64_t seed_;
  base::Random random_;
  ClusterTally& tally_;
  Plan plan_;
  bool is_faultless_ = false;  // of Redis and nodes
  Duration lease_ = 30s;
  std::uint32_t loops_ = 1;  // of each node
  std::uint32_t partitions_ = cluster::kPartitions;
  std::vector<std::optional<Outage>> outages_;
  std::optional<site::Site> site_;
  LoopGroup* group_ = nullptr;
  std::optional<redis_model::Cluster> cluster_;
  std::vector<std::unique_ptr<ClusterNode>> nodes_;
  std::size_t caused_ = 0;                     // faults, until now
  std::multimap<std::size_t, Instant> thaws_;  // by node
  bool is_over_ = false;
  std::uint64_t trace_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace gossamer::sim
