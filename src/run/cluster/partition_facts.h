// What Redis says about the partitions of a crawl.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "redis/client.h"

namespace gossamer::cluster {

struct PartitionFacts {
  std::uint32_t number = 0;
  std::string identity;  // of its crawl; empty: Redis does not have the partition
  std::uint64_t found = 0;
  std::uint64_t ended = 0;
  std::uint64_t hosts = 0;
  std::uint64_t leased = 0;  // hosts
  std::uint64_t due = 0;     // hosts with a moment in R: queued or leased
  std::string frozen;        // why; empty: it is not
  // In a crawl that goes level by level: URLs of other levels, their lowest depth, and the last
  // step after which all URLs of its level were queued.
  std::uint64_t parked = 0;
  std::uint16_t lowest_parked = 0;
  std::uint64_t step = 0;
  // It is on another master than the one where it was made or accepted (new_owners.h), and that one
  // is still a master, so no failover explains it. Its slot was moved, which can lose URLs.
  bool is_misplaced = false;
};

// Reads everything of all partitions. If nothing seems to be open, it reads again, and returns
// `ended` of the first time: what was found later is open. A partition that is not there has an
// empty identity. BORROWS: the client.
async::Task<Result<std::vector<PartitionFacts>>> read_partitions(redis::Client& client,
                                                                 std::string crawl,
                                                                 std::uint32_t partitions,
                                                                 Instant deadline);

}  // namespace gossamer::cluster
