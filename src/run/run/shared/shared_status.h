// The state of a shared crawl at one moment, as `gossamer cluster status` and the live view of
// `gossamer serve` tell it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/node_report.h"
#include "cluster/partition_facts.h"
#include "cluster/shared_crawl.h"

namespace gossamer::run {

struct SharedCrawlStatus {
  std::string crawl;  // its name
  cluster::CrawlFacts facts;
  std::vector<cluster::NodeStatus> nodes;
  std::vector<cluster::PartitionFacts> partitions;

  // "being prepared", "running", "paused", "stopping" or "ended".
  std::string_view state() const noexcept;
  std::uint64_t sum(std::uint64_t cluster::PartitionFacts::* field) const;
  std::uint64_t found() const { return sum(&cluster::PartitionFacts::found); }
  std::uint64_t ended() const { return sum(&cluster::PartitionFacts::ended); }
  std::uint64_t open() const;  // URLs that have not ended
  std::uint64_t hosts() const { return sum(&cluster::PartitionFacts::hosts); }
  std::uint64_t due() const { return sum(&cluster::PartitionFacts::due); }
  std::uint64_t leased() const { return sum(&cluster::PartitionFacts::leased); }
  // The sums of the reports of the nodes that are there.
  cluster::NodeReport of_nodes() const;

  bool is_lost(const cluster::PartitionFacts& each) const {
    return facts.has_begun && each.identity != facts.identity;
  }
  // A part is lost, or was moved while it was in use.
  bool is_damaged() const;
  // The numbers of such partitions: "3, 17".
  std::string lost() const;
  std::string misplaced() const;
  std::string frozen() const;
};

// One object (docs/cluster.md).
std::string to_json(const SharedCrawlStatus& status);

}  // namespace gossamer::run
