// The servers of a Redis Cluster, also those without slots.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "redis/server_url.h"

namespace gossamer::redis {

struct ClusterNode {
  std::string id;
  Node node;
  bool is_master = false;
  bool is_failed = false;  // or has no address, or is not part of the cluster yet
  std::string master;      // of a replica: the id of its master
  // Of the servers that claim a slot, the one with the highest epoch owns it.
  std::uint64_t epoch = 0;
  // Slots whose keys a program moves away (SETSLOT MIGRATING). Only the sender says its own.
  std::vector<std::uint16_t> leaving;
};

// Reads the reply to CLUSTER NODES. A server without a host is `sender`. Fails with
// Errc::malformed, and with Errc::over_limit beyond SlotMap::kNodesMax lines.
Result<std::vector<ClusterNode>> parse_cluster_nodes(std::string_view text, const Node& sender);

}  // namespace gossamer::redis
